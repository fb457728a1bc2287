"""What a stack with a Slurm cluster exports (`muster.contract.SlurmCluster`)."""

from collections.abc import Mapping
from typing import Any

import pulumi

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.group import ParallelClusterGroup
from muster.config.description.node_group import Tier
from muster.config.description.slurm_settings import Os
from muster.contract import CONTRACT
from muster.exports.blocks import (
    capacity_output,
    network_output,
    slurm_group_output,
    slurm_queue_output,
    storage_output,
)
from muster.fleet.resources import Reference
from muster.infra.lustre import Lustre
from muster.infra.network import Foundation
from muster.infra.parallelcluster.cluster import ParallelCluster
from muster.infra.registry import Registry
from muster.infra.security_groups import NodesSecurityGroup

_USERS = {Os.UBUNTU2204: "ubuntu", Os.UBUNTU2404: "ubuntu", Os.ROCKY8: "rocky", Os.ROCKY9: "rocky"}
"""The users of the images of operating systems; that of the others is ec2-user (`OS_MAPPING` of ParallelCluster
3.16.1)."""


def slurm_outputs(
    blueprint: ParallelClusterBlueprint,
    around: Foundation,
    nodes: NodesSecurityGroup,
    cluster: ParallelCluster,
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
            "version": derived.version,
            "os": derived.os,
            "image": derived.image,
            "stack": cluster.cluster_stack,
            "providerStack": cluster.stack,
        },
        "headNode": _head_node(blueprint, cluster),
        "nodeGroups": {
            group.name: {**slurm_group_output(group, blueprint), "capacity": _capacity(group, around, cluster)}
            for group in blueprint.groups
        },
        "queues": {each.name: slurm_queue_output(each, blueprint) for each in blueprint.queues},
        "network": network_output(blueprint, around, {"nodes": nodes.id}),
        "storage": {
            each.name: storage_output(each, storage.get(each.name), mountDirectory=f"/{each.name}")
            for each in blueprint.storage
        },
        "registry": registry.url if registry else None,
        "buckets": {"template": cluster.template_bucket} if cluster.template_bucket else {},
        "logGroups": {
            # A prefix: ParallelCluster adds the minute of creation, which is no output (`CW_LOG_GROUP_NAME_PREFIX` and
            # `cluster_stack.py` of 3.16.1).
            "nodes": f"/aws/parallelcluster/{blueprint.cluster_name}-",
            "provider": cluster.provider_log_group,
        },
        "validationMessages": cluster.validation_messages,
    }


def _head_node(blueprint: ParallelClusterBlueprint, cluster: ParallelCluster) -> dict[str, Any]:
    head = blueprint.described.head
    public = cluster.public_address if head.subnets is Tier.PUBLIC else None
    address = cluster.private_address if public is None else public
    user = _USERS.get(blueprint.described.os, "ec2-user")
    return {
        "instanceType": head.instance,
        "instanceId": cluster.head_node,
        "privateAddress": cluster.private_address,
        "publicAddress": public,
        "zone": _head_zone(blueprint),
        "user": user,
        "session": cluster.head_node.apply(
            lambda instance: f"aws ssm start-session --region {blueprint.region} --target {instance}"
        ),
        "ssh": address.apply(lambda known: f"ssh {user}@{known}") if cluster.key_pair else None,
        "keyPair": cluster.key_pair,
    }


def _head_zone(blueprint: ParallelClusterBlueprint) -> str | None:
    subnet = blueprint.subnets.get(str(blueprint.head.subnet))
    return subnet.zone if subnet else None


def _capacity(group: ParallelClusterGroup, around: Foundation, cluster: ParallelCluster) -> dict[str, Any]:
    """The output of a group's capacity. It names an existing placement group; ParallelCluster names those it
    creates."""
    target, placement = group.resource.target, group.resource.placement
    return capacity_output(
        group.described.capacity,
        reservation=_id(target.reservation, around),
        reservation_group=cluster.reservation_groups.get(group.name) or _id(target.group, around),
        placement_group=placement.name if isinstance(placement.name, str) else None,
    )


def _id(reference: Reference | None, around: Foundation) -> pulumi.Input[str] | None:
    return None if reference is None else around.id(reference)
