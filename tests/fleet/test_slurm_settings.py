"""Keys of slurm.conf that a description may set."""

import pytest

from muster.fleet.description import SlurmCluster
from muster.fleet.shape import shape
from tests.slurm_factories import a_slurm_document


@pytest.mark.parametrize("key", ["NodeName", "NodeSet", "PartitionName", "DownNodes", "Include"])
def test_lines_that_make_nodes_and_partitions_are_not_for_settings(key: str) -> None:
    """They are the description's own."""
    _, faults = shape(SlurmCluster, a_slurm_document({"slurm.settings": {key: "x"}}))
    assert [each.got for _, each in faults] == [
        f"'{key}' is not yours to set: queues and their groups become nodes and partitions"
    ]
