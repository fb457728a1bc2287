"""A Slurm cluster on AWS PCS: its resources, their order, and what its stack exports."""

from collections.abc import Mapping
from typing import Any

import pulumi

from muster.blueprint.cluster import PcsBlueprint, ServiceNodes
from muster.blueprint.group import PcsGroup
from muster.blueprint.logical_names import PCS_GROUP_REF
from muster.contract import (
    CountOutput,
    PcsCluster,
    PcsEndpoint,
    PcsIdentity,
    PcsLoginOutput,
    PcsNodeGroupOutput,
    PcsQueueOutput,
)
from muster.deploy.outputs import capacity_output, group_output, queue_output, slurm_output
from muster.fleet.resources import ComputeNodeGroup
from muster.infra.file_systems import file_systems
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
    around = around.with_ids({PCS_GROUP_REF: group.id}, group.rules)
    storage = file_systems(blueprint, around, {"pcs": PCS_GROUP_REF})
    role = PcsNodeRole(blueprint)
    controller = PcsController(blueprint, around)
    needed = [*around.ready, *role.ready, *storage.values()]
    every: tuple[PcsGroup | ServiceNodes[ComputeNodeGroup], ...] = (*blueprint.groups, *blueprint.service_nodes)
    groups = {
        each.name: PcsNodeGroup(each, blueprint, around, controller, role.profile_arn, storage, needed)
        for each in every
    }
    made = queues(blueprint, controller, groups, needed)
    registry = Registry.of(blueprint)
    return slurm_output(
        PcsCluster,
        blueprint,
        around,
        {"cluster": group.id},
        registry,
        storage,
        cluster=PcsIdentity.written(
            controller,
            blueprint.cluster,
            name=blueprint.cluster_name,
            slurm_version=blueprint.cluster.version,
            image=blueprint.described.image,
        ),
        endpoints=controller.endpoints.apply(_endpoints),
        node_groups={each.name: _group(each, blueprint, around, groups[each.name]) for each in blueprint.groups},
        login_groups={each.name: _login(each, blueprint, groups[each.name]) for each in blueprint.service_nodes},
        queues={
            each.name: queue_output(each, blueprint, PcsQueueOutput, id=made[each.name].aws_id)
            for each in blueprint.queues
        },
    )


def _endpoints(listed: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Cloud Control's keys are those of CloudFormation."""
    return [
        PcsEndpoint.written(type=each["Type"], private_ip_address=each["PrivateIpAddress"], port=str(each["Port"]))
        for each in listed
    ]


def _group(group: PcsGroup, blueprint: PcsBlueprint, around: Foundation, made: PcsNodeGroup) -> dict[str, Any]:
    target = group.template.target
    capacity = capacity_output(
        group.described.capacity,
        reservation=None if target.reservation is None else around.id(target.reservation),
        reservation_group=made.capacity.reservation_group,
        placement_group=made.capacity.placement_group if group.placement_group else None,
    )
    return group_output(group, blueprint, PcsNodeGroupOutput, id=made.id, capacity=capacity)


def _login(group: ServiceNodes[ComputeNodeGroup], blueprint: PcsBlueprint, made: PcsNodeGroup) -> dict[str, Any]:
    nodes = group.described.nodes
    subnets = (blueprint.subnets.get(str(each)) for each in group.resource.subnets)
    return PcsLoginOutput.written(
        id=made.id,
        instance_type=group.described.instance,
        count=CountOutput.written(min=nodes, start=nodes, max=nodes),
        zones=sorted({each.zone for each in subnets if each and each.zone}),
        instances=pulumi.Output.format(
            "aws ec2 describe-instances --region {0} --filters Name=tag:aws:pcs:compute-node-group-id,Values={1} "
            "--query 'Reservations[].Instances[].InstanceId'",
            blueprint.region,
            made.id,
        ),
    )
