"""Reservations, groups of them, Capacity Blocks and placement groups as judged things."""

from collections.abc import Iterable

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    CapacityBlockPurchase,
    CapacityReservation,
    Place,
    PlacementGroup,
    Reference,
    ReservationGroup,
)
from muster.fleet.resources.capacity import ALLOWED_TYPES, APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.resources.place import CAPACITY_RESERVATION, PLACEMENT_GROUP, RESOURCE_GROUP
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.references import References, block, blocks, known, texts, whole

MEMBER = "aws:resourcegroups/resource:Resource"


def placement_group(resource: Registration, references: References) -> PlacementGroup:
    """Reads a placement group's inputs."""
    name, strategy = resource.inputs.get("name"), resource.inputs.get("strategy")
    return PlacementGroup(references.ref(resource), name, strategy, Place(resource.urn))


def capacity_reservation(resource: Registration, references: References) -> CapacityReservation:
    """Reads an On-Demand Capacity Reservation's inputs."""
    inputs = resource.inputs
    group = references.one(inputs.get("placementGroupArn"), resource, "placementGroupArn", (PLACEMENT_GROUP,))
    return CapacityReservation(
        ref=references.ref(resource),
        instance=inputs.get("instanceType"),
        zone=inputs.get("availabilityZone"),
        count=whole(inputs.get("instanceCount")),
        placement_group=group,
        starts=inputs.get("startDate"),
        place=Place(resource.urn),
        platform=inputs.get("instancePlatform"),
        tenancy=inputs.get("tenancy"),
    )


def capacity_block_purchase(resource: Registration, references: References) -> CapacityBlockPurchase:
    """Reads the purchase of a Capacity Block."""
    tags = block(resource.inputs, "tags")
    return CapacityBlockPurchase(
        ref=references.ref(resource),
        offering=resource.inputs.get("capacityBlockOfferingId", UNKNOWN),
        approved_by=tags.get(APPROVAL_TAG),
        approved_offering=tags.get(APPROVED_OFFERING_TAG),
        place=Place(resource.urn),
        platform=resource.inputs.get("instancePlatform", UNKNOWN),
    )


def reservation_group(
    resource: Registration, references: References, members: Iterable[Registration]
) -> ReservationGroup | None:
    """Reads a resource group that is configured for EC2, and the program's entries in it; other groups are none of
    ours."""
    entries = blocks(resource.inputs.get("configurations"))
    if entries is UNKNOWN:
        inside = _members(resource, references, members)
        return ReservationGroup(references.ref(resource), UNKNOWN, UNKNOWN, inside, Place(resource.urn))
    types = {str(entry.get("type")) for entry in entries}
    if not any(each.startswith(("AWS::EC2::", "AWS::ResourceGroups::Generic")) for each in types):
        return None
    parameters = [each for entry in entries for each in known(blocks(entry.get("parameters")))]
    allowed = [texts(each.get("values")) for each in parameters if each.get("name") == ALLOWED_TYPES]
    return ReservationGroup(
        ref=references.ref(resource),
        configurations=frozenset(types),
        allowed=UNKNOWN if UNKNOWN in allowed else frozenset(value for each in allowed for value in known(each)),
        members=_members(resource, references, members),
        place=Place(resource.urn),
    )


def _members(
    group: Registration, references: References, members: Iterable[Registration]
) -> tuple[Reference, ...] | UnknownType:
    own = references.ref(group)
    entries = [each for each in members if _group_of(each, references) == own]
    named = [
        references.one(each.inputs.get("resourceArn"), each, "resourceArn", (CAPACITY_RESERVATION,)) for each in entries
    ]
    if any(each is UNKNOWN for each in named):
        return UNKNOWN
    return tuple(sorted({each for each in named if each is not None and each is not UNKNOWN}, key=str))


def _group_of(member: Registration, references: References) -> object:
    return references.one(member.inputs.get("groupArn"), member, "groupArn", (RESOURCE_GROUP,))
