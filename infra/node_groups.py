"""Node groups: managed ones, and Auto Scaling groups for settings that managed ones do not support."""

from collections.abc import Sequence

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import EksGroup
from muster.fleet.resources.eks import EKS_EFFECTS
from muster.infra.capacity import group_capacity
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import Component, tags
from muster.infra.launch_template import latest_of, node_template
from muster.infra.network import Foundation
from muster.infra.role import node_identity, node_role


class NodeGroup(Component):
    """One group of the blueprint, managed by EKS."""

    def __init__(
        self,
        group: EksGroup,
        blueprint: Blueprint,
        cluster: ControlPlaneConnection,
        around: Foundation,
        depends_on: list[pulumi.Resource],
    ) -> None:
        super().__init__(group.made_as)
        role = node_role(group, blueprint, self.below())
        capacity = group_capacity(group, blueprint, around, self.below())
        template = node_template(group, blueprint, cluster, around, capacity, self.below())
        derived, described = group.resource, group.described
        is_reserved = described.capacity.held is not None
        limits = {each.name: each.number for each in derived.repair_limits}
        self.group = aws.eks.NodeGroup(
            group.made_as,
            cluster_name=cluster.name,
            node_group_name_prefix=f"{group.made_as}-",
            node_role_arn=role.arn,
            version=derived.version,
            subnet_ids=around.ids(derived.subnets),
            ami_type=derived.ami_type,
            capacity_type=derived.capacity_type,
            launch_template=aws.eks.NodeGroupLaunchTemplateArgs(id=template.id, version=latest_of(template)),
            scaling_config=aws.eks.NodeGroupScalingConfigArgs(
                min_size=derived.nodes_min,
                desired_size=derived.nodes_start,
                max_size=derived.nodes_max,
            ),
            update_config=aws.eks.NodeGroupUpdateConfigArgs(
                max_unavailable=derived.max_unavailable,
                max_unavailable_percentage=derived.max_unavailable_percentage,
                update_strategy=derived.update_strategy,
            ),
            node_repair_config=aws.eks.NodeGroupNodeRepairConfigArgs(
                enabled=derived.repair,
                max_parallel_nodes_repaired_count=limits.get("maxParallelNodesRepairedCount"),
            ),
            labels=dict(sorted(group.labels.items())),
            taints=[
                aws.eks.NodeGroupTaintArgs(key=taint.key, value=taint.value, effect=EKS_EFFECTS[taint.effect])
                for taint in sorted(group.taints)
            ],
            tags=tags(blueprint, group.made_as),
            opts=self.below(
                depends_on=[*role.attachments, *capacity.ready, *depends_on],
                ignore_changes=None if group.decides_size else ["scalingConfig.desiredSize"],
                # A replacement finds no capacity while the old group uses the reservation.
                delete_before_replace=is_reserved or None,
            ),
        )
        self.role_arn = role.arn
        self.capacity = capacity
        self.auto_scaling_group: pulumi.Output[str | None] = self.group.resources.apply(_auto_scaling_group)
        self.register_outputs({"roleArn": self.role_arn})


def _auto_scaling_group(made: Sequence[aws.eks.outputs.NodeGroupResource]) -> str | None:
    """The name of the Auto Scaling group that EKS created for the group."""
    names = (each.name for resource in made for each in resource.autoscaling_groups or ())
    return next(names, None)


_UNCHANGED = -1
"""The value with which a scheduled action leaves a size unchanged."""


class SelfManagedNodeGroup(Component):
    """One group of the blueprint, in an Auto Scaling group.

    This component does what EKS does for a managed group: the instance profile, the nodes' access entry, their settings
    at boot, the end of a Capacity Block. Running nodes keep their template: an instance refresh would terminate them
    without draining (`aws autoscaling start-instance-refresh`, when no job runs).
    """

    def __init__(
        self,
        group: EksGroup,
        blueprint: Blueprint,
        cluster: ControlPlaneConnection,
        around: Foundation,
        depends_on: list[pulumi.Resource],
    ) -> None:
        super().__init__(group.made_as)
        self._group, self._blueprint = group, blueprint
        identity = node_identity(group, blueprint, cluster, self.below())
        capacity = group_capacity(group, blueprint, around, self.below())
        template = node_template(
            group, blueprint, cluster, around, capacity, self.below(), instance_profile=identity.name
        )
        derived, described = group.resource, group.described
        self.group = aws.autoscaling.Group(
            group.made_as,
            name_prefix=f"{blueprint.name_stem}-{group.made_as}-",
            vpc_zone_identifiers=around.ids(derived.subnets),
            launch_template=aws.autoscaling.GroupLaunchTemplateArgs(id=template.id, version=latest_of(template)),
            min_size=derived.nodes_min,
            desired_capacity=derived.nodes_start,
            max_size=derived.nodes_max,
            # `up` does not wait for the capacity, which may become available at any time.
            wait_for_capacity_timeout="0",
            # Rebalancing would end nodes in the middle of a job.
            suspended_processes=["AZRebalance"],
            tags=self._tags(),
            opts=self.below(
                # Large instances shut down slowly.
                custom_timeouts=pulumi.CustomTimeouts(delete="45m"),
                depends_on=[*identity.resources, *capacity.ready, *depends_on],
                ignore_changes=None if group.decides_size else ["desiredCapacity"],
                delete_before_replace=described.capacity.held is not None or None,
            ),
        )
        self._schedule()
        self.role_arn = identity.role.arn
        self.capacity = capacity
        self.auto_scaling_group: pulumi.Output[str] = self.group.name
        self.register_outputs({"roleArn": self.role_arn})

    def _tags(self) -> "list[aws.autoscaling.GroupTagArgs]":
        """The tags. `kubernetes.io/cluster/NAME` names the cluster. The others show a cluster autoscaler the properties
        of a node before one exists."""
        name = self._blueprint.cluster_name
        node = "k8s.io/cluster-autoscaler/node-template"
        wanted = {
            **tags(self._blueprint, self._group.made_as),
            f"kubernetes.io/cluster/{name}": "owned",
            **{f"{node}/label/{key}": value for key, value in sorted(self._group.labels.items())},
            **{f"{node}/taint/{taint.key}": f"{taint.value}:{taint.effect}" for taint in sorted(self._group.taints)},
        }
        return [
            aws.autoscaling.GroupTagArgs(key=key, value=value, propagate_at_launch=key.startswith("kubernetes.io/"))
            for key, value in wanted.items()
        ]

    def _schedule(self) -> None:
        """Scales the group to 0 nodes before the Capacity Block ends: EC2 then terminates the instances, whatever runs
        on them."""
        for moment in self._group.resource.zero_at:
            aws.autoscaling.Schedule(
                self._group.made_as,
                scheduled_action_name="before-the-block-ends",
                autoscaling_group_name=self.group.name,
                start_time=moment,
                min_size=0,
                desired_capacity=0,
                max_size=_UNCHANGED,
                opts=self.below(),
            )
