"""What reservations come to: how many instances each holds of which type, from when on, and who is on it."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.blueprint.derive.cluster import derive
from muster.extras.cost.estimate import Basis, Span, cost_of
from muster.extras.cost.prices import Item, Kind, price_table
from muster.fleet.facts import Facts
from tests.factories import AS_OF, DROP, REGION, a_description, facts

ONE, TWO, THREE = "cr-00000000000000001", "cr-00000000000000002", "cr-00000000000000003"
GROUP = "arn:aws:resource-groups:us-west-2:222233334444:group/p5"
OTHER = "arn:aws:resource-groups:us-west-2:222233334444:group/other"
P5, SMALL = Item(Kind.INSTANCE, "p5.48xlarge"), Item(Kind.INSTANCE, "c5.2xlarge")
THEM = "333344445555"

_Billed = list[tuple[str, Basis, Span, str]]


def said(count: int | None = 4, **more: Any) -> dict[str, Any]:
    """What AWS says of a reservation."""
    known = {"instanceType": "p5.48xlarge", "zone": "us-west-2a", "state": "active", "reservationType": "default"}
    return {**known, **({} if count is None else {"totalInstances": count}), **more}


def on(
    id_: str = "", *, arn: str = "", nodes: int = 4, count: int = 4, instance: str = "p5.48xlarge"
) -> dict[str, Any]:
    """A group on a reservation, or on a group of them."""
    held = {"zone": "us-west-2a", "count": count, "provided-by": "aws"}
    capacity = {"reservation-group": {"arn": arn, **held}} if arn else {"reservation": {"id": id_, **held}}
    return {"for": "training", "instance": instance, "nodes": nodes, "zone": "us-west-2a", "capacity": capacity}


def billed(groups: dict[str, Any], known: Facts | None = None, item: Item = P5, *, as_of: date = AS_OF) -> _Billed:
    """How the groups' instances of one type are."""
    edits = {f"groups.{name}": group for name, group in groups.items()}
    told = cost_of(derive(a_description(edits), "tested", REGION, known), price_table(), as_of).lines
    return [(each.group, each.basis, each.count, each.note) for each in told if each.item == item]


def whole(name: str, more: str = "") -> str:
    return f"{name}: billed in full, used or not, until it ends or you cancel it{more}"


def full(name: str, count: int) -> str:
    return f"nodes beyond the {count} of {name}, which has no room for them"


def nothing(name: str, why: str, what: str = "no instances any more") -> str:
    return f"{name} holds {what} ({why}); nodes are on demand, if EC2 starts them"


# What has not begun.


def test_a_reservation_to_come_is_billed_from_its_start() -> None:
    """Whole, as declared where EC2 counts none of it yet; the note says from when on."""
    come = {"state": "scheduled", "start": "2027-01-15T00:00:00Z"}
    told = whole(ONE, f"; {ONE} is billed from its start on 2027-01-15")
    for count in (0, 4):
        known = facts(reservations={ONE: said(count, **come)})
        assert billed({"workers": on(ONE)}, known) == [("workers", Basis.COMMITTED, Span.fixed(4), told)]
        six = billed({"workers": on(ONE, nodes=6)}, known)
        assert six[1:] == [("workers", Basis.ON_DEMAND, Span.fixed(2), full(ONE, 4))]


def test_when_a_reservation_starts_is_told_as_far_as_aws_says() -> None:
    """By its start, whatever its state; without one by its state; and no more from the moment it starts."""

    def note(as_of: date = AS_OF, **known: Any) -> str:
        return billed({"workers": on(ONE)}, facts(reservations={ONE: said(**known)}), as_of=as_of)[0][3]

    start: dict[str, Any] = {"start": "2027-01-15T12:00:00"}
    told = whole(ONE, f"; {ONE} is billed from its start on 2027-01-15")
    assert note(**start) == note(state="scheduled", **start) == told
    assert note(date(2027, 1, 15), **start) == told
    assert note(date(2027, 1, 16), **start) == whole(ONE)
    at_midnight = {"start": "2027-01-16T00:00:00Z"}
    assert note(date(2027, 1, 15), **at_midnight) == whole(ONE, f"; {ONE} is billed from its start on 2027-01-16")
    assert note(date(2027, 1, 16), **at_midnight) == whole(ONE)
    assert note(state="assessing") == whole(ONE, f"; {ONE} is billed from its start")


def test_a_reservation_that_holds_none_is_not_full() -> None:
    """An active one of no instances says so."""
    assert billed({"workers": on(ONE)}, facts(reservations={ONE: said(0)})) == [
        ("workers", Basis.ON_DEMAND, Span.fixed(4), nothing(ONE, f"{ONE} has no instances", "no p5.48xlarge"))
    ]


# Groups of reservations.


def in_group(*members: str, **known: Any) -> Facts:
    return facts(reservationGroups={GROUP: {"exists": True, "reservations": members}}, reservations=known)


