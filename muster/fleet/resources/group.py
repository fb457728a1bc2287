"""What the groups of nodes of all backends have alike: what their description states, and no resource does."""

from dataclasses import dataclass, field
from typing import Generic

from muster.config.description.capacity import Capacity, Reservation, ReservationGroup
from muster.config.description.node_group import Purpose
from muster.config.description.node_settings import Scaler
from muster.fleet.resources.ref import Reference
from muster.hardware.ami import Family
from muster.size import Size
from muster.unknown import Observed, U


@dataclass(frozen=True, slots=True)
class PossibleReferences:
    """A list with members that are known only after creation: their number, and what they can be."""

    count: int
    candidates: tuple[Reference, ...]
    """Sorted; all of the list, where none of it is unknown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DescribedGroup(Observed, Generic[U]):
    """The fields that only a description has."""

    purpose: Purpose | None = field(default=None, compare=False)
    capacity: Capacity | None = field(default=None, compare=False)
    """A resource carries only ids of it."""
    scaled_by: Scaler | None = field(default=None, compare=False)
    """Who moves the number of nodes."""
    zone: str | None = field(default=None, compare=False)
    """The zone that it asks for."""
    named_subnets: bool = field(default=False, compare=False)
    """Whether it names its subnets."""
    family: Family | None = field(default=None, compare=False)
    """The operating system of its nodes."""
    huge_pages: Size | None = field(default=None, compare=False)
    """What is set aside of each instance's memory."""
    subnets_among: PossibleReferences | None = field(default=None, compare=False)
    """If the subnets are not known: what is still known about them."""

    @property
    def reservation(self) -> Reservation | ReservationGroup | None:
        """Its On-Demand Capacity Reservations."""
        return self.capacity.on_demand_reservation if self.capacity else None
