"""The picture of a rehearsal's cluster, and its verdict in words, before any page is made of them."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.cli.writers.rehearsal_view import (
    MOST_CARDS,
    MOST_CARDS_IN_ALL,
    AlikePods,
    Look,
    Parts,
    draw_node,
    draw_zones,
    group_totals,
    headline,
    not_running,
    ordered,
    parts,
)
from muster.rehearsal.outcome import Amount, NodeState, PodState, Verdict, Waiting
from tests.cli.rehearsals import (
    EFA,
    FULL,
    GPU,
    MIB,
    REASON,
    a_free_node,
    a_node,
    a_pod,
    a_system_node,
    amounts,
    an_outcome,
    nodes,
    one_too_few,
)


@given(amounts)
def test_an_amount_is_taken_apart_without_rest(amount):
    """Used, offered and planned can each be read off its parts."""
    there = parts(amount, NodeState.READY)
    assert (there.in_use, there.offered) == (amount.used, amount.offered)
    assert there.all == max(amount.planned, amount.offered, amount.used)
    assert min(there.used, there.over, there.free, there.missing) >= 0
    assert there.over == 0 or there.free == 0


@given(amounts)
def test_a_lost_node_offers_nothing(amount):
    """Whatever it said last, nobody can use it."""
    there = parts(amount, NodeState.LOST)
    assert there == Parts(missing=max(amount.planned, amount.offered, amount.used))


@pytest.mark.parametrize(
    ("node", "look"),
    [
        (a_node(), Look.FULL),
        (a_free_node(), Look.FREE),
        (a_free_node(amounts={GPU: Amount(8, 8, 1)}), Look.PARTLY),
        (a_free_node(pods=("launcher",)), Look.PARTLY),
        (a_system_node(pods=("launcher",)), Look.PARTLY),
        (a_system_node(), Look.FREE),
        (a_node(amounts={EFA: Amount(32, 31, 31)}), Look.SHORT),
        (a_node(amounts={EFA: Amount(32, 31, 32)}), Look.SHORT),
        (a_free_node(amounts={"hugepages-2Mi": Amount(5128 * MIB, 0, 0)}), Look.SHORT),
        (a_node(state=NodeState.LOST), Look.LOST),
    ],
)
def test_how_a_node_looks(node, look):
    """Lost before degraded, degraded before full."""
    assert draw_node(node).look is look


@given(nodes())
def test_every_node_is_in_the_picture_once(seen):
    """In its zone and in its group; a zone that nobody said comes last."""
    there = [
        (zone.name, group.name, each.node) for zone in draw_zones(seen) for group in zone.groups for each in group.nodes
    ]
    assert sorted(name for *_, node in there for name in [node.name]) == sorted(node.name for node in seen)
    assert all((zone, group) == (node.zone, node.group) for zone, group, node in there)
    named = [zone.name for zone in draw_zones(seen)]
    assert named == sorted({node.zone for node in seen} - {""}) + [""] * any(not node.zone for node in seen)


@given(nodes())
def test_totals_are_the_sums_of_the_nodes_that_are_there(seen):
    """Planned of all, offered and used of those that are not lost."""
    expected = {}
    for group in dict.fromkeys(node.group for node in seen):
        sums = {}
        for node in seen:
            if node.group == group:
                for resource, amount in node.amounts.items():
                    there = node.state is NodeState.READY
                    now = (amount.planned, amount.offered * there, amount.used * there)
                    sums[resource] = tuple(map(sum, zip(sums.get(resource, (0, 0, 0)), now, strict=True)))
        expected[group] = sums
    said = {
        group.name: {each.resource: (each.planned, each.parts.offered, each.parts.in_use) for each in group.resources}
        for group in group_totals(seen)
    }
    for group, sums in expected.items():
        assert {resource: said[group].get(resource, (0, 0, 0)) for resource in sums if any(sums[resource])} == {
            resource: each for resource, each in sums.items() if any(each)
        }
    assert {group.name: group.nodes for group in group_totals(seen)} == Counter(node.group for node in seen)


def test_large_groups_become_tiles():
    """One node more than cards are drawn of, or more cards than a page takes; what still fits is drawn."""
    (zone,) = draw_zones(a_node(number) for number in range(MOST_CARDS))
    assert zone.groups[0].cards
    (zone,) = draw_zones(a_node(number) for number in range(MOST_CARDS + 1))
    assert not zone.groups[0].cards
    (zone,) = draw_zones(a_node(number, group=f"g{number // 10}") for number in range(MOST_CARDS_IN_ALL + 10))
    assert [group.cards for group in zone.groups] == [True] * 7 + [False, True]


def test_exceptional_is_who_looks_unlike_the_most():
    """The worst first; where most are lost, the lost ones are not passed over."""
    mixed = [a_node(0), a_node(1), a_free_node(2), a_node(3, state=NodeState.LOST)]
    (zone,) = draw_zones(mixed)
    assert [each.node.name for each in zone.groups[0].exceptional] == [mixed[3].name, mixed[2].name]
    lost = [a_node(number, state=NodeState.LOST) for number in range(3)]
    (zone,) = draw_zones(lost)
    assert [each.node for each in zone.groups[0].exceptional] == lost


@given(st.integers(0, 31))
def test_a_partly_used_node_is_filled_to_the_quarter_below(used):
    """By the device it is fullest of; never shown as empty or full."""
    node = draw_node(a_free_node(amounts={EFA: Amount(32, 32, used), GPU: Amount(8, 8, 0)}))
    assert node.quarters == max(1, used * 4 // 32)


def test_accelerators_come_before_efa_and_both_before_memory():
    """As people look for them."""
    assert ordered(["memory", EFA, "cpu", "hugepages-2Mi", GPU]) == [GPU, EFA, "cpu", "hugepages-2Mi", "memory"]


R, W, N = PodState.RUNNING, PodState.WAITING, PodState.NOT_CREATED


@pytest.mark.parametrize(
    ("verdict", "states", "said"),
    [
        (Verdict.STARTS, (R,), "nccl-tests starts on p5-odcr: 1 of 1 pod runs"),
        (Verdict.STARTS, (R, R, R), "nccl-tests starts on p5-odcr: 3 of 3 pods run"),
        (Verdict.STARTS, (R, R, N), "nccl-tests starts on p5-odcr: 2 of 3 pods run, 1 is not created"),
        (Verdict.DOES_NOT_START, (R, R, W), "nccl-tests does not start on p5-odcr: 1 of 3 pods waits"),
        (Verdict.DOES_NOT_START, (W,), "nccl-tests does not start on p5-odcr: 1 of 1 pod waits"),
        (
            Verdict.DOES_NOT_START,
            (W, W, N, N),
            "nccl-tests does not start on p5-odcr: 2 of 4 pods wait, 2 are not created",
        ),
        (Verdict.DOES_NOT_START, (R, N), "nccl-tests does not start on p5-odcr: 1 of 2 pods is not created"),
        (Verdict.DOES_NOT_START, (N, N), "nccl-tests does not start on p5-odcr: 2 of 2 pods are not created"),
        (Verdict.DOES_NOT_START, (R,), "nccl-tests does not start on p5-odcr: 1 of 1 pod runs"),
        (Verdict.STARTS, (R, W), "nccl-tests starts on p5-odcr: 1 of 2 pods runs, 1 waits"),
        (Verdict.DOES_NOT_START, (), "nccl-tests does not start on p5-odcr: it has no pods"),
    ],
)
def test_the_verdict_in_a_sentence(verdict, states, said):
    """Every number agrees with its verb."""
    pods = tuple(a_pod(number, state) for number, state in enumerate(states))
    assert headline(an_outcome(verdict=verdict, pods=pods)) == said


def test_pods_that_do_not_run_are_told_apart_by_state_and_reason():
    """Those that nobody has created, and those that nobody listed, are not passed over."""
    made = one_too_few(2)
    outcome = an_outcome(
        pods=(*made.pods, a_pod(6, PodState.NOT_CREATED)), waiting=(*made.waiting, Waiting("stray", REASON, FULL))
    )
    asks = ((GPU, 8), (EFA, 32), ("cpu", 96000), ("memory", 32000 * MIB))
    assert not_running(outcome) == (
        AlikePods(
            ("nccl-tests-worker-4", "nccl-tests-worker-5"), "worker", PodState.WAITING, asks, REASON, "group-full"
        ),
        AlikePods(("nccl-tests-worker-6",), "worker", PodState.NOT_CREATED, asks, "", ""),
        AlikePods(("stray",), "", PodState.WAITING, (), REASON, "group-full"),
    )
