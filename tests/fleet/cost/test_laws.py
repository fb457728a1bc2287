"""Laws of costs: on random legal clusters of every backend, and on random prices."""

from datetime import date
from decimal import Decimal
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from muster.backends import named
from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.derive.cluster import derive
from muster.config.description.capacity import Reservation, ReservationGroup
from muster.config.description.hyperpod_slurm_cluster import HyperPodSlurmCluster
from muster.config.description.slurm_cluster import SlurmCluster
from muster.config.validation import validate
from muster.extras.cost.estimate import Basis, Cost, Money, Span, cost_of
from muster.extras.cost.prices import GP3_IOPS, GP3_THROUGHPUT, METADATA_IOPS, Item, Kind, Price, Unit
from tests.factories import AS_OF, CR, a_blueprint
from tests.hyperpod_slurm_strategies import legal_hyperpod_slurm
from tests.hyperpod_strategies import legal_hyperpod
from tests.slurm_strategies import legal_slurm
from tests.strategies import Described, legal

SOURCE, SEEN = "a test", date(2026, 11, 1)
FEW = settings(max_examples=40, deadline=None)


def unit_of(item: Item) -> Unit:
    if item in {GP3_IOPS, METADATA_IOPS}:
        return Unit.IOPS_MONTH
    if item == GP3_THROUGHPUT:
        return Unit.MIBPS_MONTH
    return Unit.GB_MONTH if item.kind in {Kind.LUSTRE, Kind.VOLUME} else Unit.HOUR


class Every:
    """Knows a price of everything: each item its own."""

    def price(self, item: Item, region: str) -> Price:
        cents = sum(map(ord, f"{item}{region}")) % 9_973 + 1
        return Price(Decimal(cents) / 100, unit_of(item), SOURCE, SEEN)


class Only:
    """Knows the prices of some things."""

    def __init__(self, *known: Item) -> None:
        self.known = frozenset(known)

    def price(self, item: Item, region: str) -> Price | None:
        return Every().price(item, region) if item in self.known else None


def derived(each: Described) -> ClusterBlueprint:
    made, faults = validate(named(each.document["backend"]).description.load(), each.document)
    assert made is not None, faults
    return derive(made, "random", each.region, each.known)


CLUSTERS = st.one_of(legal(), legal_hyperpod(), legal_hyperpod_slurm(), legal_slurm()).map(derived)


def known(cost: Cost) -> list[Money]:
    """What the lines cost: but for Spot, of which nobody knows."""
    assert all(line.monthly or line.basis is Basis.SPOT for line in cost.lines)
    return [line.monthly for line in cost.lines if line.monthly]


@FEW
@given(CLUSTERS)
def test_parts_add_up_to_the_total(blueprint: ClusterBlueprint) -> None:
    """Exactly, at least, now and at most, in that order; an hour is a 730th of a month; every price is asked for."""
    cost = cost_of(blueprint, Every(), AS_OF)
    assert cost.monthly is not None
    for money in (cost.monthly, *known(cost)):
        assert 0 <= money.least <= money.now <= money.most
    for name in ("least", "now", "most"):
        parts = [getattr(money, name) for money in known(cost)]
        assert sum(parts) == getattr(cost.monthly, name)
        assert abs(getattr(cost.monthly.hourly, name) * 730 - getattr(cost.monthly, name)) < Decimal("1e-20")


@FEW
@given(CLUSTERS, st.data())
def test_unknown_is_never_zero(blueprint: ClusterBlueprint, data: st.DataObject) -> None:
    """What has no price is told, and the total is that of the others."""
    every = sorted({line.item for line in cost_of(blueprint, Every(), AS_OF).lines})
    known = data.draw(st.sets(st.sampled_from(every)))
    cost = cost_of(blueprint, Only(*known), AS_OF)
    for line in cost.lines:
        assert (line.monthly is None) == (line.item not in known or line.basis is Basis.SPOT)
        assert line.unknown == (line.monthly is None and line.count.most > 0)
    priced = [line.monthly for line in cost.lines if line.monthly is not None]
    assert cost.monthly == (Money.total(priced) if priced else None)


