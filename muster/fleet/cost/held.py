"""Groups by what holds their instances, and how many nodes they have."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from muster.fleet.blueprint import Group
from muster.fleet.cost.amounts import Span
from muster.fleet.description.capacity import CapacityBlock, Reservation, ReservationGroup, TrainingPlan


def nodes_of(group: Group) -> Span:
    """How many nodes a group has."""
    count = group.described.nodes_now
    return Span(count.min, count.start, count.max)


@dataclass(frozen=True, slots=True)
class Held:
    """Groups on one thing that holds instances of one type."""

    name: str
    """Its id, ARN, or what it is made of."""
    instance: str
    count: int
    """How many it holds, as the description says."""
    groups: tuple[Group, ...]
    arns: tuple[str, ...] = ()
    """The reservations of a group that the stack makes."""

    @property
    def names(self) -> tuple[str, ...]:
        """The groups on it."""
        return tuple(group.name for group in self.groups)


def groups_on(groups: Sequence[Group], *kinds: type) -> Iterable[Held]:
    """Groups by what holds their instances, in the order of the first."""
    by: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        held = group.described.capacity.held
        if held is not None and isinstance(held, kinds):
            by.setdefault((_name(held), group.described.instance), []).append(group)
    for (name, instance), members in by.items():
        every = [each.described.capacity.held for each in members if each.described.capacity.held]
        made = next((each.create for each in every if isinstance(each, ReservationGroup) and each.create), ())
        yield Held(name, instance, max(each.count for each in every), tuple(members), tuple(made))


def _name(held: Reservation | ReservationGroup | CapacityBlock | TrainingPlan) -> str:
    if isinstance(held, Reservation):
        return held.id
    if isinstance(held, TrainingPlan):
        return held.arn
    if isinstance(held, ReservationGroup):
        return held.arn or ", ".join(held.create or ())
    return held.id or (held.buy.offering if held.buy else "")
