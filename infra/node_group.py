"""A managed node group with its role, capacity and launch template."""

from collections.abc import Sequence

import pulumi
import pulumi_aws as aws

from infra.capacity import group_capacity
from infra.component import Component, tags
from infra.efa_security_group import EfaSecurityGroup
from infra.joined import Joined
from infra.node_role import node_role
from infra.node_template import latest_of, node_template
from infra.surroundings import Surroundings
from muster.fleet.blueprint import Blueprint, EksGroup
from muster.fleet.resources.node_group import EKS_EFFECTS


class NodeGroup(Component):
    """One group of the blueprint, managed by EKS."""

    def __init__(
        self,
        group: EksGroup,
        blueprint: Blueprint,
        cluster: Joined,
        around: Surroundings,
        efa: EfaSecurityGroup | None,
        depends_on: list[pulumi.Resource],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__(group.made_as, opts)
        role = node_role(group, blueprint, self.below())
        capacity = group_capacity(group, blueprint, around, self.below())
        template = node_template(group, blueprint, cluster, efa, capacity, self.below())
        derived, described = group.node_group, group.described
        held = described.capacity.held is not None
        limits = dict(derived.repair_limits)
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
                depends_on=[*role.attachments, *(efa.rules if efa else ()), *capacity.ready, *depends_on],
                ignore_changes=None if group.decides_size else ["scalingConfig.desiredSize"],
                # A group that must be made anew finds no capacity while the old one holds the reservation.
                delete_before_replace=held or None,
            ),
        )
        self.role_arn = role.arn
        self.capacity = capacity
        self.auto_scaling_group: pulumi.Output[str | None] = self.group.resources.apply(_auto_scaling_group)
        self.register_outputs({"roleArn": self.role_arn})


def _auto_scaling_group(made: Sequence[aws.eks.outputs.NodeGroupResource]) -> str | None:
    """The name of the one that EKS made for the group."""
    names = (each.name for resource in made for each in resource.autoscaling_groups or ())
    return next(names, None)
