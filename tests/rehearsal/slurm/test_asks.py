"""What a script asks of a node."""

import pytest

from muster.rehearsal.slurm import batch_script
from muster.rehearsal.slurm.batch_script import RequestedAmount


@pytest.mark.parametrize(
    ("given", "requested"),
    [
        ({}, None),
        ({"gpus-per-node": "8"}, RequestedAmount("gpus-per-node", 8)),
        ({"gpus-per-node": "a100:4"}, RequestedAmount("gpus-per-node", 4, "a100")),
        ({"gres": "gpu"}, RequestedAmount("gres", 1)),
        ({"gres": "gpu:a100"}, RequestedAmount("gres", 1, "a100")),
        ({"gres": "efa:4,gpu:a100:8"}, RequestedAmount("gres", 8, "a100")),
        ({"gres": "gres:gpu:2"}, RequestedAmount("gres", 2)),
        ({"gres": "efa:4"}, None),
        ({"gpus-per-task": "2", "ntasks-per-node": "8"}, RequestedAmount("gpus-per-task", 16)),
    ],
)
def test_gpus_of_a_node(given: dict[str, str], requested: RequestedAmount | None):
    """However sbatch lets people say it."""
    assert batch_script.requested_gpus(given) == requested


@pytest.mark.parametrize(
    ("given", "mib"),
    [
        ({"mem": "2000"}, 2000),
        ({"mem": "2G"}, 2048),
        ({"mem": "1TB"}, 2**20),
        ({"mem": "100K"}, 1),
        ({"mem-per-cpu": "2G", "cpus-per-task": "12", "ntasks-per-node": "8"}, 2048 * 96),
        ({"mem-per-gpu": "100G", "gpus-per-node": "8"}, 102400 * 8),
        ({"mem": "0"}, 0),
        ({"mem": "lots"}, None),
    ],
)
def test_memory_of_a_node(given: dict[str, str], mib: int | None):
    """In MiB, which is what a number alone means."""
    found = batch_script.requested_memory(given)
    assert (found.number if found else None) == mib


def test_nodes_cpus_and_sums():
    """The least number of nodes; tasks times their CPUs; what is said of all nodes together."""
    assert batch_script.requested_nodes({"nodes": "2-4"}) == RequestedAmount("nodes", 2)
    assert batch_script.requested_nodes({"nodes": "many"}) is None
    assert batch_script.requested_cpus({"ntasks-per-node": "8", "cpus-per-task": "12"}) == RequestedAmount(
        "cpus-per-task", 96
    )
    assert batch_script.requested_cpus({"ntasks": "8"}) is None
    assert batch_script.requested_cpus_in_total({"ntasks": "8", "cpus-per-task": "12"}) == RequestedAmount("ntasks", 96)
    assert batch_script.requested_gpus_in_total({"gpus": "h100:16"}) == RequestedAmount("gpus", 16, "h100")
    assert batch_script.requested_gres({"gres": "efa:4,gpu:8"}) == ("efa", "gpu")