@FEW
@given(CLUSTERS)
def test_every_group_is_counted_once(blueprint: ClusterBlueprint) -> None:
    """Its instances are on one line, or paid in advance, and never both; those beyond a reservation on one more."""
    cost = cost_of(blueprint, Every(), AS_OF)
    machines = [line for line in cost.lines if line.item.kind in {Kind.INSTANCE, Kind.HYPERPOD}]
    reserved = {line.group for line in machines if line.basis is Basis.COMMITTED}
    beyond = [line for line in machines if line.basis is not Basis.COMMITTED and line.group in reserved]
    assert len(beyond) == len({line.group for line in beyond})
    on_lines = [name for line in machines if line not in beyond for name in line.group.split(", ")]
    in_advance = [name for each in cost.prepaid for name in each.groups]
    described = blueprint.described
    others = ["head", *described.login_nodes] if isinstance(described, SlurmCluster) else []
    if isinstance(described, HyperPodSlurmCluster):
        others = [each.name for each in described.service_nodes.values()]
    assert sorted([*on_lines, *in_advance]) == sorted([*(group.name for group in blueprint.groups), *others])


@FEW
@given(CLUSTERS)
def test_reservations_are_counted_whole_and_once(blueprint: ClusterBlueprint) -> None:
    """What they hold, used or not, however many groups are on them; with what runs beside them, as many as run."""
    cost = cost_of(blueprint, Every(), AS_OF)
    held = {group.name: group.described.capacity.held for group in blueprint.groups}
    on = {name: each for name, each in held.items() if isinstance(each, Reservation | ReservationGroup)}
    lines = [line for line in cost.lines if line.basis is Basis.COMMITTED]
    ids = {each.id if isinstance(each, Reservation) else each.arn or str(each.create) for each in on.values()}
    assert len(lines) == len(ids)
    for line in lines:
        members = line.group.split(", ")
        assert line.count == Span.fixed(max(on[name].count for name in members))
        beside = [
            each.count for each in cost.lines if each.item == line.item and each.group == line.group and each != line
        ]
        counted = sum(beside, line.count)
        nodes = [group.described.nodes_now for group in blueprint.groups if group.name in members]
        for count, wanted_ in (("least", "min"), ("now", "start"), ("most", "max")):
            running = sum(getattr(each, wanted_) for each in nodes)
            assert getattr(counted, count) == max(running, line.count.now)
    assert cost.committed == Money.total(line.monthly for line in lines if line.monthly)


def cost(edits: dict[str, Any], as_of: date = AS_OF) -> Cost:
    return cost_of(a_blueprint(edits), Every(), as_of)


@FEW
@given(st.integers(1, 200), st.integers(0, 200), st.booleans())
def test_more_nodes_never_cost_less(nodes: int, more: int, reserved: bool) -> None:
    """On demand, and on a reservation, which costs the same until it is full."""
    capacity = {"reservation": {"id": CR, "zone": "us-west-2a", "count": 100, "provided-by": "aws"}}
    edits = {"groups.workers.capacity": capacity if reserved else "on-demand", "groups.workers.nodes": nodes}
    few, many = cost(edits), cost({**edits, "groups.workers.nodes": nodes + more})
    assert few.monthly
    assert many.monthly
    assert few.monthly.now <= many.monthly.now
    if reserved and nodes + more <= 100:
        assert few.committed == many.committed


def test_spans_add_and_multiply() -> None:
    """Number by number."""
    assert Span(1, 2, 3) + Span.fixed(1) == Span(2, 3, 4)
    assert Span(1, 2, 3) * 5 == Span(5, 10, 15)
    assert Span(0, 2, 9).beyond(4) == Span(0, 0, 5)
    assert (Span.fixed(3).is_fixed, Span(1, 1, 2).is_fixed) == (True, False)
