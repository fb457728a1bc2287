"""A Slurm cluster on AWS PCS: its resources, and their order."""

from typing import Any

from muster.blueprint.cluster import PcsBlueprint, ServiceNodes
from muster.blueprint.group import PcsGroup
from muster.blueprint.logical_names import PCS_GROUP_REF
from muster.exports.pcs import pcs_outputs
from muster.fleet.resources import ComputeNodeGroup
from muster.infra.lustre import Clients, file_systems
from muster.infra.network import Foundation
from muster.infra.pcs.cluster import PcsController, PcsNodeRole, queues
from muster.infra.pcs.node_groups import PcsNodeGroup
from muster.infra.registry import Registry
from muster.infra.security_groups import PcsSecurityGroup


def pcs(blueprint: PcsBlueprint) -> dict[str, Any]:
    """A Slurm cluster, and what it exports.

    Order: the network; the group that the controller and all nodes carry; the controller, with file systems beside it;
    the groups of nodes, which mount them when they start; the queues. Destroy goes the other way, as PCS requires.
    """
    around = Foundation.of(blueprint)
    group = PcsSecurityGroup(blueprint, around)
    storage = file_systems(blueprint, around, [Clients("pcs", PCS_GROUP_REF, group.id)])
    role = PcsNodeRole(blueprint)
    controller = PcsController(blueprint, around, group)
    needed = [*around.ready, *group.rules, *role.ready, *storage.values()]

    def node_group(each: PcsGroup | ServiceNodes[ComputeNodeGroup]) -> PcsNodeGroup:
        return PcsNodeGroup(
            each, blueprint, around, controller.id, group.id, role.profile_arn, storage, controller.provider, needed
        )

    every: tuple[PcsGroup | ServiceNodes[ComputeNodeGroup], ...] = (*blueprint.groups, *blueprint.service_nodes)
    groups = {each.name: node_group(each) for each in every}
    made = queues(blueprint, controller, groups, needed)
    registry = Registry(blueprint.described.registry, blueprint) if blueprint.described.registry else None
    return pcs_outputs(blueprint, around, group, controller, groups, made, storage, registry)
