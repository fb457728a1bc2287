"""What is held: nodes are in its zone, within its number, in no other placement, and gone before it ends."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.blueprint.derive.eks import zero_at
from muster.fleet.resources import Ref
from muster.fleet.resources.parallelcluster import Placement
from muster.fleet.resources.ref import PLACEMENT_GROUP
from muster.stack.project import open_stack
from tests.factories import CR, DROP, A, B, a_blueprint, a_description
from tests.factories.parallelcluster import WORKERS, a_slurm_blueprint
from tests.stack_files import ROOT
from tests.strategies import Described, legal
from tests.strategies.hyperpod import legal_hyperpod
from tests.strategies.parallelcluster import legal_slurm

LUSTRE = {"size": "1200GiB", "throughput": 250}

BLOCK = {"id": CR, "zone": "us-west-2a", "count": 1, "starts": "2026-12-01", "ends": "2026-12-15", "active": True}


CLUSTERS = {"eks": legal(), "hyperpod": legal_hyperpod(), "parallelcluster": legal_slurm()}


@pytest.mark.parametrize("clusters", CLUSTERS.values(), ids=CLUSTERS)
@settings(max_examples=25)
@given(data=st.data())
def test_nodes_are_in_the_zone_of_what_holds_them(clusters: st.SearchStrategy[Described], data: st.DataObject) -> None:
    """EC2 user guide, "Capacity Reservations": only instances in a reservation's zone use it."""
    blueprint = data.draw(clusters).blueprint()
    for group in blueprint.groups:
        if held := group.described.capacity.held:
            assert blueprint.zones(group) == (held.zone,)
            assert group.described.only_zone == held.zone


@settings(max_examples=25)
@given(legal())
def test_nodes_with_efa_are_in_one_zone(described: Described) -> None:
    """EFA user guide: its traffic stays in one subnet's zone."""
    blueprint = described.blueprint()
    for group in blueprint.groups:
        assert len(blueprint.zones(group)) == 1 or not group.node.efa


@settings(max_examples=25)
@given(legal())
def test_groups_take_no_more_than_is_held(described: Described) -> None:
    """EC2 user guide, "Capacity Reservations": what is beyond its number launches on demand, or not at all."""
    taken: Counter[str] = Counter()
    counts: dict[str, int] = {}
    for group in described.blueprint().groups:
        if held := group.described.capacity.held:
            taken[held.model_dump_json()] += group.resource.nodes_max
            counts[held.model_dump_json()] = held.count
    assert all(number <= counts[held] for held, number in taken.items())


HELD = {"zone": "us-west-2b", "count": 4}
ODCR = {"reservation": {**HELD, "id": CR, "provided-by": "aws"}}
OF_RESERVATIONS = {"arn": "arn:aws:resource-groups:us-west-2:210987654321:group/held", "provided-by": "aws"}
CAPACITY: list[tuple[dict[str, Any], str | None]] = [
    ({"on-demand": {}}, None),
    ({"spot": {}}, None),
    (ODCR, "us-west-2b"),
    ({"reservation-group": {**HELD, **OF_RESERVATIONS}}, "us-west-2b"),
    ({"capacity-block": {**HELD, "id": CR, "starts": "2026-12-01", "ends": "2026-12-15"}}, "us-west-2b"),
]
"""Capacity of EC2, and the zone that it is in."""


@pytest.mark.parametrize(("capacity", "zone"), CAPACITY, ids=[next(iter(each)) for each, _ in CAPACITY])
def test_what_is_held_nowhere_is_in_both_zones_unless_one_is_said(capacity: dict[str, Any], zone: str | None) -> None:
    """The zone that a group says counts in any case: a rule reports one that is not its capacity's."""
    edits = {"groups.workers.capacity": capacity}
    for more, only in (({"groups.workers.zone": DROP}, zone), ({"groups.workers.zone": "us-west-2a"}, "us-west-2a")):
        group = a_blueprint({**edits, **more}).group("workers")
        assert (group.described.only_zone, group.resource.zone) == (only, only)
        assert group.subnets == {None: (A, B), "us-west-2a": (A,), "us-west-2b": (B,)}[only]
    slurm = a_slurm_blueprint({f"{WORKERS}.capacity": capacity, "storage.fsx.lustre": LUSTRE})
    assert [tuple(queue.resource.subnets) for queue in slurm.queues] == [(B,) if zone else (A,)]
    assert slurm.storage[0].file_system.zone == (zone or "us-west-2a"), "files are where the nodes are"


