"""The launch template of a group's nodes."""

from base64 import b64encode
from collections.abc import Mapping

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint
from muster.blueprint.group import EksGroup
from muster.blueprint.logical_names import EFA_GROUP_REF
from muster.blueprint.user_data import user_data
from muster.fleet.resources import LaunchTemplate, NetworkInterface, Reference
from muster.hardware.ami import Family
from muster.infra.capacity import GroupCapacity
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import tags
from muster.infra.security_groups import EfaSecurityGroup
from muster.unknown import UNKNOWN

_ROOT_DEVICE = "/dev/xvda"
"""The root device of EKS's AL2023 images, and Bottlerocket's small one with the operating system."""
_BOTTLEROCKET_DATA = "/dev/xvdb"
"""The device on which Bottlerocket stores images, logs and temporary data: the volume whose size matters."""
TAGGED = ("instance", "volume", "network-interface")
"""The resources of an instance that the template tags."""


def node_template(
    group: EksGroup,
    blueprint: Blueprint,
    cluster: ControlPlaneConnection,
    efa: EfaSecurityGroup | None,
    capacity: GroupCapacity,
    below: pulumi.ResourceOptions,
    *,
    instance_profile: pulumi.Input[str] | None = None,
) -> aws.ec2.LaunchTemplate:
    """Registers the template of a group.

    Args:
        group: the group.
        blueprint: its cluster.
        cluster: the control plane it joins.
        efa: the security group of EFA traffic, if any group has EFA.
        capacity: the values of its capacity.
        below: the group's component.
        instance_profile: that of a self-managed group. For a managed group, EKS sets the role.
    """
    derived, named = group.template, tags(blueprint, group.made_as)
    ids: dict[Reference, pulumi.Input[str]] = {
        blueprint.cluster.ref: cluster.security_group,
        **({EFA_GROUP_REF: efa.id} if efa else {}),
    }
    profile = (
        aws.ec2.LaunchTemplateIamInstanceProfileArgs(name=instance_profile) if instance_profile is not None else None
    )
    return aws.ec2.LaunchTemplate(
        group.made_as,
        name_prefix=f"{blueprint.name_stem}-{group.made_as}-",
        update_default_version=True,
        image_id=derived.image,
        instance_type=derived.instance,
        iam_instance_profile=profile,
        key_name=derived.key_pair,
        network_interfaces=interface_args(derived, ids),
        vpc_security_group_ids=ids_of(derived.security_groups, ids) or None,
        capacity_reservation_specification=reservation_args(derived, capacity),
        instance_market_options=market_args(derived),
        placement=placement_args(capacity),
        block_device_mappings=_disks(group),
        metadata_options=aws.ec2.LaunchTemplateMetadataOptionsArgs(
            http_endpoint="enabled",
            http_tokens=derived.http_tokens,
            # One hop: pods cannot use the node's role. Device plugins, the CNI and the Pod Identity agent use the
            # host's network.
            http_put_response_hop_limit=derived.hop_limit,
        ),
        tag_specifications=[
            aws.ec2.LaunchTemplateTagSpecificationArgs(resource_type=kind, tags=named) for kind in TAGGED
        ],
        user_data=_user_data(group, cluster),
        tags=named,
        opts=below,
    )


def latest_of(template: aws.ec2.LaunchTemplate) -> pulumi.Output[str]:
    """The template's newest version, in the format of groups: text, and never ``1.0``."""
    version: pulumi.Output[str] = template.latest_version.apply(lambda version: str(int(version)))
    return version


def _user_data(group: EksGroup, cluster: ControlPlaneConnection) -> pulumi.Input[str] | None:
    """The user data in base64. If a node needs the cluster's address, the user data is known only once the cluster
    exists."""
    if group.template.user_data is not UNKNOWN:
        return group.template.user_data
    boot = group.boot
    assert boot is not None, "nodes of EKS have it"
    encoded: pulumi.Output[str] = cluster.address.apply(
        lambda address: b64encode(user_data(boot, address).encode()).decode()
    )
    return encoded