def test_of_a_group_that_counts_which_the_instances_match() -> None:
    """Members of another type hold none of them, and blocks are paid in advance."""
    known = in_group(
        *(ONE, TWO, THREE),
        **{ONE: said(2), TWO: said(50, instanceType="c5.2xlarge"), THREE: said(8, reservationType="capacity-block")},
    )
    assert billed({"workers": on(arn=GROUP, nodes=2)}, known) == [
        ("workers", Basis.COMMITTED, Span.fixed(2), whole(GROUP))
    ]
    both = {"workers": on(arn=GROUP, nodes=2), "small": on(arn=GROUP, nodes=2, instance="c5.2xlarge")}
    assert billed(both, known) == [("workers", Basis.COMMITTED, Span.fixed(2), whole(GROUP))]
    assert billed(both, known, SMALL)[1:] == [("small", Basis.COMMITTED, Span.fixed(50), whole(GROUP))]


def test_what_matches_no_instances_commits_none() -> None:
    """Its members say why."""
    known = in_group(
        ONE, TWO, **{ONE: said(5, instanceType="c5.2xlarge"), TWO: said(8, reservationType="capacity-block")}
    )
    why = f"{ONE} is for c5.2xlarge, {TWO} is a Capacity Block, paid in advance"
    assert billed({"workers": on(arn=GROUP)}, known) == [
        ("workers", Basis.ON_DEMAND, Span.fixed(4), nothing(GROUP, why, "no p5.48xlarge"))
    ]
    assert billed({"workers": on(TWO)}, known) == [
        (
            "workers",
            Basis.ON_DEMAND,
            Span.fixed(4),
            nothing(TWO, f"{TWO} is a Capacity Block, paid in advance", "no p5.48xlarge"),
        )
    ]


def test_what_is_over_is_nobodys_and_what_is_not_over_is_not_called_so() -> None:
    """An owner pays for nothing that has expired; nothing "any more" is said of all, or not at all."""
    known = in_group(ONE, TWO, **{ONE: said(state="expired", owner=THEM), TWO: said(5, instanceType="c5.2xlarge")})
    known = known.model_copy(update={"account": facts(account={"id": "222233334444"}).account})
    assert billed({"workers": on(ONE)}, known)[0][3] == nothing(ONE, "expired")
    told = nothing(GROUP, f"{TWO} is for c5.2xlarge, expired", "no p5.48xlarge")
    assert billed({"workers": on(arn=GROUP)}, known)[0][3] == told


@pytest.mark.parametrize(
    ("known", "why"),
    [
        ({"exists": False}, "AWS has no reservation with that id"),
        ({"exists": True, "reservations": []}, "it contains no reservations"),
    ],
)
def test_a_group_that_holds_nothing_is_not_billed(known: dict[str, Any], why: str) -> None:
    """Gone, or empty: whatever was declared."""
    told = facts(reservationGroups={GROUP: known})
    assert billed({"workers": on(arn=GROUP)}, told) == [
        ("workers", Basis.ON_DEMAND, Span.fixed(4), nothing(GROUP, why))
    ]


@pytest.mark.parametrize("known", [None, facts(reservationGroups={GROUP: {"exists": True}})])
def test_a_group_whose_members_nobody_knows_is_billed_as_declared(known: Facts | None) -> None:
    """Whole, too."""
    assert billed({"workers": on(arn=GROUP, count=9)}, known) == [
        ("workers", Basis.COMMITTED, Span.fixed(9), whole(GROUP))
    ]


# What several groups are on.


def test_a_reservation_is_counted_once_though_named_by_id_and_by_a_group_of_it() -> None:
    """Four are four; eight nodes on them are four more."""
    known = in_group(ONE, **{ONE: said(4)})
    groups = {"workers": on(arn=GROUP), "more": on(ONE)}
    name = f"{GROUP}, {ONE}"
    told = [
        ("workers, more", Basis.COMMITTED, Span.fixed(4), whole(name)),
        ("workers, more", Basis.ON_DEMAND, Span.fixed(4), full(name, 4)),
    ]
    assert billed(groups, known) == told
    silent = facts(reservationGroups={GROUP: {"reservations": [ONE]}})
    assert billed(groups, silent) == told, "as declared, once"


def test_groups_that_a_third_one_joins_are_one() -> None:
    """By the reservations in them, in whichever order they stand."""
    known = facts(
        reservationGroups={GROUP: {"reservations": [ONE, TWO]}, OTHER: {"reservations": [TWO, THREE]}},
        reservations={ONE: said(1), TWO: said(2), THREE: said(4)},
    )
    groups = {"workers": on(ONE, nodes=1), "last": on(THREE, nodes=1), "all": on(arn=GROUP), "more": on(arn=OTHER)}
    name = f"{ONE}, {GROUP}, {THREE}, {OTHER}"
    assert billed(groups, known) == [
        ("workers, all, last, more", Basis.COMMITTED, Span.fixed(7), whole(name)),
        ("workers, all, last, more", Basis.ON_DEMAND, Span.fixed(3), full(name, 7)),
    ]