@pytest.mark.parametrize(
    ("said", "name", "created"),
    [
        ({"provided-by": "aws"}, None, False),
        ({"provided-by": "you"}, "tested-workers", True),
        ({"provided-by": "you", "placement-group": "ours"}, "ours", False),
        ({"provided-by": "you", "placement-group": "none"}, None, False),
    ],
)
def test_placement_follows_from_who_provided_a_reservation(said: Any, name: str | None, *, created: bool) -> None:
    """AWS places its own (awsome-distributed-training, `2.aws-parallelcluster`); another one is in the group that it
    was made in, in none, or in one of ours."""
    edits = {f"groups.workers.capacity.reservation.{key}": value for key, value in said.items()}
    group = a_blueprint(edits).group("workers")
    made = group.placement_group
    assert (made and (made.name, made.create)) == (name and (name, created))
    assert group.template.placement_group == (Ref(PLACEMENT_GROUP, "workers") if created else name)
    (queue,) = a_slurm_blueprint({f"{WORKERS}.capacity": {"reservation": {**HELD, "id": CR, **said}}}).queues
    placement = Placement(enabled=name is not None, name=None if created else name)
    assert [each.resource.placement for each in queue.groups] == [placement]


def moments(capacity: Any, *, self_managed: bool) -> tuple[str, ...]:
    edits = {"groups.workers.capacity": capacity, "groups.workers.self-managed": self_managed}
    return zero_at(a_description(edits).groups["workers"])


def test_no_schedule_while_it_is_not_active() -> None:
    """The group has no nodes then; and of a block that is over the moment has passed, which AWS refuses."""
    assert moments({"capacity-block": {**BLOCK, "active": False}}, self_managed=True) == ()


def test_eks_does_it_for_managed_groups() -> None:
    """EKS user guide, "Capacity Blocks": it drains nodes before the block ends."""
    assert moments({"capacity-block": BLOCK}, self_managed=False) == ()


@pytest.mark.parametrize(
    "capacity",
    [
        "on-demand",
        "spot",
        {"reservation": {"id": CR, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}},
    ],
)
def test_what_has_no_end_has_no_schedule(capacity: Any) -> None:
    """Only Capacity Blocks end on a day."""
    assert moments(capacity, self_managed=True) == ()


@given(st.dates(date(2026, 1, 1), date(2036, 1, 1)))
def test_in_the_form_that_auto_scaling_takes(ends: date) -> None:
    """`2026-12-15T10:30:00Z` exactly: the provider refuses fractions and offsets. Always an hour before 11:30 UTC."""
    (moment,) = moments({"capacity-block": {**BLOCK, "ends": ends.isoformat()}}, self_managed=True)
    then = datetime.strptime(moment, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    assert datetime(ends.year, ends.month, ends.day, 11, 30, tzinfo=UTC) - then == timedelta(hours=1)


def test_the_nodes_of_an_ultraserver_are_gone_90_minutes_before_the_end() -> None:
    """EC2 user guide, "Capacity Blocks": instances of an UltraServer are ended an hour before, others half an hour."""
    described = open_stack(ROOT, "p6e-gb200").derive().group("ultraserver-1").described
    active = described.capacity.capacity_block.model_copy(update={"active": True})
    capacity = described.capacity.model_copy(update={"capacity_block": active})
    assert zero_at(described.model_copy(update={"capacity": capacity})) == ("2026-12-15T10:00:00Z",)
