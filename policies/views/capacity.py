"""Reservations, groups of them, Capacity Blocks and placement groups as judged things."""

from collections.abc import Iterable, Mapping

from muster.fleet.resources import (
    CapacityBlockPurchase,
    CapacityReservation,
    PlacementGroup,
    Reference,
    ReservationGroup,
)
from muster.fleet.resources.ec2 import ALLOWED_TYPES, APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.resources.ref import CAPACITY_BLOCK, CAPACITY_RESERVATION, PLACEMENT_GROUP, RESOURCE_GROUP
from muster.policies.views.view import Properties, Reader, View, one, unknown
from muster.unknown import UNKNOWN, UnknownType, if_known

MEMBER = "aws:resourcegroups/resource:Resource"

placement_group = View(PlacementGroup, name="name", strategy="strategy")

capacity_reservation = View(
    CapacityReservation,
    instance="instanceType",
    zone="availabilityZone",
    count="instanceCount",
    placement_group=one("placementGroupArn", PLACEMENT_GROUP),
    starts="startDate",
    platform="instancePlatform",
    tenancy="tenancy",
)

capacity_block_purchase = View(
    CapacityBlockPurchase,
    offering="capacityBlockOfferingId",
    approved_by=f"tags.{APPROVAL_TAG}",
    approved_offering=f"tags.{APPROVED_OFFERING_TAG}",
    platform=lambda of: of.needed("instancePlatform"),
)


def reservation_group(of: Properties) -> ReservationGroup[UnknownType] | None:
    """Reads a resource group that is configured for EC2, and the program's entries in it; None for other groups."""
    types = if_known(lambda: _types(of))
    if types is not None and not any(each.startswith(("AWS::EC2::", "AWS::ResourceGroups::Generic")) for each in types):
        return None
    return _reservation_group(of)


def _types(of: Properties) -> frozenset[str]:
    return frozenset(str(entry.get("type")) for entry in of.blocks("configurations"))


def _allowed(of: Properties) -> frozenset[str]:
    """The member types that the entries allow; unknown if an unknown parameter may list them."""
    _types(of)
    parameters = [each for entry in of.blocks("configurations") for each in entry.blocks("parameters")]
    return frozenset(value for each in parameters for value in _values(each))


def _values(parameter: Properties) -> Iterable[str]:
    """The values of a parameter that lists types."""
    name = parameter.raw("name")
    values = parameter.texts("values") if name in (ALLOWED_TYPES, UNKNOWN) else ()
    return values if name is not UNKNOWN or not values else unknown()


def _members(of: Properties) -> tuple[Reference, ...]:
    entries = [each for each in of.others() if each.named("groupArn", RESOURCE_GROUP) == of.ref]
    named = {each.one("resourceArn", CAPACITY_RESERVATION) for each in entries}
    return tuple(sorted((each for each in named if each is not None), key=str))


_reservation_group = View(ReservationGroup, configurations=_types, allowed=_allowed, members=_members)

VIEWS: Mapping[str, Reader] = {
    PLACEMENT_GROUP: placement_group,
    CAPACITY_RESERVATION: capacity_reservation,
    CAPACITY_BLOCK: capacity_block_purchase,
    RESOURCE_GROUP: reservation_group,
}
BESIDE = {RESOURCE_GROUP: {MEMBER: "groupArn"}}