def market_args(derived: LaunchTemplate) -> aws.ec2.LaunchTemplateInstanceMarketOptionsArgs | None:
    """The market of the instances, if it is not on-demand."""
    if derived.market_type is None:
        return None
    return aws.ec2.LaunchTemplateInstanceMarketOptionsArgs(market_type=derived.market_type)


def placement_args(capacity: GroupCapacity) -> aws.ec2.LaunchTemplatePlacementArgs | None:
    """The placement group, if there is one."""
    if capacity.placement_group is None:
        return None
    return aws.ec2.LaunchTemplatePlacementArgs(group_name=capacity.placement_group)


def reservation_args(
    derived: LaunchTemplate, capacity: GroupCapacity
) -> aws.ec2.LaunchTemplateCapacityReservationSpecificationArgs | None:
    """The reservation, or the group of reservations, that the template targets."""
    target = derived.target
    if not target.has_target:
        return None
    return aws.ec2.LaunchTemplateCapacityReservationSpecificationArgs(
        # With a reservation's id, EC2 accepts only this preference, and it changes nothing; with a resource group it
        # keeps instances from launching outside of it.
        capacity_reservation_preference=target.preference,
        capacity_reservation_target=aws.ec2.LaunchTemplateCapacityReservationSpecificationCapacityReservationTargetArgs(
            capacity_reservation_id=capacity.reservation,
            capacity_reservation_resource_group_arn=capacity.reservation_group,
        ),
    )


def _disks(group: EksGroup) -> list[aws.ec2.LaunchTemplateBlockDeviceMappingArgs]:
    volume = group.described.volume
    own = aws.ec2.LaunchTemplateBlockDeviceMappingEbsArgs(
        volume_type="gp3",
        volume_size=volume.size.gib,
        throughput=volume.throughput,
        iops=volume.iops,
        encrypted="true",
        delete_on_termination="true",
    )
    if group.described.image.family is not Family.BOTTLEROCKET:
        return [aws.ec2.LaunchTemplateBlockDeviceMappingArgs(device_name=_ROOT_DEVICE, ebs=own)]
    system = aws.ec2.LaunchTemplateBlockDeviceMappingEbsArgs(
        volume_type="gp3", encrypted="true", delete_on_termination="true"
    )
    return [
        aws.ec2.LaunchTemplateBlockDeviceMappingArgs(device_name=_ROOT_DEVICE, ebs=system),
        aws.ec2.LaunchTemplateBlockDeviceMappingArgs(device_name=_BOTTLEROCKET_DATA, ebs=own),
    ]


def interface_args(
    derived: LaunchTemplate, ids: Mapping[Reference, pulumi.Input[str]]
) -> list[aws.ec2.LaunchTemplateNetworkInterfaceArgs] | None:
    """The template's interfaces; None if it has none."""
    return [_interface(nic, ids) for nic in derived.interfaces] or None


def _interface(
    nic: NetworkInterface, ids: Mapping[Reference, pulumi.Input[str]]
) -> aws.ec2.LaunchTemplateNetworkInterfaceArgs:
    return aws.ec2.LaunchTemplateNetworkInterfaceArgs(
        network_card_index=nic.card,
        device_index=nic.device,
        interface_type=nic.type,
        security_groups=ids_of(nic.security_groups, ids),
        subnet_id=None if nic.subnet is None else ids_of((nic.subnet,), ids)[0],
        associate_public_ip_address=None if nic.public_ip is None else str(nic.public_ip).lower(),
        delete_on_termination="true",
    )


def ids_of(references: tuple[Reference, ...], ids: Mapping[Reference, pulumi.Input[str]]) -> list[pulumi.Input[str]]:
    """The ids of the resources that references name."""
    return [ids.get(each, str(each)) for each in references]
