"""What holds EC2 capacity, and what places it: reservations, groups of them, Capacity Blocks, placement groups."""

from dataclasses import dataclass, field
from typing import Generic

from muster.fleet.platform import LINUX
from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import U


@dataclass(frozen=True, slots=True)
class PlacementGroup(Generic[U]):
    """An EC2 placement group."""

    ref: Ref
    name: str | None | U
    strategy: str | None | U
    """``cluster``, ``spread`` or ``partition``."""
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class CapacityReservation(Generic[U]):
    """An On-Demand Capacity Reservation that the program itself makes."""

    ref: Ref
    instance: str | None | U
    zone: str | None | U
    count: int | None | U
    placement_group: Reference | None | U
    starts: str | None | U
    """A future-dated reservation's start, ISO 8601; None for one that begins at once."""
    place: Place = field(compare=False)
    platform: str | None | U = None
    tenancy: str | None | U = None
    """None for the default."""


@dataclass(frozen=True, slots=True)
class ReservationGroup(Generic[U]):
    """A resource group that launch templates can target: with both configuration entries, and reservations in it."""

    ref: Ref
    configurations: frozenset[str] | U
    """Types of its configuration entries: ``AWS::EC2::CapacityReservationPool``, ``AWS::ResourceGroups::Generic``."""
    allowed: frozenset[str] | U
    """Values of ``allowed-resource-types``."""
    members: tuple[Reference, ...] | U
    """Reservations, by ARN where they are not the program's own. Sorted."""
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class CapacityBlockPurchase(Generic[U]):
    """A Capacity Block that the program buys."""

    ref: Ref
    offering: str | U
    approved_by: str | None | U
    """Its tag `muster:approved-by`."""
    approved_offering: str | None | U
    """Its tag `muster:approved-offering`: an approval is for one offering."""
    place: Place = field(compare=False)
    platform: str | U = LINUX


APPROVAL_TAG = "muster:approved-by"
APPROVED_OFFERING_TAG = "muster:approved-offering"
POOL = "AWS::EC2::CapacityReservationPool"
GENERIC = "AWS::ResourceGroups::Generic"
ALLOWED_TYPES = "allowed-resource-types"
RESERVATION_TYPE = "AWS::EC2::CapacityReservation"
