"""Keys of slurm.conf that a description may set."""

import pytest

from muster.config.description.slurm_cluster import SlurmCluster
from muster.config.validation import validate
from muster.hardware import ami
from tests.slurm_factories import a_slurm_document


@pytest.mark.parametrize("key", ["NodeName", "NodeSet", "PartitionName", "DownNodes", "Include"])
def test_lines_that_make_nodes_and_partitions_are_not_for_settings(key: str) -> None:
    """They are the description's own."""
    _, faults = validate(SlurmCluster, a_slurm_document({"slurm.settings": {key: "x"}}))
    assert [each.got for _, each in faults] == [
        f"'{key}' is not yours to set: queues and their groups become nodes and partitions"
    ]


@pytest.mark.parametrize(
    ("instance", "knows"),
    [(f"{each}.xlarge", False) for each in ("g2", "g3", "g3s", "p2", "p3", "p3dn")]
    + [(f"{each}.xlarge", True) for each in ("g4dn", "g5", "g6", "g6e", "gr6", "p4d", "p5", "p6-b200", "m5")],
)
def test_the_open_driver_knows_gpus_of_turing_and_newer(instance: str, *, knows: bool) -> None:
    """Whatever has no GPU is no trouble to it (`NVIDIA_OPENRM_UNSUPPORTED_INSTANCE_TYPES`, aws-parallelcluster)."""
    assert ami.supports_open_driver(instance) is knows
