"""A Slurm cluster on ParallelCluster: its resources, their order, and what its stack exports."""

from typing import Any

import pulumi

from muster.blueprint.cluster import ParallelClusterBlueprint
from muster.blueprint.group import ParallelClusterGroup
from muster.blueprint.logical_names import NODES_GROUP_REF
from muster.blueprint.parallelcluster import template as names
from muster.config.description.node_group import Tier
from muster.config.description.slurm_settings import Os
from muster.contract import HeadNodeOutput, SlurmCluster, SlurmIdentity
from muster.deploy.outputs import capacity_output, group_output, slurm_output
from muster.fleet.resources import Reference
from muster.infra.file_systems import file_systems
from muster.infra.network import Foundation
from muster.infra.parallelcluster.cluster import ParallelCluster
from muster.infra.registry import Registry
from muster.infra.security_groups import NodesSecurityGroup

_USERS = {Os.UBUNTU2204: "ubuntu", Os.UBUNTU2404: "ubuntu", Os.ROCKY8: "rocky", Os.ROCKY9: "rocky"}
"""The users of the images of operating systems; that of the others is ec2-user (`OS_MAPPING` of ParallelCluster
3.16.1)."""


def slurm(blueprint: ParallelClusterBlueprint) -> dict[str, Any]:
    """A Slurm cluster, and what it exports.

    Order: the network; the group that all nodes carry; file systems with their rules; the cluster, whose head node
    mounts them when it starts. Destroy goes the other way.
    """
    around = Foundation.of(blueprint)
    nodes = NodesSecurityGroup(blueprint, around)
    around = around.with_ids({NODES_GROUP_REF: nodes.id}, nodes.rules)
    storage = file_systems(blueprint, around, {"nodes": NODES_GROUP_REF})
    cluster = ParallelCluster(blueprint, around, storage)
    registry = Registry.of(blueprint)
    return slurm_output(
        SlurmCluster,
        blueprint,
        around,
        {"nodes": nodes.id},
        registry,
        storage,
        cluster=SlurmIdentity.written(
            blueprint.cluster,
            name=blueprint.cluster_name,
            stack=cluster.output(names.CLUSTER_STACK),
            provider_stack=cluster.stack,
        ),
        head_node=_head_node(blueprint, cluster),
        node_groups={
            each.name: group_output(each, blueprint, capacity=_capacity(each, around, cluster))
            for each in blueprint.groups
        },
        buckets={"template": cluster.template_bucket} if cluster.template_bucket else {},
        log_groups={
            # A prefix: ParallelCluster adds the minute of creation, which is no output (`CW_LOG_GROUP_NAME_PREFIX` and
            # `cluster_stack.py` of 3.16.1).
            "nodes": f"/aws/parallelcluster/{blueprint.cluster_name}-",
            "provider": cluster.output(names.PROVIDERS_LOG_GROUP),
        },
        validation_messages=cluster.output(names.MESSAGES),
    )


def _head_node(blueprint: ParallelClusterBlueprint, cluster: ParallelCluster) -> dict[str, Any]:
    head, subnet = blueprint.described.head, blueprint.subnets.get(str(blueprint.head.subnet))
    public = cluster.output(names.PUBLIC_ADDRESS) if head.subnets is Tier.PUBLIC else None
    instance, private = cluster.output(names.HEAD_NODE), cluster.output(names.PRIVATE_ADDRESS)
    address = private if public is None else public
    user = _USERS.get(blueprint.described.os, "ec2-user")
    return HeadNodeOutput.written(
        cluster,
        instance_type=head.instance,
        instance_id=instance,
        private_address=private,
        public_address=public,
        zone=subnet.zone if subnet else None,
        user=user,
        session=instance.apply(lambda id_: f"aws ssm start-session --region {blueprint.region} --target {id_}"),
        ssh=address.apply(lambda known: f"ssh {user}@{known}") if cluster.key_pair else None,
    )


def _capacity(group: ParallelClusterGroup, around: Foundation, cluster: ParallelCluster) -> dict[str, Any]:
    """The output of a group's capacity. It names an existing placement group; ParallelCluster names those it
    creates."""

    def id_of(reference: Reference | None) -> pulumi.Input[str] | None:
        return None if reference is None else around.id(reference)

    target, placement = group.resource.target, group.resource.placement
    return capacity_output(
        group.described.capacity,
        reservation=id_of(target.reservation),
        reservation_group=cluster.reservation_groups.get(group.name) or id_of(target.group),
        placement_group=placement.name if isinstance(placement.name, str) else None,
    )
