"""Edits of a HyperPod cluster with Slurm."""

from muster.config.description.hyperpod_slurm_cluster import HyperPodSlurm, HyperPodSlurmCluster
from muster.config.description.hyperpod_slurm_nodes import ComputeGroup, LoginNodes
from tests.engine.changes.edits import row
from tests.engine.changes.hyperpod import MACHINES_REPLACED, MACHINES_UPDATE

STORAGE = "    storage:\n"
DELETED_WITH_STACK = ("size: 4800GiB", "on-destroy: delete\n          size: 4800GiB")


def cluster(line: str) -> tuple[str, str]:
    """An edit that adds a line to the description."""
    return STORAGE, f"    {line}\n{STORAGE}"


HYPERPOD_SLURM_ROWS = (
    row(HyperPodSlurmCluster, "name", *cluster("name: another"), MACHINES_REPLACED),
    row(HyperPodSlurm, "config_strategy", *cluster("hyperpod: {config-strategy: merge}"), MACHINES_UPDATE),
    row(HyperPodSlurm, "node_recovery", *cluster("hyperpod: {node-recovery: none}"), MACHINES_UPDATE),
    row(HyperPodSlurm, "provisioning", *cluster("hyperpod: {provisioning: continuous}"), MACHINES_UPDATE),
    row(HyperPodSlurmCluster, "tags", *cluster("tags: {team: vision}"), MACHINES_UPDATE),
    row(ComputeGroup, "partition", "partition: cpu", "partition: batch", MACHINES_UPDATE),
    row(LoginNodes, "nodes", "      nodes: 1\n", "      nodes: 2\n", MACHINES_UPDATE),
)
