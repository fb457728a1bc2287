"""The instances of a cluster's groups: on demand, reserved, or paid in advance."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from muster.fleet.blueprint import ClusterBlueprint, Group, HyperPodGroup
from muster.fleet.cost.amounts import Span
from muster.fleet.cost.line import Basis, Line, Pricing
from muster.fleet.cost.prepaid import Prepaid, Way, on_day
from muster.fleet.description.capacity import CapacityBlock, Reservation, ReservationGroup, TrainingPlan
from muster.fleet.prices import Item, Kind


def nodes_of(group: Group) -> Span:
    """How many nodes a group has."""
    count = group.described.nodes_now
    return Span(count.min, count.start, count.max)


@dataclass(frozen=True, slots=True)
class _Held:
    """Groups on one thing that holds instances of one type."""

    name: str
    """Its id, ARN, or what it is made of."""
    instance: str
    count: int
    groups: tuple[Group, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The groups on it."""
        return tuple(group.name for group in self.groups)


def instances(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    """What the groups' instances cost, but for those that are paid in advance.

    A reservation is one line, whoever is on it: EC2 bills what it holds, used or not.
    """
    for group in blueprint.groups:
        if group.described.capacity.held is None:
            yield _on_demand(group, pricing)
    for held in _together(blueprint.groups, Reservation, ReservationGroup):
        count = sum(map(nodes_of, held.groups), Span.fixed(0)).at_least(_observed(blueprint, held))
        yield pricing.line(
            held.instance,
            Item(Kind.INSTANCE, held.instance),
            count,
            group=", ".join(held.names),
            basis=Basis.COMMITTED,
            note=f"{held.name}: billed while it exists, used or not",
        )


def _observed(blueprint: ClusterBlueprint, held: _Held) -> int:
    """How many a reservation holds: as AWS said, else as the description says."""
    known = blueprint.facts.reservations.get(held.name) if blueprint.facts else None
    return known.total_instances if known and known.total_instances is not None else held.count


def _on_demand(group: Group, pricing: Pricing) -> Line:
    machine = group.described.instance
    kind = Kind.HYPERPOD if isinstance(group, HyperPodGroup) else Kind.INSTANCE
    item = Item(kind, machine)
    if group.described.capacity.spot is None:
        return pricing.line(group.described.instance_type, item, nodes_of(group), group=group.name)
    most = pricing.price(item)
    bound = f"; on demand it is ${most.usd:f} an hour" if most else ""
    note = f"Spot prices change by the hour and zone{bound}"
    return Line(group.described.instance_type, item, nodes_of(group), None, group.name, Basis.SPOT, note=note)


def prepaid(blueprint: ClusterBlueprint, pricing: Pricing, as_of: date) -> Iterator[Prepaid]:
    """The blocks and plans that groups are on, each once."""
    for held in _together(blueprint.groups, CapacityBlock):
        block = held.groups[0].described.capacity.capacity_block
        assert block is not None
        yield Prepaid(
            Way.CAPACITY_BLOCK,
            held.name,
            held.instance,
            held.count,
            held.names,
            as_of,
            on_day(block.starts),
            on_day(block.ends),
            to_buy=block.buy is not None,
            each=pricing.price(Item(Kind.CAPACITY_BLOCK, held.instance)),
        )
    for held in _together(blueprint.groups, TrainingPlan):
        ends = _plan_ends(blueprint, held.name)
        yield Prepaid(Way.TRAINING_PLAN, held.name, f"ml.{held.instance}", held.count, held.names, as_of, ends=ends)


def _plan_ends(blueprint: ClusterBlueprint, arn: str) -> datetime | None:
    known = blueprint.facts.training_plans.get(arn) if blueprint.facts else None
    return known.end if known else None


def _together(groups: Sequence[Group], *kinds: type) -> Iterable[_Held]:
    """Groups by what holds their instances, in the order of the first."""
    by: dict[tuple[str, str], list[Group]] = {}
    for group in groups:
        held = group.described.capacity.held
        if held is not None and isinstance(held, kinds):
            by.setdefault((_name(held), group.described.instance), []).append(group)
    for (name, instance), members in by.items():
        counts = [each.described.capacity.held.count for each in members if each.described.capacity.held]
        yield _Held(name, instance, max(counts), tuple(members))


def _name(held: Reservation | ReservationGroup | CapacityBlock | TrainingPlan) -> str:
    if isinstance(held, Reservation):
        return held.id
    if isinstance(held, TrainingPlan):
        return held.arn
    if isinstance(held, ReservationGroup):
        return held.arn or ", ".join(held.create or ())
    return held.id or (held.buy.offering if held.buy else "")
