"""What groups and reservations are of, where somebody else says so."""

from dataclasses import replace
from typing import Any

import pytest

from muster.fleet.facts import Facts, ReservationFacts, ReservationState
from muster.fleet.resources import CapacityTarget, Fleet, Place, Ref, ReservationGroup
from muster.fleet.resources.ref import CAPACITY_BLOCK, CAPACITY_RESERVATION, RESOURCE_GROUP
from muster.fleet.unknown import UNKNOWN
from policies.lookups.capacity_targets import (
    Holding,
    Kind,
    Target,
    members_of,
    on_block,
    short_name,
    target_of,
    types_of,
)
from policies.lookups.reserved_capacity import for_reservations
from tests.factories import CR, a_fleet, a_group, a_template, facts, on, reservation_facts
from tests.policies.capacity import OURS, made, on_made
from tests.policies.cases.capacity_blocks.purchases import BOUGHT, bought
from tests.policies.cases.reservation_groups import ARN, ONE, TWO, arn
from tests.slurms import a_resource, a_slurm_fleet


def test_types_that_nobody_states_are_not_known() -> None:
    """Neither the group nor a reservation: that is not the same as no type at all."""
    for types in ((), UNKNOWN):
        group = a_resource(instances=types)
        assert types_of(group, a_slurm_fleet(group)) is None


POOL, RESERVATION, HOSTS = (
    "AWS::EC2::CapacityReservationPool",
    "AWS::EC2::CapacityReservation",
    "AWS::EC2::HostManagement",
)


@pytest.mark.parametrize(
    ("configurations", "allowed", "meant"),
    [
        ({POOL}, set(), True),
        ({POOL}, UNKNOWN, True),
        (set(), {RESERVATION}, True),
        (UNKNOWN, {RESERVATION}, True),
        ({HOSTS}, {"AWS::EC2::Host"}, False),
        (UNKNOWN, UNKNOWN, False),
    ],
)
def test_either_entry_says_that_a_group_is_for_reservations(
    configurations: object, allowed: object, meant: bool
) -> None:
    """One of the two is enough: what the other lacks is a finding about it."""
    said = [frozenset(each) if isinstance(each, set) else UNKNOWN for each in (configurations, allowed)]
    group = ReservationGroup(Ref("aws:resourcegroups/group:Group", "held"), said[0], said[1], (), Place(""))
    assert for_reservations(group, a_fleet(group)) is meant


HELD, POOLED = Ref(CAPACITY_RESERVATION, "held"), Ref(RESOURCE_GROUP, "pool")


@pytest.mark.parametrize(
    ("kind", "ref", "name", "at"),
    [
        (Kind.RESERVATION, CR, f"reservation {CR}", "capacity.reservation.id"),
        (Kind.RESERVATION, HELD, "reservation held", "capacity.reservation.id"),
        (Kind.GROUP, ARN, "reservation group p5", "capacity.reservation-group.arn"),
        (Kind.GROUP, POOLED, "reservation group pool", "capacity.reservation-group.create"),
        (Kind.BLOCK, CR, f"Capacity Block {CR}", "capacity.capacity-block.id"),
        (Kind.BLOCK, Ref(CAPACITY_BLOCK, "p5"), "Capacity Block p5", "capacity.capacity-block.buy"),
    ],
)
def test_what_a_target_is_called_and_where_the_description_names_it(
    kind: Kind, ref: Ref | str, name: str, at: str
) -> None:
    """By its id or ARN, or by what makes it."""
    target = Target(kind, ref, ())
    assert (target.name, target.named_at) == (name, at)
    assert target.bought == (kind is Kind.BLOCK and ref != CR)


@pytest.mark.parametrize(
    ("reference", "name"),
    [
        (CR, CR),
        (HELD, "held"),
        (arn(CR), CR),
        (ARN, "p5"),
        (f"{ARN}/0123456789abcdef", "p5"),
        ("arn:aws:resource-groups:us-west-2:000000000000:group/p5/of-ours", "p5"),
    ],
)
def test_the_short_name_of_a_thing(reference: Ref | str, name: str) -> None:
    """The end of an ARN; of a resource group's its name, without the suffix that AWS sets."""
    assert short_name(reference) == name


def _target(fleet: Fleet) -> Target:
    (group,) = fleet.ec2_groups
    target, missing = target_of(group, fleet)
    assert target is not None
    assert missing == target.missing
    return target


SAID = {
    "instance_type": "p5.48xlarge",
    "zone": "us-west-2a",
    "total_instances": 1,
    "platform": "Linux/UNIX",
    "tenancy": "default",
    "reservation_type": "default",
    "state": ReservationState.ACTIVE,
}
"""Of the default reservation that a program makes, in the words of one that is there."""


@pytest.mark.parametrize(
    ("more", "said", "placed"),
    [
        ({}, {}, None),
        ({"instance": "p4d.24xlarge"}, {"instance_type": "p4d.24xlarge"}, None),
        ({"instance": UNKNOWN}, {"instance_type": None}, None),
        ({"zone": UNKNOWN}, {"zone": None}, None),
        ({"count": 7}, {"total_instances": 7}, None),
        ({"count": UNKNOWN}, {"total_instances": None}, None),
        ({"platform": "Windows"}, {"platform": "Windows"}, None),
        ({"platform": UNKNOWN}, {"platform": None}, None),
        ({"tenancy": "dedicated"}, {"tenancy": "dedicated"}, None),
        ({"tenancy": UNKNOWN}, {"tenancy": None}, None),
        ({"starts": "2026-12-01T11:30:00Z"}, {"state": None}, None),
        ({"starts": UNKNOWN}, {"state": None}, None),
        ({"placement_group": OURS}, {}, OURS),
        ({"placement_group": "theirs"}, {}, "theirs"),
        ({"placement_group": UNKNOWN}, {}, None),
    ],
    ids=str,
)
def test_a_reservation_that_the_program_makes(more: dict[str, Any], said: dict[str, Any], placed: Any) -> None:
    """What the program says of it is what it is; nobody observed it."""
    known = ReservationFacts.model_construct(**{**SAID, **said})
    assert _target(on_made(**more)) == Target(
        Kind.RESERVATION, made().ref, (Holding(made().ref, known, False, placed),)
    )


