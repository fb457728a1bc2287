"""A compute node group of AWS PCS with its launch template and its capacity."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pulumi
import pulumi_aws_native as native

from muster.blueprint.cluster import PcsBlueprint, ServiceNodes
from muster.blueprint.derive.pcs import before_of, user_data
from muster.blueprint.group import Group, PcsGroup
from muster.fleet.resources import ComputeNodeGroup
from muster.infra.capacity import GroupCapacity, group_capacity
from muster.infra.component import Component, tags
from muster.infra.file_system import FileSystem
from muster.infra.launch_template import latest_of, launch_template
from muster.infra.network import Foundation
from muster.unknown import UNKNOWN

if TYPE_CHECKING:
    from muster.infra.pcs.cluster import PcsController

_NO_CAPACITY = GroupCapacity(None, None, None)


class PcsNodeGroup(Component):
    """One compute node group. PCS makes a launch template of its own from this one, and keeps both in step (PCS user
    guide, "Using Amazon EC2 launch templates with AWS PCS")."""

    def __init__(
        self,
        group: PcsGroup | ServiceNodes[ComputeNodeGroup],
        blueprint: PcsBlueprint,
        around: Foundation,
        cluster: "PcsController",
        profile_arn: pulumi.Input[str],
        storage: Mapping[str, FileSystem],
        needed: Sequence[pulumi.Resource],
    ) -> None:
        """Registers it.

        Args:
            group: the group.
            blueprint: its cluster.
            around: the network, the security group of all nodes, and the Capacity Blocks that Muster buys.
            cluster: the controller.
            profile_arn: the ARN of the instance profile.
            storage: the file systems that Muster creates, by name.
            needed: the resources that must exist before the first node starts.
        """
        super().__init__(group.name)
        derived = group.resource
        capacity = group_capacity(group, blueprint, around, self.below()) if isinstance(group, Group) else _NO_CAPACITY
        assert group.template is not None, "nodes of PCS have one"
        at_boot = _user_data(group, blueprint, storage)
        template = launch_template(group.name, group.template, blueprint, around, capacity, at_boot, self.below())
        spot = derived.capacity_type == "SPOT"
        made = native.pcs.ComputeNodeGroup(
            group.name,
            name=derived.name,
            cluster_id=cluster.id,
            ami_id=derived.image,
            iam_instance_profile_arn=profile_arn,
            instance_configs=[
                native.pcs.ComputeNodeGroupInstanceConfigArgs(instance_type=each) for each in derived.instance_types
            ],
            subnet_ids=around.ids(derived.subnets),
            purchase_option=native.pcs.ComputeNodeGroupPurchaseOption(str(derived.capacity_type)),
            spot_options=native.pcs.SpotOptionsPropertiesArgs(
                allocation_strategy=native.pcs.ComputeNodeGroupSpotOptionsPropertiesAllocationStrategy.CAPACITY_OPTIMIZED
            )
            if spot
            else None,
            custom_launch_template=native.pcs.CustomLaunchTemplatePropertiesArgs(
                template_id=template.id, version=latest_of(template)
            ),
            scaling_configuration=native.pcs.ScalingConfigurationPropertiesArgs(
                min_instance_count=derived.nodes_min, max_instance_count=derived.nodes_max
            ),
            slurm_configuration=custom_settings(derived.settings),
            tags=tags(blueprint, group.name),
            opts=self.below(
                provider=cluster.provider, depends_on=[*capacity.ready, *needed], delete_before_replace=True
            ),
        )
        self.id: pulumi.Output[str] = made.aws_id
        self.capacity = capacity
        self.register_outputs({"id": self.id})


def custom_settings(settings: tuple[tuple[str, str], ...]) -> native.pcs.SlurmConfigurationPropertiesArgs | None:
    """Custom Slurm settings of a queue or a compute node group; None if there are none."""
    if not settings:
        return None
    return native.pcs.SlurmConfigurationPropertiesArgs(
        slurm_custom_settings=[
            native.pcs.QueueSlurmCustomSettingArgs(parameter_name=key, parameter_value=value) for key, value in settings
        ]
    )


def _user_data(
    group: PcsGroup | ServiceNodes[ComputeNodeGroup], blueprint: PcsBlueprint, storage: Mapping[str, FileSystem]
) -> pulumi.Input[str] | None:
    """User data in base64. The addresses of file systems that Muster creates are known only once they exist."""
    assert group.template is not None, "nodes of PCS have one"
    if group.template.user_data is not UNKNOWN:
        return group.template.user_data
    mounted = {each.name: storage.get(each.name) or each.file_system for each in blueprint.storage}
    kinds = {each.name: each.kind for each in blueprint.storage}
    addresses: Any = {name: [each.dns_name, each.mount_name] for name, each in mounted.items()}
    encoded: pulumi.Output[str] = pulumi.Output.all(**addresses).apply(
        lambda known: user_data(kinds, known, before_of(group.described))
    )
    return encoded
