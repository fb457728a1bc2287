"""A Slurm cluster on ParallelCluster: its resources, and their order."""

from typing import Any

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.logical_names import NODES_GROUP_REF
from muster.exports.parallelcluster import slurm_outputs
from muster.infra.lustre import Clients, file_systems
from muster.infra.network import Foundation
from muster.infra.parallelcluster.cluster import ParallelCluster
from muster.infra.registry import Registry
from muster.infra.security_groups import NodesSecurityGroup


def slurm(blueprint: ParallelClusterBlueprint) -> dict[str, Any]:
    """A Slurm cluster, and what it exports.

    Order: the network; the group that all nodes carry; file systems with their rules; the cluster, whose head node
    mounts them when it starts. Destroy goes the other way.
    """
    around = Foundation.of(blueprint)
    nodes = NodesSecurityGroup(blueprint, around)
    clients = [Clients("nodes", NODES_GROUP_REF, nodes.id)]
    storage = file_systems(blueprint, around, clients)
    cluster = ParallelCluster(blueprint, around, nodes, storage)
    registry = Registry(blueprint.described.registry, blueprint) if blueprint.described.registry else None
    return slurm_outputs(blueprint, around, nodes, cluster, storage, registry)
