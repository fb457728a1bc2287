"""The instances of a cluster's groups: on demand, reserved, or paid in advance."""

from collections.abc import Iterator
from datetime import datetime

from muster.fleet.blueprint import ClusterBlueprint, Group, HyperPodGroup
from muster.fleet.capacity_states import PLAN_OVER
from muster.fleet.cost.held import Held, groups_on, nodes_of
from muster.fleet.cost.line import Basis, Line, Pricing
from muster.fleet.cost.prepaid import Prepaid, Way, is_over, on_day
from muster.fleet.cost.reserved import reserved
from muster.fleet.description.capacity import CapacityBlock, TrainingPlan
from muster.fleet.facts import ReservationFacts, TrainingPlanFacts
from muster.fleet.prices import Item, Kind
from muster.fleet.reserved_count import instances_of


def instances(blueprint: ClusterBlueprint, pricing: Pricing, moment: datetime) -> Iterator[Line]:
    """What the groups' instances cost, but for those that are paid in advance."""
    for group in blueprint.groups:
        if group.described.capacity.held is None:
            yield _on_demand(group, pricing)
    yield from reserved(blueprint, pricing, moment)


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


def prepaid(blueprint: ClusterBlueprint, pricing: Pricing, moment: datetime) -> Iterator[Prepaid]:
    """The blocks and plans that groups are on, each once."""
    facts = blueprint.facts
    for held in groups_on(blueprint.groups, CapacityBlock):
        yield _block(held, facts.reservations.get(held.name) if facts else None, pricing, moment)
    for held in groups_on(blueprint.groups, TrainingPlan):
        known = facts.training_plans.get(held.name) if facts else None
        yield _plan(held, known or TrainingPlanFacts(), moment)


def _block(held: Held, known: ReservationFacts | None, pricing: Pricing, moment: datetime) -> Prepaid:
    """What AWS says of it before what the description does: extensions have another end."""
    block = held.groups[0].described.capacity.capacity_block
    assert block is not None
    said = known or ReservationFacts()
    count = instances_of(said)
    return Prepaid(
        Way.CAPACITY_BLOCK,
        held.name,
        held.instance,
        held.count if count is None else count,
        held.names,
        moment,
        said.start or on_day(block.starts),
        said.end or on_day(block.ends),
        over=is_over(said, moment),
        to_buy=block.buy is not None,
        each=pricing.price(Item(Kind.CAPACITY_BLOCK, held.instance)),
    )


def _plan(held: Held, known: TrainingPlanFacts, moment: datetime) -> Prepaid:
    """What SageMaker says of it before what the description does, which has no days."""
    over = known.exists is False or known.state in PLAN_OVER
    return Prepaid(
        Way.TRAINING_PLAN,
        held.name,
        f"ml.{held.instance}",
        held.count if known.total_instances is None else known.total_instances,
        held.names,
        moment,
        known.start,
        known.end,
        over=over,
    )
