"""Where a group's instances come from."""

from enum import StrEnum
from typing import ClassVar

from pydantic import StrictInt

from muster.fleet.description.identifiers import ReservationId
from muster.fleet.description.part import Change, Choice, Nothing, Part, field
from muster.fleet.zones import ZoneName


class Provider(StrEnum):
    """Who created a capacity reservation; it decides the placement group.

    ``aws``: delivered by AWS (a p4/p5 arrangement). It comes with its own placement: one of ours makes launches fail
    with insufficient capacity (awsome-distributed-training, `2.aws-parallelcluster/README.md`).
    ``you``: created by you. Nodes are launched in a cluster placement group with a stated name.
    """

    AWS = "aws"
    YOU = "you"


NO_PLACEMENT_GROUP = "none"
"""What `placement-group` says of a reservation that was created outside any."""


class Reservation(Part):
    """An On-Demand Capacity Reservation, by id, and what you know of it."""

    id: ReservationId = field("The reservation.", Change.DRAINS)
    zone: ZoneName = field("The zone it lives in, as its owner told you.", Change.NOTHING)
    count: StrictInt = field("How many instances it holds.", Change.NOTHING, ge=1, le=1000)
    provided_by: Provider = field("`aws` or `you`: who created it decides the placement group.", Change.DRAINS)
    placement_group: str | None = field(
        "The existing placement group the reservation was created in, or none (only `provided-by: you`); "
        "without it Muster creates one.",
        Change.DRAINS,
        default=None,
        min_length=1,
        max_length=255,
    )


class Capacity(Choice):
    """Exactly one kind of capacity."""

    bare_words: ClassVar[frozenset[str]] = frozenset({"on-demand"})

    on_demand: Nothing | None = field("Ordinary on-demand instances.", Change.DRAINS, default=None)
    reservation: Reservation | None = field("A capacity reservation, targeted by id.", Change.DRAINS, default=None)
