"""The cost of reservations, which are billed in full, and of instances that run on demand beside them.

A reservation costs the on-demand price of its instances, used or not, while it is provisioned (EC2 user guide,
"Capacity Reservation pricing and billing"). The number of its instances is that of the description. Blocks and training
plans are paid in advance.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from muster.blueprint.cluster import ClusterBlueprint, Group
from muster.config.description.capacity import (
    BLOCKS_CHANGE_AT,
    CapacityBlock,
    Reservation,
    ReservationGroup,
    TrainingPlan,
)
from muster.extras.cost.lines import Basis, Line, Pricing, Span
from muster.extras.cost.prices import Item, Kind, Price

_SECONDS = 3600


def nodes_of(group: Group) -> Span:
    """The number of a group's nodes."""
    count = group.described.nodes_now
    return Span(count.min, count.start, count.max)


@dataclass(frozen=True, slots=True)
class HeldCapacity:
    """Groups that use one reservation, group of reservations, block or plan, with instances of one type."""

    name: str
    """Its id or ARN; else the ids of its members, or its offering."""
    instance: str
    count: int
    """The number of its instances in the description."""
    groups: tuple[Group, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the groups that use it."""
        return tuple(group.name for group in self.groups)


def groups_on(groups: Sequence[Group], *kinds: type) -> Iterable[HeldCapacity]:
    """The groups by their capacity, in the order of the first group of each."""
    by: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        held = group.described.capacity.held
        if held is not None and isinstance(held, kinds):
            by.setdefault((_capacity_name(held), group.described.instance), []).append(group)
    for (name, instance), members in by.items():
        counts = [each.described.capacity.held.count for each in members if each.described.capacity.held]
        yield HeldCapacity(name, instance, max(counts), tuple(members))


def _capacity_name(held: Reservation | ReservationGroup | CapacityBlock | TrainingPlan) -> str:
    if isinstance(held, Reservation):
        return held.id
    if isinstance(held, TrainingPlan):
        return held.arn
    if isinstance(held, ReservationGroup):
        return held.arn or ", ".join(held.create or ())
    return held.id or (held.buy.offering if held.buy else "")


class PrepaidKind(StrEnum):
    """The kinds of capacity that are paid in advance."""

    CAPACITY_BLOCK = "capacity-block"
    TRAINING_PLAN = "training-plan"


@dataclass(frozen=True, slots=True)
class Prepaid:
    """A block, or a plan."""

    way: PrepaidKind
    name: str
    """Its id, ARN or offering."""
    instance: str
    count: int
    groups: tuple[str, ...]
    starts: datetime | None = None
    ends: datetime | None = None
    """None if the description does not state it."""
    each: Price | None = None
    """The price of a new one of its kind, per instance and hour. The price of this one was fixed at its purchase."""

    @property
    def hours(self) -> Decimal | None:
        """Its total duration."""
        if self.starts is None or self.ends is None:
            return None
        return Decimal(int((self.ends - self.starts).total_seconds())) / _SECONDS

    @property
    def worth(self) -> Decimal | None:
        """The current full price of an equal one; None if its price or its end is unknown."""
        return self.each.usd * self.count * self.hours if self.each and self.hours is not None else None


def prepaid(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Prepaid]:
    """The blocks and plans of the groups, each once."""
    for held in groups_on(blueprint.groups, CapacityBlock):
        block = held.groups[0].described.capacity.capacity_block
        assert block is not None
        price = pricing.price(Item(Kind.CAPACITY_BLOCK, held.instance))
        times = _on_day(block.starts), _on_day(block.ends)
        yield Prepaid(PrepaidKind.CAPACITY_BLOCK, held.name, held.instance, held.count, held.names, *times, price)
    for held in groups_on(blueprint.groups, TrainingPlan):
        yield Prepaid(PrepaidKind.TRAINING_PLAN, held.name, f"ml.{held.instance}", held.count, held.names)


def _on_day(day: date) -> datetime:
    """The time at which blocks start and end on a day."""
    return datetime.combine(day, BLOCKS_CHANGE_AT)


def reservation_lines(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    """One line for each reservation, and another for nodes beyond it.

    The law: a node is counted once, and reservations are counted in full. Together they are ``max(nodes, reserved)``.
    """
    for held in groups_on(blueprint.groups, Reservation, ReservationGroup):
        item, names = Item(Kind.INSTANCE, held.instance), ", ".join(held.names)
        note = f"{held.name}: billed in full, used or not, until it ends or you cancel it, by the account that owns it"
        count = Span.fixed(held.count)
        yield pricing.line(held.instance, item, count, group=names, basis=Basis.COMMITTED, note=note)
        beside = sum(map(nodes_of, held.groups), Span.fixed(0)).beyond(held.count)
        if beside.most:
            why = f"nodes beyond the {held.count} of {held.name}, which has no room for them"
            yield pricing.line(held.instance, item, beside, group=names, note=why)
