"""The resources of a group's capacity: a placement group, a group of reservations."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.group import EksGroup
from muster.fleet.resources import ReservationGroup
from muster.fleet.resources.ec2 import ALLOWED_TYPES, GENERIC, POOL, RESERVATION_TYPE
from muster.infra.component import tags
from muster.infra.network import Foundation

if TYPE_CHECKING:
    from muster.blueprint.group import PcsGroup


@dataclass(frozen=True, slots=True)
class GroupCapacity:
    """The values for a launch template."""

    placement_group: pulumi.Input[str] | None
    """Its name."""
    reservation: pulumi.Input[str] | None
    """The id of a reservation or of a Capacity Block."""
    reservation_group: pulumi.Input[str] | None
    """The ARN of a group of reservations."""
    ready: tuple[pulumi.Resource, ...] = ()
    """The resources that must exist before an instance launches: the reservations in their group."""


def group_capacity(
    group: "EksGroup | PcsGroup", blueprint: ClusterBlueprint, around: Foundation, below: pulumi.ResourceOptions
) -> GroupCapacity:
    """Creates the resources that the description requests, and refers to those that exist."""
    target = group.template.target
    reserved: Any = target.reservation
    reservation: pulumi.Input[str] | None = None if reserved is None else around.id(reserved)
    reservations: pulumi.Input[str] | None = target.group if isinstance(target.group, str) else None
    ready: tuple[pulumi.Resource, ...] = ()
    if group.reservation_group:
        made, ready = reservation_group(group.reservation_group, group.made_as, blueprint, below)
        reservations = made.arn
    return GroupCapacity(_placement_group(group, blueprint, below), reservation, reservations, ready)


def _placement_group(
    group: "EksGroup | PcsGroup", blueprint: ClusterBlueprint, below: pulumi.ResourceOptions
) -> pulumi.Input[str] | None:
    placement = group.placement_group
    if placement is None or not placement.create:
        return placement.name if placement else None
    made = aws.ec2.PlacementGroup(
        group.made_as, name=placement.name, strategy="cluster", tags=tags(blueprint, group.made_as), opts=below
    )
    return made.name


def reservation_group(
    derived: ReservationGroup, name: str, blueprint: ClusterBlueprint, below: pulumi.ResourceOptions
) -> "tuple[aws.resourcegroups.Group, tuple[pulumi.Resource, ...]]":
    """A group that EC2 accepts as a target: the first entry makes it a group of reservations, and the second one keeps
    other resources out.

    Returns:
        the group, and the reservations in it, without which it launches nothing.
    """
    only_reservations = aws.resourcegroups.GroupConfigurationParameterArgs(
        name=ALLOWED_TYPES, values=[RESERVATION_TYPE]
    )
    made = aws.resourcegroups.Group(
        name,
        # Resource Groups accepts no name that begins with "aws".
        name=f"muster-{blueprint.name_stem}-{name}",
        configurations=[
            aws.resourcegroups.GroupConfigurationArgs(type=POOL),
            aws.resourcegroups.GroupConfigurationArgs(type=GENERIC, parameters=[only_reservations]),
        ],
        tags=tags(blueprint, name),
        opts=below,
    )
    return made, tuple(
        aws.resourcegroups.Resource(
            f"{name}-{str(member).rpartition('/')[2]}", group_arn=made.arn, resource_arn=str(member), opts=below
        )
        for member in derived.members
    )