def test_a_reservation_that_is_there() -> None:
    """What AWS says of it, and in which placement group it was made; of one that it was not asked about, nothing."""
    for said in ({}, {"placementGroup": "theirs"}):
        known = reservation_facts(**said)
        holding = Holding(CR, known.reservations[CR], observed=True, placement_group=said.get("placementGroup"))
        assert _target(a_fleet(a_template(**on()), facts=known)) == Target(Kind.RESERVATION, CR, (holding,))
    nothing = Holding(CR, ReservationFacts(), observed=True)
    for unasked in (None, facts()):
        assert _target(a_fleet(a_template(**on()), facts=unasked)) == Target(Kind.RESERVATION, CR, (nothing,))


@pytest.mark.parametrize(
    ("purchase", "platform"),
    [
        ((bought(),), "Linux/UNIX"),
        ((replace(bought(), platform="Windows"),), "Windows"),
        ((replace(bought(), platform=UNKNOWN),), None),
        ((), None),
    ],
    ids=["as it comes", "for Windows", "nobody knows", "which no program here buys"],
)
def test_a_block_that_is_bought(purchase: tuple[Any, ...], platform: str | None) -> None:
    """All that is said of it before it is there."""
    said: dict[str, Any] = {"platform": platform, "tenancy": "default", "reservation_type": "capacity-block"}
    holding = Holding(BOUGHT, ReservationFacts.model_construct(**said), observed=False)
    assert _target(a_fleet(a_template(**on(BOUGHT)), *purchase)) == Target(Kind.BLOCK, BOUGHT, (holding,))


def test_a_reservation_that_no_program_here_makes() -> None:
    """Nobody says anything of it."""
    holding = Holding(HELD, ReservationFacts(), observed=False)
    assert _target(a_fleet(a_template(**on(HELD)))) == Target(Kind.RESERVATION, HELD, (holding,))


def _grouped(members: Any) -> ReservationGroup:
    return ReservationGroup(POOLED, frozenset(), frozenset(), members, Place(""))


def _listed(*ids: str) -> Facts:
    return facts(reservationGroups={ARN: {"reservations": list(ids)}})


HOW = " (`muster schema facts` shows the form)"


@pytest.mark.parametrize(
    ("several", "things", "known", "found"),
    [
        (POOLED, (_grouped((ONE, HELD)),), None, ((ONE, HELD), "")),
        (POOLED, (_grouped(()),), None, ((), "")),
        (POOLED, (_grouped(UNKNOWN),), None, ((), "the reservations of pool, not known before creation")),
        (ARN, (), _listed(ONE, TWO), ((ONE, TWO), "")),
        (ARN, (), _listed(), ((), "")),
        (ARN, (), None, ((), f"the reservations of {ARN}{HOW}")),
        (ARN, (), facts(), ((), f"the reservations of {ARN}{HOW}")),
        (ARN, (), facts(reservationGroups={ARN: {}}), ((), f"the reservations of {ARN}{HOW}")),
    ],
)
def test_the_reservations_of_a_group(several: Any, things: Any, known: Facts | None, found: tuple[Any, str]) -> None:
    """Its own program's word, or AWS's; that nobody says them is not the same as none."""
    assert members_of(several, a_fleet(*things, facts=known)) == found


BLOCKS = reservation_facts(reservationType="capacity-block")


@pytest.mark.parametrize(
    ("group", "template", "known", "meant"),
    [
        ({}, {}, None, False),
        ({"capacity_type": "CAPACITY_BLOCK"}, {}, None, True),
        ({"capacity_type": "SPOT"}, {}, None, False),
        ({}, {"market_type": "capacity-block"}, None, True),
        ({}, {"market_type": "spot"}, None, False),
        ({}, on(), None, False),
        ({}, on(), reservation_facts(), False),
        ({}, on(), BLOCKS, True),
        ({}, on(BOUGHT), None, True),
        ({}, on(UNKNOWN), BLOCKS, False),
        ({"target": CapacityTarget(reservation=CR)}, {}, BLOCKS, True),
        ({"target": CapacityTarget(reservation=CR)}, {}, reservation_facts(), False),
        ({"target": CapacityTarget(reservation=UNKNOWN)}, {}, BLOCKS, False),
        ({"target": CapacityTarget(group=ARN)}, {}, BLOCKS, False),
    ],
)
def test_which_groups_are_for_a_block(
    group: dict[str, Any], template: dict[str, Any], known: Facts | None, *, meant: bool
) -> None:
    """One that says so itself, whose template does, or that is launched into one."""
    fleet = a_fleet(a_template(**template), a_group(**group), facts=known)
    assert [on_block(each, fleet) for each in fleet.ec2_groups] == [meant]


@pytest.mark.parametrize("type_", ["ONDEMAND", "CAPACITY_BLOCK", UNKNOWN])
def test_compute_resources_are_for_a_block_by_their_queues_word(type_: Any) -> None:
    """Whatever they name."""
    for target in (CapacityTarget(), CapacityTarget(reservation=CR)):
        resource = a_resource(capacity_type=type_, target=target)
        assert on_block(resource, a_slurm_fleet(resource, known=BLOCKS)) == (type_ == "CAPACITY_BLOCK")
