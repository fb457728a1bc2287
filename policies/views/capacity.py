"""Reservations, groups of them, Capacity Blocks and placement groups as judged things."""

from collections.abc import Iterable, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import (
    CapacityBlockPurchase,
    CapacityReservation,
    Place,
    PlacementGroup,
    Reference,
    ReservationGroup,
)
from muster.fleet.resources.ec2 import ALLOWED_TYPES, APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.resources.ref import CAPACITY_RESERVATION, PLACEMENT_GROUP, RESOURCE_GROUP
from muster.policies.views.references import References, block, blocks, integer, known_items, text_list
from muster.unknown import UNKNOWN, UnknownType

MEMBER = "aws:resourcegroups/resource:Resource"


def placement_group(resource: Registration, references: References) -> PlacementGroup[UnknownType]:
    """Reads a placement group's inputs."""
    name, strategy = resource.inputs.get("name"), resource.inputs.get("strategy")
    return PlacementGroup(references.ref(resource), name, strategy, Place(resource.urn))


def capacity_reservation(resource: Registration, references: References) -> CapacityReservation[UnknownType]:
    """Reads an On-Demand Capacity Reservation's inputs."""
    inputs = resource.inputs
    group = references.one(inputs.get("placementGroupArn"), resource, "placementGroupArn", (PLACEMENT_GROUP,))
    return CapacityReservation(
        ref=references.ref(resource),
        instance=inputs.get("instanceType"),
        zone=inputs.get("availabilityZone"),
        count=integer(inputs.get("instanceCount")),
        placement_group=group,
        starts=inputs.get("startDate"),
        place=Place(resource.urn),
        platform=inputs.get("instancePlatform"),
        tenancy=inputs.get("tenancy"),
    )


def capacity_block_purchase(resource: Registration, references: References) -> CapacityBlockPurchase[UnknownType]:
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
) -> ReservationGroup[UnknownType] | None:
    """Reads a resource group that is configured for EC2, and the program's entries in it; None for other groups."""
    entries = blocks(resource.inputs.get("configurations"))
    kinds = UNKNOWN if entries is UNKNOWN else [entry.get("type") for entry in entries]
    if entries is UNKNOWN or kinds is UNKNOWN or UNKNOWN in kinds:
        inside = _members(resource, references, members)
        return ReservationGroup(references.ref(resource), UNKNOWN, UNKNOWN, inside, Place(resource.urn))
    types = {str(each) for each in kinds}
    if not any(each.startswith(("AWS::EC2::", "AWS::ResourceGroups::Generic")) for each in types):
        return None
    return ReservationGroup(
        ref=references.ref(resource),
        configurations=frozenset(types),
        allowed=_allowed(entries),
        members=_members(resource, references, members),
        place=Place(resource.urn),
    )


def _allowed(entries: Iterable[Mapping[str, Any]]) -> frozenset[str] | UnknownType:
    """The member types that the entries allow; unknown if an unknown parameter may list them."""
    found: set[str] = set()
    for entry in entries:
        parameters = blocks(entry.get("parameters"))
        for each in known_items(parameters):
            values = text_list(each.get("values")) if each.get("name") in (ALLOWED_TYPES, UNKNOWN) else ()
            if values is UNKNOWN or (values and each.get("name") is UNKNOWN):
                return UNKNOWN
            found |= set(values)
        if parameters is UNKNOWN:
            return UNKNOWN
    return frozenset(found)


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
