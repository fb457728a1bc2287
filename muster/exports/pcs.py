"""What a stack with a Slurm cluster on AWS PCS exports (`muster.contract.PcsCluster`)."""

from collections.abc import Mapping
from typing import Any

import pulumi
import pulumi_aws_native as native

from muster.blueprint.cluster import PcsBlueprint, ServiceNodes
from muster.blueprint.group import PcsGroup
from muster.blueprint.slurm import SlurmQueue
from muster.contract import CONTRACT
from muster.exports.blocks import (
    capacity_output,
    network_output,
    slurm_group_output,
    slurm_queue_output,
    storage_output,
)
from muster.fleet.resources import ComputeNodeGroup
from muster.infra.lustre import Lustre
from muster.infra.network import Foundation
from muster.infra.pcs.cluster import PcsController
from muster.infra.pcs.node_groups import PcsNodeGroup
from muster.infra.registry import Registry
from muster.infra.security_groups import PcsSecurityGroup


def pcs_outputs(
    blueprint: PcsBlueprint,
    around: Foundation,
    security_group: PcsSecurityGroup,
    controller: PcsController,
    groups: Mapping[str, PcsNodeGroup],
    queues: Mapping[str, native.pcs.Queue],
    storage: Mapping[str, Lustre],
    registry: Registry | None,
) -> dict[str, Any]:
    """The stack's outputs by the contract."""
    described, derived = blueprint.described, blueprint.cluster
    return {
        "contract": CONTRACT,
        "backend": described.backend,
        "region": blueprint.region,
        "cluster": {
            "name": blueprint.cluster_name,
            "id": controller.id,
            "arn": controller.arn,
            "size": derived.size,
            "slurmVersion": derived.version,
            "image": described.image,
            "accounting": derived.accounting,
        },
        "endpoints": controller.endpoints.apply(_endpoints),
        "nodeGroups": {each.name: _group(each, blueprint, around, groups[each.name]) for each in blueprint.groups},
        "loginGroups": {each.name: _login(each, blueprint, groups[each.name]) for each in blueprint.service_nodes},
        "queues": {each.name: _queue(each, blueprint, queues[each.name]) for each in blueprint.queues},
        "network": network_output(blueprint, around, {"cluster": security_group.id}),
        "storage": {
            each.name: storage_output(each, storage.get(each.name), mountDirectory=f"/{each.name}")
            for each in blueprint.storage
        },
        "registry": registry.url if registry else None,
    }


def _endpoints(listed: list[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Cloud Control's keys are those of CloudFormation."""
    return [
        {"type": each["Type"], "privateIpAddress": each["PrivateIpAddress"], "port": str(each["Port"])}
        for each in listed
    ]


def _group(group: PcsGroup, blueprint: PcsBlueprint, around: Foundation, made: PcsNodeGroup) -> dict[str, Any]:
    target, placement = group.template.target, group.placement_group
    return {
        "id": made.id,
        **slurm_group_output(group, blueprint),
        "capacity": capacity_output(
            group.described.capacity,
            reservation=None if target.reservation is None else around.id(target.reservation),
            reservation_group=made.capacity.reservation_group,
            placement_group=made.capacity.placement_group if placement else None,
        ),
    }


def _login(group: ServiceNodes[ComputeNodeGroup], blueprint: PcsBlueprint, made: PcsNodeGroup) -> dict[str, Any]:
    nodes = group.described.nodes
    subnets = (blueprint.subnets.get(str(each)) for each in group.resource.subnets)
    return {
        "id": made.id,
        "instanceType": group.described.instance,
        "count": {"min": nodes, "start": nodes, "max": nodes},
        "zones": sorted({each.zone for each in subnets if each and each.zone}),
        "instances": pulumi.Output.format(
            "aws ec2 describe-instances --region {0} --filters Name=tag:aws:pcs:compute-node-group-id,Values={1} "
            "--query 'Reservations[].Instances[].InstanceId'",
            blueprint.region,
            made.id,
        ),
    }


def _queue(queue: SlurmQueue[PcsGroup], blueprint: PcsBlueprint, made: native.pcs.Queue) -> dict[str, Any]:
    return {"id": made.aws_id, **slurm_queue_output(queue, blueprint)}
