"""What counts against the account's quotas of vCPUs: reservations once and whole, and what grows beyond them."""

from itertools import permutations
from typing import Any

import pytest

from muster.config.description.capacity import Capacity
from muster.fleet.facts import Facts, ReservationState
from muster.fleet.resources import CapacityTarget, Fleet
from muster.fleet.unknown import UNKNOWN
from muster.hardware.quotas import vcpu_quota
from policies.rules.capacity.quota_covers_vcpus import VcpuUse, vcpu_use
from tests.factories import DROP, a_fleet, a_group, a_reservation, a_template, facts
from tests.policies.account_limits import ACCOUNT
from tests.policies.capacity import on_made
from tests.policies.cases.reservation_groups import ARN, SOUND
from tests.slurms import a_head, a_resource, a_slurm_fleet

P5 = vcpu_quota("p5.48xlarge", spot=False)
EACH = 192
"""vCPUs of a p5.48xlarge."""
FIRST, SECOND, THIRD = (f"cr-0000000000000000{number}" for number in (1, 2, 3))
BLOCK = {"id": FIRST, "zone": "us-west-2a", "count": 1, "starts": "2026-12-01", "ends": "2026-12-15"}
ON_DEMAND = Capacity.model_validate({"on-demand": {}})


def _told(members: dict[str, list[str]] | None = None, **more: Any) -> Facts:
    """Three reservations of the account's own, of three instances each."""
    said = {**SOUND, "totalInstances": 3, "owner": ACCOUNT["id"], **more}
    each = {key: value for key, value in said.items() if value is not DROP}
    groups = {arn: {"reservations": ids} for arn, ids in (members or {}).items()}
    return facts(account=ACCOUNT, reservations=dict.fromkeys((FIRST, SECOND, THIRD), each), reservationGroups=groups)


def _on(name: str, held: tuple[str, ...], **more: Any) -> tuple[Any, Any]:
    """A group of one node at most on a reservation, or on a resource group of several."""
    target = CapacityTarget(reservation=held[0]) if len(held) == 1 else CapacityTarget(group=_group_of(held))
    return a_template(name, target=target), a_group(name, reservation=a_reservation(), **{"nodes_max": 1, **more})


def _group_of(held: tuple[str, ...]) -> str:
    return ARN + "".join(each[-1] for each in held)


def _taken(*groups: tuple[str, tuple[str, ...]], known: dict[str, Any] | None = None) -> VcpuUse:
    """What groups take of the quota."""
    several = {_group_of(held): list(held) for _, held in groups if len(held) > 1}
    things = [thing for name, held in groups for thing in _on(name, held)]
    fleet = a_fleet(*things, without=[type(each) for each in _on("x", (FIRST,))], facts=_told(several, **(known or {})))
    (found,) = vcpu_use(fleet).values()
    assert list(vcpu_use(fleet)) == [P5]
    return found


# EC2 API, CreateCapacityReservation: a reservation counts as a whole, and instances in it do not count beside it
@pytest.mark.parametrize(
    ("held", "unused", "reservations"),
    [
        ([(FIRST,)], 2, {FIRST}),
        ([(FIRST,), (FIRST,)], 1, {FIRST}),
        ([(FIRST,)] * 3, 0, set()),
        ([(FIRST,)] * 4, 0, set()),
        ([(FIRST,), (SECOND,)], 4, {FIRST, SECOND}),
        ([(FIRST,), (SECOND,), (SECOND,)], 3, {FIRST, SECOND}),
        ([(FIRST,), (SECOND,), (FIRST, SECOND)], 3, {FIRST, SECOND}),
        ([(FIRST,), (FIRST,), (FIRST,), (FIRST, SECOND)], 2, {FIRST, SECOND}),
        ([(FIRST, SECOND), (SECOND, THIRD), (THIRD,)], 6, {FIRST, SECOND, THIRD}),
        ([(FIRST, SECOND), (THIRD,), (THIRD,)], 6, {FIRST, SECOND, THIRD}),
    ],
)
def test_what_groups_leave_of_reservations(held: list[tuple[str, ...]], unused: int, reservations: set[str]) -> None:
    """Groups that share one, or that are joined by a third, use it together; those on another one do not. It is the
    same in whatever order they are written."""
    for order in permutations(enumerate(held)):
        found = _taken(*((f"g{number}", each) for number, each in order))
        assert (found.grown, found.unused, set(found.reservations)) == (len(held) * EACH, unused * EACH, reservations)
        assert found.vcpus == (len(held) + unused) * EACH
        assert len(found.reservations) == len(reservations)