def test_of_members_that_nobody_asked_about_the_rest_of_what_was_declared_is_counted() -> None:
    """Ten declared: four are known, so the others hold six; by id one of them was declared to hold five."""
    known = in_group(ONE, TWO, THREE, **{ONE: said(4)})
    ten = on(arn=GROUP, count=10)
    assert billed({"workers": ten}, known)[0][2] == Span.fixed(10)
    assert billed({"workers": ten, "more": on(TWO, count=5)}, known)[0][2] == Span.fixed(10)
    assert billed({"workers": on(arn=GROUP, count=6), "more": on(TWO, count=5)}, known)[0][2] == Span.fixed(9)
    assert billed({"workers": on(arn=GROUP, count=3)}, known)[0][2] == Span.fixed(4), "AWS says so"


def test_of_what_was_declared_that_is_not_ours_which_is_known_to_be_anothers() -> None:
    """Of ten declared the owner of four pays for these."""
    known = in_group(ONE, TWO, **{ONE: said(4, owner=THEM)})
    known = known.model_copy(update={"account": facts(account={"id": "222233334444"}).account})
    theirs = f"{GROUP}: account {THEM} pays for unused instances; you pay for those that you run"
    assert billed({"workers": on(arn=GROUP, nodes=8, count=10)}, known) == [
        ("workers", Basis.COMMITTED, Span.fixed(6), whole(GROUP)),
        ("workers", Basis.ON_DEMAND, Span.fixed(2), theirs),
    ]
    untold = in_group(ONE, TWO, **{ONE: said(None, owner=THEM)}).model_copy(update={"account": known.account})
    assert billed({"workers": on(arn=GROUP, nodes=8, count=10)}, untold)[0][2] == Span.fixed(10), "nobody says less"


def test_a_group_that_the_stack_makes_shares_its_members() -> None:
    """By the ids in their ARNs."""
    arn = f"arn:aws:ec2:us-west-2:222233334444:capacity-reservation/{ONE}"
    made = on(arn=GROUP)
    held = {key: value for key, value in made["capacity"]["reservation-group"].items() if key != "arn"}
    made["capacity"] = {"reservation-group": {**held, "create": [arn]}}
    told = billed({"workers": made, "more": on(ONE)}, facts(reservations={ONE: said(4)}))
    assert [(basis, count) for _, basis, count, _ in told] == [
        (Basis.COMMITTED, Span.fixed(4)),
        (Basis.ON_DEMAND, Span.fixed(4)),
    ]


IDS = (ONE, TWO, THREE)
TYPES = ("p5.48xlarge", "p4d.24xlarge")


@settings(max_examples=60, deadline=None)
@given(
    st.tuples(*(st.tuples(st.integers(0, 9), st.sampled_from(TYPES)) for _ in IDS)),
    st.tuples(*(st.sets(st.sampled_from(IDS), min_size=1) for _ in range(2))),
    st.lists(
        st.tuples(st.sampled_from((*IDS, GROUP, OTHER)), st.sampled_from(TYPES), st.integers(1, 12)),
        min_size=1,
        max_size=5,
    ),
)
def test_whoever_is_on_it_a_reservation_is_counted_once_and_so_is_a_node(
    held: tuple[tuple[int, str], ...], inside: tuple[set[str], ...], wanted: list[tuple[str, str, int]]
) -> None:
    """Of each type what is reserved is the sum of the reservations of that type that its groups can be on, and with
    what runs beside it no less than its nodes."""
    groups = dict(zip((GROUP, OTHER), inside, strict=True))
    known = facts(
        reservationGroups={arn: {"reservations": sorted(ids)} for arn, ids in groups.items()},
        reservations={id_: said(count, instanceType=of) for id_, (count, of) in zip(IDS, held, strict=True)},
    )
    described = {
        f"g{index}": on(name if name in IDS else "", arn=name if name in groups else "", nodes=nodes, instance=instance)
        for index, (name, instance, nodes) in enumerate(wanted)
    }
    for instance in TYPES:
        named = {id_ for name, of, _ in wanted if of == instance for id_ in groups.get(name, {name})}
        reserved = sum(count for id_, (count, of) in zip(IDS, held, strict=True) if id_ in named and of == instance)
        lines = billed({"workers": DROP, **described}, known, Item(Kind.INSTANCE, instance))
        assert sum(count.now for _, basis, count, _ in lines if basis is Basis.COMMITTED) == reserved
        nodes = sum(number for _, of, number in wanted if of == instance)
        counted = sum(count.now for _, _, count, _ in lines)
        assert max(nodes, reserved) <= counted <= nodes + reserved
