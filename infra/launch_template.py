"""Launch templates of nodes, on EKS and PCS."""

from base64 import b64encode
from typing import Any

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint, ClusterBlueprint
from muster.blueprint.disks import Disk, disks
from muster.blueprint.group import EksGroup
from muster.blueprint.user_data import user_data
from muster.fleet.resources import LaunchTemplate, NetworkInterface
from muster.infra.capacity import GroupCapacity
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import tags
from muster.infra.network import Foundation
from muster.unknown import UNKNOWN

_TAGGED = ("instance", "volume", "network-interface")
"""The resources of an instance that the template tags."""


def node_template(
    group: EksGroup,
    blueprint: Blueprint,
    cluster: ControlPlaneConnection,
    around: Foundation,
    capacity: GroupCapacity,
    below: pulumi.ResourceOptions,
    *,
    instance_profile: pulumi.Input[str] | None = None,
) -> aws.ec2.LaunchTemplate:
    """Registers the template of a group on EKS.

    Args:
        group: the group.
        blueprint: its cluster.
        cluster: the control plane it joins.
        around: the ids of the resources that it refers to.
        capacity: the values of its capacity.
        below: the group's component.
        instance_profile: that of a self-managed group. For a managed group, EKS sets the role.
    """
    return launch_template(
        group.made_as,
        group.template,
        blueprint,
        around,
        capacity,
        _user_data(group, cluster),
        below,
        iam_instance_profile=aws.ec2.LaunchTemplateIamInstanceProfileArgs(name=instance_profile)
        if instance_profile is not None
        else None,
        block_device_mappings=[_disk(each) for each in disks(group.described)],
    )


def launch_template(
    name: str,
    derived: LaunchTemplate,
    blueprint: ClusterBlueprint,
    around: Foundation,
    capacity: GroupCapacity,
    user_data: pulumi.Input[str] | None,
    below: pulumi.ResourceOptions,
    **more: Any,
) -> aws.ec2.LaunchTemplate:
    """Registers a template of the blueprint.

    Args:
        name: its logical name.
        derived: the template.
        blueprint: its cluster.
        around: the ids of the resources that it refers to.
        capacity: the values of its capacity.
        user_data: in base64.
        below: the component of its group.
        more: other arguments of the resource.
    """
    named, market = tags(blueprint, name), derived.market_type
    made: aws.ec2.LaunchTemplate = aws.ec2.LaunchTemplate(
        name,
        name_prefix=f"{blueprint.name_stem}-{name}-",
        update_default_version=True,
        image_id=derived.image,
        instance_type=derived.instance,
        key_name=derived.key_pair,
        network_interfaces=[_interface(nic, around) for nic in derived.interfaces] or None,
        vpc_security_group_ids=around.ids(derived.security_groups) or None,
        capacity_reservation_specification=_reservation(derived, capacity),
        instance_market_options=aws.ec2.LaunchTemplateInstanceMarketOptionsArgs(market_type=market) if market else None,
        placement=aws.ec2.LaunchTemplatePlacementArgs(group_name=capacity.placement_group)
        if capacity.placement_group is not None
        else None,
        metadata_options=aws.ec2.LaunchTemplateMetadataOptionsArgs(
            http_endpoint="enabled",
            http_tokens=derived.http_tokens,
            # On EKS one hop: pods cannot use the node's role. Device plugins, the CNI and the Pod Identity agent use
            # the host's network.
            http_put_response_hop_limit=derived.hop_limit,
        ),
        tag_specifications=[
            aws.ec2.LaunchTemplateTagSpecificationArgs(resource_type=kind, tags=named) for kind in _TAGGED
        ],
        user_data=user_data,
        tags=named,
        opts=below,
        **more,
    )
    return made


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


def _reservation(
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


def _disk(disk: Disk) -> aws.ec2.LaunchTemplateBlockDeviceMappingArgs:
    own = disk.volume
    return aws.ec2.LaunchTemplateBlockDeviceMappingArgs(
        device_name=disk.device,
        ebs=aws.ec2.LaunchTemplateBlockDeviceMappingEbsArgs(
            volume_type="gp3",
            volume_size=disk.gib if own else None,
            throughput=own.throughput if own else None,
            iops=own.iops if own else None,
            encrypted="true",
            delete_on_termination="true",
        ),
    )


def _interface(nic: NetworkInterface, around: Foundation) -> aws.ec2.LaunchTemplateNetworkInterfaceArgs:
    return aws.ec2.LaunchTemplateNetworkInterfaceArgs(
        network_card_index=nic.card,
        device_index=nic.device,
        interface_type=nic.type,
        security_groups=around.ids(nic.security_groups),
        subnet_id=None if nic.subnet is None else around.id(nic.subnet),
        associate_public_ip_address=None if nic.public_ip is None else str(nic.public_ip).lower(),
        delete_on_termination="true",
    )
