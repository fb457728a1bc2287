"""A group's capacity: target, market, placement group, and the resources that Muster creates for it; and what launch
templates set."""

from dataclasses import replace
from typing import NamedTuple

from muster.blueprint.group import PlacementGroup
from muster.config.description.capacity import NO_PLACEMENT_GROUP, Provider
from muster.config.description.group import Group
from muster.config.description.node_group import Purpose
from muster.fleet.resources import (
    CapacityBlockPurchase,
    CapacityTarget,
    LaunchTemplate,
    Place,
    Ref,
    Reference,
    ReservationGroup,
)
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import GENERIC, POOL, RESERVATION_TYPE
from muster.hardware.ami import LINUX
from muster.unknown import UNKNOWN


class CapacitySource(NamedTuple):
    """The source of a group's instances, in the terms of EC2 and EKS."""

    target: CapacityTarget
    market_type: str | None
    capacity_type: str
    """A managed group's."""
    reservation_group: ReservationGroup | None = None
    """One that Muster makes."""
    purchase: CapacityBlockPurchase | None = None


def capacity_source(name: str, described: Group, at: str, platform: str = LINUX) -> CapacitySource:
    """The capacity of a group.

    A self-managed group has spot in its template; a managed one leaves that to EKS (`capacityType`), and PCS sets it
    from `purchaseOption`. A Capacity Block needs its market type in the template of each.

    Args:
        name: the group's name.
        described: the group.
        at: its place in the description.
        platform: the platform of its instances.
    """
    capacity = described.capacity
    if capacity.spot:
        return CapacitySource(CapacityTarget(), "spot" if described.self_managed else None, "SPOT")
    if capacity.reservation:
        return CapacitySource(CapacityTarget(reservation=capacity.reservation.id), None, "ON_DEMAND")
    if capacity.reservation_group:
        made = _reservation_group(name, described, at)
        group: Reference | None = made.ref if made else capacity.reservation_group.arn
        # A full group, unlike a full reservation, silently launches on-demand without this preference (EC2 guide,
        # "Use Capacity Reservation groups").
        target: CapacityTarget = CapacityTarget(preference="capacity-reservations-only", group=group)
        return CapacitySource(target, None, "ON_DEMAND", reservation_group=made)
    if capacity.capacity_block:
        bought = _purchase(described, at, platform)
        block: Reference | None = bought.ref if bought else capacity.capacity_block.id
        return CapacitySource(CapacityTarget(reservation=block), "capacity-block", "CAPACITY_BLOCK", purchase=bought)
    return CapacitySource(CapacityTarget(), None, "ON_DEMAND")


def _reservation_group(name: str, described: Group, at: str) -> ReservationGroup | None:
    wanted = described.capacity.reservation_group
    if wanted is None or wanted.create is None:
        return None
    return ReservationGroup(
        ref=Ref(types.RESOURCE_GROUP, name),
        configurations=frozenset({POOL, GENERIC}),
        allowed=frozenset({RESERVATION_TYPE}),
        members=tuple(sorted(wanted.create)),
        place=Place(f"{at}.capacity.reservation-group"),
    )


def _purchase(described: Group, at: str, platform: str) -> CapacityBlockPurchase | None:
    block = described.capacity.capacity_block
    if block is None or block.buy is None:
        return None
    # Only the offering names it: a group that is renamed, or changes its kind, does not buy it again.
    offering, approved = block.buy.offering, block.buy.approved
    return CapacityBlockPurchase(
        ref=Ref(types.CAPACITY_BLOCK, offering),
        offering=offering,
        approved_by=approved.by if approved else None,
        approved_offering=approved.offering if approved else None,
        place=Place(f"{at}.capacity.capacity-block.buy"),
        platform=platform,
    )


def placement_group(name: str, described: Group, name_stem: str, *, efa: bool) -> PlacementGroup | None:
    """The placement group of a group. It follows from the reservation's provider (`Provider`), never from EFA alone.

    On-demand training groups get one that Muster creates: EFA works best between instances that are close together (EC2
    guide, "EFA: get started"). Capacity Blocks have none.
    """
    ours = PlacementGroup(f"{name_stem}-{name}", create=True)
    if described.capacity.capacity_block:
        return None
    reservation = described.capacity.on_demand_reservation
    if reservation is None:
        return ours if efa and described.purpose is Purpose.TRAINING else None
    if reservation.provided_by is Provider.AWS or reservation.placement_group == NO_PLACEMENT_GROUP:
        return None
    return PlacementGroup(reservation.placement_group, create=False) if reservation.placement_group else ours


def with_settings(template: LaunchTemplate, *also: str) -> LaunchTemplate:
    """A launch template with the names of the properties that it sets.

    Args:
        template: the template.
        also: properties that the blueprint does not have.
    """
    values = {
        "instanceType": template.instance,
        "imageId": template.image,
        "networkInterfaces": template.interfaces,
        "vpcSecurityGroupIds": template.security_groups,
        "capacityReservationSpecification": template.target.has_target,
        "instanceMarketOptions": template.market_type,
        "placement": template.placement_group,
        "keyName": template.key_pair,
        "userData": template.user_data,
    }
    given = (name for name, value in values.items() if value is UNKNOWN or value)
    return replace(template, settings=frozenset({"metadataOptions", "tagSpecifications", *also, *given}))