@pytest.mark.parametrize(
    ("known", "unused"),
    [
        ({}, 2),
        *(({"state": each}, 0) for each in ReservationState if each is not ReservationState.ACTIVE),
        ({"state": DROP}, 0),
        ({"reservationType": "capacity-block"}, 0),
        ({"reservationType": DROP}, 2),
        ({"owner": "333344445555"}, 0),
        ({"owner": DROP}, 0),
        ({"instanceType": "p5e.48xlarge"}, 2),
        ({"instanceType": "m5.8xlarge", "totalInstances": 100}, 0),
        ({"instanceType": DROP}, 0),
        ({"totalInstances": DROP}, 0),
        ({"totalInstances": 1}, 0),
        ({"totalInstances": 0}, 0),
    ],
    ids=str,
)
def test_which_reservations_count_whole(known: dict[str, Any], unused: int) -> None:
    """Those that surely are this account's own, are no blocks, and are there; each against its own type's quota."""
    found = _taken(("workers", (FIRST,)), known=known)
    assert (found.grown, found.unused, found.reservations) == (EACH, unused * EACH, (FIRST,) if unused else ())


def test_whose_a_reservation_is_where_nobody_says_who_asked() -> None:
    """Not surely this account's."""
    for owner in (ACCOUNT["id"], DROP):
        known = _told(owner=owner).model_copy(update={"account": None})
        fleet = a_fleet(*_on("workers", (FIRST,)), facts=known)
        assert vcpu_use(fleet) == {P5: VcpuUse(("workers",), (), EACH, 0, ())}


@pytest.mark.parametrize(("starts", "unused"), [(None, 2), ("2026-12-01T11:30:00Z", 0), (UNKNOWN, 0)])
def test_a_reservation_that_the_program_makes(starts: Any, unused: int) -> None:
    """It is this account's; one that begins later does not count yet."""
    group = a_group(reservation=a_reservation())
    fleet = on_made(group, count=3, starts=starts)
    assert vcpu_use(fleet) == {P5: VcpuUse(("workers",), (), EACH, unused * EACH, ("p5",) if unused else ())}


def test_groups_of_which_nobody_knows_how_far_they_grow() -> None:
    """They are told apart; the others count."""
    things = [*_on("a", (FIRST,), nodes_max=2), *_on("b", (FIRST,), nodes_max=UNKNOWN)]
    fleet = a_fleet(*things, without=[type(each) for each in things], facts=_told())
    assert vcpu_use(fleet) == {P5: VcpuUse(("a", "b"), ("b",), 2 * EACH, EACH, (FIRST,))}


@pytest.mark.parametrize(
    ("more", "counts"),
    [
        ({"capacity": ON_DEMAND}, True),
        ({"capacity": None}, False),
        ({"capacity": Capacity.model_validate({"capacity-block": BLOCK})}, False),
        ({"capacity": ON_DEMAND, "template": None, "instance_types": ("p9.48xlarge",)}, False),
        ({"capacity": ON_DEMAND, "template": None, "instance_types": UNKNOWN}, False),
    ],
    ids=["on demand", "another program's", "a block", "of a type that nobody knows", "of a type not yet known"],
)
def test_which_groups_count(more: dict[str, Any], *, counts: bool) -> None:
    """Not what is bought by itself, and nothing of which nobody knows the vCPUs or the way it is paid."""
    assert [each.groups for each in vcpu_use(a_fleet(a_group(**more))).values()] == [("workers",)] * counts


@pytest.mark.parametrize(
    ("head", "groups", "grown"),
    [
        ("m5.8xlarge", ("workers", "the head node"), 64),
        ("c5.2xlarge", ("workers", "the head node"), 40),
        ("p5.48xlarge", ("workers",), 32),
        ("m99.odd", ("workers",), 32),
        (UNKNOWN, ("workers",), 32),
    ],
)
def test_a_head_node_beside_a_group(head: Any, groups: tuple[str, ...], grown: int) -> None:
    """It counts where it is of the same quota, and somebody knows its vCPUs."""
    group = a_resource(instances=("m5.8xlarge",), nodes_min=0, nodes_max=1, capacity=ON_DEMAND, efa=False)
    fleet: Fleet = a_slurm_fleet(a_head(instance=head), group)
    assert [*vcpu_use(fleet).values()] == [VcpuUse(groups, (), grown, 0, ())]
