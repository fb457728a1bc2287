"""An Auto Scaling group of nodes: for what managed node groups do not take."""

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
from muster.fleet.iam import name_prefix

_UNCHANGED = -1
"""What a scheduled action leaves as it is."""


class SelfManagedNodeGroup(Component):
    """One group of the blueprint, in an Auto Scaling group.

    What EKS does for a managed group is done here: the instance profile, the nodes' access entry, what they are told at
    boot, the end of a Capacity Block. Nodes that run keep their template: a refresh would end them without draining
    (`aws autoscaling start-instance-refresh`, when no job runs).
    """

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
        self._group, self._blueprint = group, blueprint
        role = node_role(group, blueprint, self.below())
        profile = aws.iam.InstanceProfile(
            group.made_as,
            name_prefix=name_prefix(blueprint.name_stem, group.made_as),
            role=role.role.name,
            tags=tags(blueprint, group.made_as),
            opts=self.below(),
        )
        # Nodes with a role that has no entry are turned away. EKS makes this one for managed groups only.
        entry = aws.eks.AccessEntry(
            group.made_as,
            cluster_name=cluster.name,
            principal_arn=role.arn,
            type="EC2_LINUX",
            tags=tags(blueprint, group.made_as),
            opts=self.below(),
        )
        capacity = group_capacity(group, blueprint, around, self.below())
        template = node_template(group, blueprint, cluster, efa, capacity, self.below(), instance_profile=profile.name)
        derived, described = group.node_group, group.described
        self.group = aws.autoscaling.Group(
            group.made_as,
            name_prefix=f"{blueprint.name_stem}-{group.made_as}-",
            vpc_zone_identifiers=around.ids(derived.subnets),
            launch_template=aws.autoscaling.GroupLaunchTemplateArgs(id=template.id, version=latest_of(template)),
            min_size=derived.nodes_min,
            desired_capacity=derived.nodes_start,
            max_size=derived.nodes_max,
            # `up` does not wait for capacity that comes when it comes.
            wait_for_capacity_timeout="0",
            # Rebalancing would end nodes in the middle of a job.
            suspended_processes=["AZRebalance"],
            tags=self._tags(),
            opts=self.below(
                # Large instances shut down slowly.
                custom_timeouts=pulumi.CustomTimeouts(delete="45m"),
                depends_on=[entry, *role.attachments, *(efa.rules if efa else ()), *capacity.ready, *depends_on],
                ignore_changes=None if group.decides_size else ["desiredCapacity"],
                delete_before_replace=described.capacity.held is not None or None,
            ),
        )
        self._schedule()
        self.role_arn = role.arn
        self.capacity = capacity
        self.auto_scaling_group: pulumi.Output[str] = self.group.name
        self.register_outputs({"roleArn": self.role_arn})

    def _tags(self) -> list[aws.autoscaling.GroupTagArgs]:
        """`kubernetes.io/cluster/NAME` says whose nodes they are; the rest tells a cluster autoscaler what a node would
        be like before there is one."""
        name = self._blueprint.cluster_name
        node = "k8s.io/cluster-autoscaler/node-template"
        told = {
            **tags(self._blueprint, self._group.made_as),
            f"kubernetes.io/cluster/{name}": "owned",
            **{f"{node}/label/{key}": value for key, value in sorted(self._group.labels.items())},
            **{f"{node}/taint/{taint.key}": f"{taint.value}:{taint.effect}" for taint in sorted(self._group.taints)},
        }
        return [
            aws.autoscaling.GroupTagArgs(key=key, value=value, propagate_at_launch=key.startswith("kubernetes.io/"))
            for key, value in told.items()
        ]

    def _schedule(self) -> None:
        """Down to no nodes before the Capacity Block ends: EC2 then takes them back, whatever runs on them."""
        for moment in self._group.node_group.zero_at:
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
