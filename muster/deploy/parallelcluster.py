"""A Slurm cluster on ParallelCluster: its resources, their order, and what its stack exports."""

from typing import Any

import pulumi

from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint, ParallelClusterGroup
from muster.blueprint.parallelcluster.commands import login_user, nodes_log_group_prefix, session, ssh
from muster.config.description.node_group import Tier
from muster.contract import HeadNodeOutput, SlurmCluster, SlurmIdentity
from muster.deploy.outputs import capacity_output, group_output, slurm_output
from muster.fleet.resources import Reference
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
    clients = [Clients("nodes", blueprint.nodes_security_group.ref, nodes.id)]
    storage = file_systems(blueprint, around, clients)
    cluster = ParallelCluster(blueprint, around, nodes, storage)
    registry = Registry(blueprint.described.registry, blueprint) if blueprint.described.registry else None
    logs = {"nodes": nodes_log_group_prefix(blueprint.cluster_name), "provider": cluster.provider_log_group}
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
            stack=cluster.cluster_stack,
            provider_stack=cluster.stack,
        ),
        head_node=_head_node(blueprint, cluster),
        node_groups={
            each.name: group_output(each, blueprint, capacity=_capacity(each, around, cluster))
            for each in blueprint.groups
        },
        buckets={"template": cluster.template_bucket} if cluster.template_bucket else {},
        log_groups=logs,
        validation_messages=cluster.validation_messages,
    )


def _head_node(blueprint: ParallelClusterBlueprint, cluster: ParallelCluster) -> dict[str, Any]:
    head, subnet = blueprint.described.head, blueprint.subnets.get(str(blueprint.head.subnet))
    public = cluster.public_address if head.subnets is Tier.PUBLIC else None
    address = cluster.private_address if public is None else public
    user = login_user(blueprint.described.os)
    return HeadNodeOutput.written(
        cluster,
        instance_type=head.instance,
        instance_id=cluster.head_node,
        public_address=public,
        zone=subnet.zone if subnet else None,
        user=user,
        session=cluster.head_node.apply(lambda instance: session(instance, blueprint.region)),
        ssh=address.apply(lambda known: ssh(user, known)) if cluster.key_pair else None,
    )


def _capacity(group: ParallelClusterGroup, around: Foundation, cluster: ParallelCluster) -> dict[str, Any]:
    """The output of a group's capacity. It names an existing placement group; ParallelCluster names those it
    creates."""

    def id_of(reference: Reference | None) -> pulumi.Input[str] | None:
        return None if reference is None else around.id(reference)

    target, placement = group.compute_resource.target, group.compute_resource.placement
    return capacity_output(
        group.described.capacity,
        reservation=id_of(target.reservation),
        reservation_group=cluster.reservation_groups.get(group.name) or id_of(target.group),
        placement_group=placement.name if isinstance(placement.name, str) else None,
    )
