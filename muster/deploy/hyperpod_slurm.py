"""A cluster on HyperPod with Slurm: its resources, and their order."""

from typing import Any

from muster.blueprint.cluster import HyperPodSlurmBlueprint
from muster.blueprint.logical_names import NODES_GROUP_REF
from muster.exports.hyperpod_slurm import hyperpod_slurm_outputs
from muster.infra.hyperpod.slurm_cluster import HyperPodSlurm
from muster.infra.lustre import Clients, file_systems
from muster.infra.network import Foundation
from muster.infra.registry import Registry
from muster.infra.security_groups import SlurmNodesSecurityGroup


def hyperpod_slurm(blueprint: HyperPodSlurmBlueprint) -> dict[str, Any]:
    """A cluster on HyperPod with Slurm, and what it exports.

    Order: the network; the security group of all nodes; file systems with their rules; the cluster, whose nodes mount
    them when they start. Destroy goes the other way.
    """
    around = Foundation.of(blueprint)
    nodes = SlurmNodesSecurityGroup(blueprint, around)
    clients = [Clients("nodes", NODES_GROUP_REF, nodes.id)]
    storage = file_systems(blueprint, around, clients)
    cluster = HyperPodSlurm(blueprint, around, nodes, storage)
    registry = Registry(blueprint.described.registry, blueprint) if blueprint.described.registry else None
    return hyperpod_slurm_outputs(blueprint, around, nodes, cluster, storage, registry)
