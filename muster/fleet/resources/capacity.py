"""What holds EC2 capacity, and what places it: reservations, groups of them, Capacity Blocks, placement groups."""

from dataclasses import dataclass, field

from muster.fleet.platform import LINUX
from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import UnknownType


@dataclass(frozen=True, slots=True)
class PlacementGroup:
    """An EC2 placement group."""

    ref: Ref
    name: str | None | UnknownType
    strategy: str | None | UnknownType
    """``cluster``, ``spread`` or ``partition``."""
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class CapacityReservation:
    """An On-Demand Capacity Reservation that the program itself makes."""

    ref: Ref
    instance: str | None | UnknownType
    zone: str | None | UnknownType
    count: int | None | UnknownType
    placement_group: Reference | None | UnknownType
    starts: str | None | UnknownType
    """A future-dated reservation's start, ISO 8601; None for one that begins at once."""
    place: Place = field(compare=False)
    platform: str | None | UnknownType = None
    tenancy: str | None | UnknownType = None
    """None for the default."""


@dataclass(frozen=True, slots=True)
class ReservationGroup:
    """A resource group that launch templates can target: with both configuration entries, and reservations in it."""

    ref: Ref
    configurations: frozenset[str] | UnknownType
    """Types of its configuration entries: ``AWS::EC2::CapacityReservationPool``, ``AWS::ResourceGroups::Generic``."""
    allowed: frozenset[str] | UnknownType
    """Values of ``allowed-resource-types``."""
    members: tuple[Reference, ...] | UnknownType
    """Reservations, by ARN where they are not the program's own. Sorted."""
    place: Place = field(compare=False)


@dataclass(frozen=True, slots=True)
class CapacityBlockPurchase:
    """A Capacity Block that the program buys."""

    ref: Ref
    offering: str | UnknownType
    approved_by: str | None | UnknownType
    """Its tag `muster:approved-by`."""
    approved_offering: str | None | UnknownType
    """Its tag `muster:approved-offering`: an approval is for one offering."""
    place: Place = field(compare=False)
    platform: str | UnknownType = LINUX


APPROVAL_TAG = "muster:approved-by"
APPROVED_OFFERING_TAG = "muster:approved-offering"
POOL = "AWS::EC2::CapacityReservationPool"
GENERIC = "AWS::ResourceGroups::Generic"
ALLOWED_TYPES = "allowed-resource-types"
RESERVATION_TYPE = "AWS::EC2::CapacityReservation"
