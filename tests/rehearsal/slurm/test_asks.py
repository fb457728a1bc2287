"""What a script asks of a node."""

import pytest

from muster.rehearsal.slurm import asks
from muster.rehearsal.slurm.asks import Asked


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, None),
        ({"gpus-per-node": "8"}, Asked("gpus-per-node", 8)),
        ({"gpus-per-node": "a100:4"}, Asked("gpus-per-node", 4, "a100")),
        ({"gres": "gpu"}, Asked("gres", 1)),
        ({"gres": "gpu:a100"}, Asked("gres", 1, "a100")),
        ({"gres": "efa:4,gpu:a100:8"}, Asked("gres", 8, "a100")),
        ({"gres": "gres:gpu:2"}, Asked("gres", 2)),
        ({"gres": "efa:4"}, None),
        ({"gpus-per-task": "2", "ntasks-per-node": "8"}, Asked("gpus-per-task", 16)),
    ],
)
def test_gpus_of_a_node(given: dict[str, str], asked: Asked | None):
    """However sbatch lets people say it."""
    assert asks.gpus(given) == asked


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
    found = asks.memory(given)
    assert (found.number if found else None) == mib


def test_nodes_cpus_and_sums():
    """The least number of nodes; tasks times their CPUs; what is said of all nodes together."""
    assert asks.nodes({"nodes": "2-4"}) == Asked("nodes", 2)
    assert asks.nodes({"nodes": "many"}) is None
    assert asks.cpus({"ntasks-per-node": "8", "cpus-per-task": "12"}) == Asked("cpus-per-task", 96)
    assert asks.cpus({"ntasks": "8"}) is None
    assert asks.cpus_in_all({"ntasks": "8", "cpus-per-task": "12"}) == Asked("ntasks", 96)
    assert asks.gpus_in_all({"gpus": "h100:16"}) == Asked("gpus", 16, "h100")
    assert asks.gres_names({"gres": "efa:4,gpu:8"}) == ("efa", "gpu")
