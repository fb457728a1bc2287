"""The page of a rehearsal: read as a browser reads it, compared with the outcome it was made of."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from muster.cli.writers.rehearsal_html import MOST_CELLS
from muster.rehearsal.outcome import Amount, Cause, Moment, NodeState, PodState, Verdict, Waiting
from tests.cli.page import Element, read
from tests.cli.rehearsals import (
    EFA,
    FULL,
    GPU,
    REASON,
    a_drill,
    a_free_node,
    a_node,
    a_pod,
    an_outcome,
    nodes,
    one_too_few,
)

# What it states.


def test_a_job_that_starts():
    """Verdict, pods and moments, and nothing about causes or drills."""
    page = read(an_outcome())
    assert page.one("title").text == page.one("h1").children[1].text == "nccl-tests starts on p5-odcr: 1 of 1 pod runs"
    assert page.one("header").classes == ["verdict", "good"]
    assert page.one("h1").children[0].text == "✓"
    assert page.one("p", of="over").text == "Rehearsal MPIJob nccl-tests stack p5-odcr Kubernetes 1.35"
    assert [each.text for each in page.one("section", id="timeline").all("li")] == [
        "0.0 s • the job was sent",
        "1.2 s ✓ all pods run",
    ]
    assert [each.attributes.get("id") for each in page.one("main").children] == [
        "cluster",
        "timeline",
        "played",
        "run",
    ]


def test_a_job_that_does_not_start():
    """Cause, remedy, the key in the stack file, who waits, the scheduler's words."""
    page = read(one_too_few())
    assert page.one("h1").children[1].text == "nccl-tests does not start on p5-odcr: 1 of 5 pods waits"
    assert page.one("header").classes == ["verdict", "bad"]
    cause = page.one("section", id="causes").one("article")
    assert cause.one("h3").text == FULL.said
    assert cause.one("p", of="who").text == "1 pod: nccl-tests-worker-4 group-full"
    assert cause.one("p", of="remedy").text == f"What to do: {FULL.remedy}"
    assert cause.one("p", of="where").text == "In the stack file: groups.workers.nodes"
    assert cause.one("blockquote").text == REASON


def test_the_head_tells_the_worst_of_all_drills():
    """A job that starts and never comes back is no good news."""
    page = read(an_outcome(drills=(a_drill(), a_drill(name="lose-zone us-west-2a", running_at_last=0))))
    assert page.one("header").classes == ["verdict", "bad"]
    assert page.one("h1").children[0].text == "✕"
    assert page.one("title").text.endswith(", but does not recover from lose-zone us-west-2a (0 of 4 run)")
    assert read(an_outcome(drills=(a_drill(),))).one("header").classes == ["verdict", "good"]


def test_the_arithmetic():
    """A row for each resource, its amounts in one unit, what is too little marked."""
    table = read(one_too_few()).one("table", of="sums")
    assert table.rows() == [
        [
            "Resource",
            "Requested per pod",
            "Most free on a node",
            "Most on a node",
            "Nodes",
            "Offered in all",
            "In use",
        ],
        ["nvidia.com/gpu", "8", "0", "8", "4", "32", "32"],
        ["memory", "32000Mi", "1928153Mi", "1928154Mi", "4", "7712616Mi", "1Mi"],
    ]
    assert [(each.attributes["data-label"], each.text) for each in table.all(of="too-little")] == [
        ("Most free on a node", "0")
    ]


def test_a_thousand_pods_with_one_cause_are_one_entry():
    """With their number and a few names."""
    page = read(one_too_few(waiting=1000))
    assert page.one("section", id="causes").one("p", of="who").text == (
        "1000 pods: nccl-tests-worker-4, nccl-tests-worker-5, nccl-tests-worker-6 and 997 more group-full"
    )
    head, *rows = page.one("section", id="waiting").one("table").rows()
    assert head == ["Pods", "Role", "State", "Each requests", "Original message", "Cause"]
    named = ", ".join(f"nccl-tests-worker-{number}" for number in range(4, 9))
    assert rows == [
        [
            f"1000: {named} and 995 more",
            "worker",
            "waiting",
            "8 nvidia.com/gpu 32 vpc.amazonaws.com/efa 96 cpu 32000Mi memory",
            REASON,
            "group-full",
        ]
    ]


def test_lists_end_with_the_number_of_what_is_left_out():
    """A thousand pods, each with a cause and words of its own, and a thousand moments."""
    late = tuple(a_pod(number, PodState.WAITING) for number in range(1000))
    outcome = an_outcome(
        pods=late,
        waiting=tuple(Waiting(pod.name, pod.name, Cause("c", pod.name, "r")) for pod in late),
        moments=tuple(Moment(number, str(number)) for number in range(1000)),
    )
    page = read(outcome)
    assert len(page.one("section", id="causes").all("article")) == 8
    assert page.one("section", id="causes").children[-1].text.startswith("and 992 more causes")
    assert len(page.one("section", id="waiting").all("tr")) == 1 + 40
    assert page.one("section", id="waiting").children[-1].text.startswith("and 960 pods more, in 960 further groups")
    moments = [each.text for each in page.one("section", id="timeline").all("li")]
    assert (len(moments), moments[40]) == (40 + 1 + 20, "940 more moments between")


def test_a_node_on_a_card():
    """Devices in cells and words, what is measured, the pods."""
    node = a_node(amounts={EFA: Amount(32, 31, 20), GPU: Amount(8, 7, 8), "memory": Amount(2**30, 2**30, 0)})
    card = read(an_outcome(nodes=(node,))).one("li", of="card")
    assert card.one("h5").text == node.name
    assert card.one("p", of="is").text == "offering less"
    assert [(each.one("dt").text, each.one("dd").text) for each in card.one("dl").children] == [
        ("GPU", "8 of 8 used, 1 no longer offered"),
        ("EFA", "20 of 32 used, 11 free, 1 not offered"),
        ("cpu", "96000m of 191450m"),
    ]
    assert [each.text for each in card.one("ul", of="pods").children] == ["nccl-tests-worker-0"]
    assert [each.attributes["aria-label"] for each in card.all(of="cells")] == [
        "8 used, 0 free, 1 of the used no longer offered",
        "20 used, 11 free, 1 not offered",
    ]


def test_a_lost_node_says_so():
    """In words, not by colour alone."""
    card = read(an_outcome(nodes=(a_node(state=NodeState.LOST),))).one("li", of="card")
    assert (card.classes, card.one("p", of="is").text) == (["card", "lost"], "lost")
    assert [each.one("dd").text for each in card.one("dl").children] == [
        "0 of 8 used, 8 not offered",
        "0 of 32 used, 32 not offered",
    ]


def test_totals():
    """What a group's nodes have together, in one unit a row."""
    table = read(an_outcome(nodes=(a_node(), a_free_node(1)))).one("table", of="totals")
    assert table.rows()[1:] == [
        ["workers 2 nodes"],
        ["nvidia.com/gpu", "16", "16", "8", "8", ""],
        ["vpc.amazonaws.com/efa", "64", "64", "32", "32", ""],
        ["cpu", "382900m", "382900m", "96000m", "286900m", ""],
    ]


def test_a_drill():
    """What it means, how many pods ran when, and why some waited."""
    drill = read(an_outcome(drills=(a_drill(),))).one("article", of="drill")
    assert drill.one("h3").text == "lose-nodes 1"
    assert drill.one("p", of="said").text == "the job stops, and starts anew once the node is replaced"
    assert [(each.classes, each.text) for each in drill.one("ul", of="stages").children] == [
        (["same"], "4 pods run before"),
        (["less"], "3 pods run while it lasts (fewer)"),
        (["same"], "4 pods run at last"),
    ]
    assert drill.one("ol", of="moments").text == "10.0 s ✕ a node is lost"
    assert drill.one("h4").text == FULL.said


def test_what_was_played_and_how_the_run_went():
    """Stand-ins with reasons, notes, programs, steps and memory."""
    page = read(an_outcome(notes=("nobody named the EFA plugin",)))
    assert page.one("section", id="played").one("table").rows()[1:] == [
        ["MPI operator", "the pods it makes", "its controller is in no registry"]
    ]
    assert page.one("section", id="notes").one("li").text == "nobody named the EFA plugin"
    programs, times = page.one("section", id="run").all("table")
    assert programs.rows() == [["Program", "Version", "From"], ["etcd", "3.6.5", "built"]]
    assert times.rows()[1:] == [
        ["control plane", "3.0 s", ""],
        ["job", "1.2 s", ""],
        ["total", "4.5 s", ""],
        ["most memory at once", "812 MiB", ""],
    ]


def test_nothing_at_all_is_still_a_page():
    """No nodes, no pods, nothing that happened."""
    page = read(
        an_outcome(
            nodes=(),
            pods=(),
            programs=(),
            simulated_parts=(),
            moments=(),
            seconds={},
            peak_memory_mib=0,
            verdict=Verdict.STARTS,
        )
    )
    assert page.one("h1").children[1].text == "nccl-tests starts on p5-odcr: it has no pods"
    assert page.one("section", id="cluster").text == "Cluster It has no nodes."
    assert page.one("section", id="timeline").text == "Timeline Nothing happened."


# The picture and the numbers are the outcome's.


def _pieces(drawn: Element) -> dict[str, int]:
    """How much of what a picture shows: cells counted, parts of a bar by their share."""
    found = dict.fromkeys("ufmo", 0)
    for each in drawn.children:
        (kind,) = each.classes
        found[kind] += 1 if "cells" in drawn.classes else int(each.attributes["style"].removeprefix("flex-grow:"))
    return found


def _expected(amount: Amount, state: NodeState) -> dict[str, int]:
    if state is NodeState.LOST:
        return {"u": 0, "f": 0, "m": max(amount.planned, amount.offered, amount.used), "o": 0}
    return {
        "u": min(amount.used, amount.offered),
        "f": max(0, amount.offered - amount.used),
        "m": max(0, amount.planned - max(amount.offered, amount.used)),
        "o": max(0, amount.used - amount.offered),
    }


@settings(max_examples=60)
@given(nodes())
def test_every_amount_of_every_node_is_shown(seen):
    """On cards, as tiles, and in the totals."""
    page = read(an_outcome(nodes=seen))
    assert_cells_are_in_the_outcome(page, seen)
    assert_each_node_has_its_card_or_its_tile(page, seen)
    assert_totals_are_the_sums(page, seen)


def assert_cells_are_in_the_outcome(page, seen):
    """As many used, free and not offered as the node has, of each of its devices, on the card with its name."""
    by_name = {node.name: node for node in seen}
    for card in page.all("li", of="card"):
        node = by_name[card.one("h5").text]
        shown = {each.one("dt").attributes["title"]: each.one(role="img") for each in card.all(of="device")}
        devices = {name: _expected(amount, node.state) for name, amount in node.amounts.items() if "/" in name}
        assert {name: _pieces(drawn) for name, drawn in shown.items()} == {
            name: each for name, each in devices.items() if any(each.values())
        }
        assert all(len(drawn.children) <= MOST_CELLS for drawn in shown.values())


def assert_each_node_has_its_card_or_its_tile(page, seen):
    """Each once; the summary beside the tiles counts the same."""
    tiles = [each for group in page.all(of="tiles") for each in group.children]
    names = [each.one("h5").text for each in page.all("li", of="card")]
    names += [each.attributes["title"].partition(":")[0] for each in tiles]
    assert sorted(names) == sorted(node.name for node in seen)
    for section in page.all("section", of="group"):
        for group in section.all(of="tiles"):
            looks = [each.attributes["title"].partition(": ")[2].partition(",")[0] for each in group.children]
            summary = re.findall(r"(\d+) ([a-z ]+?)(?= \d|$)", section.one("p", of="summary").text)
            assert {look: int(number) for number, look in summary} == {look: looks.count(look) for look in looks}


def assert_totals_are_the_sums(page, seen):
    """The bar in the table shows what the nodes of the group have together."""
    expected = {}
    for node in seen:
        for resource, amount in node.amounts.items():
            now = expected.setdefault((node.group, resource), dict.fromkeys("ufmo", 0))
            for kind, number in _expected(amount, node.state).items():
                now[kind] += number
    shown = {}
    for table in page.all("table", of="totals"):
        for group in table.all("tbody"):
            head, *rows = group.children
            name = head.one("bdi").text
            shown |= {(name, row.one("th").text): _pieces(row.one(role="img")) for row in rows}
    assert shown == {key: each for key, each in expected.items() if any(each.values())}


@given(st.lists(st.sampled_from(PodState), max_size=MOST_CELLS + 5))
def test_every_pod_is_in_the_head(states):
    """As many running, waiting and not created as there are."""
    page = read(an_outcome(pods=tuple(a_pod(number, state) for number, state in enumerate(states))))
    drawn = [_pieces(each.one(role="img")) for each in page.all(of="podline")]
    running, waiting, unmade = (states.count(state) for state in PodState)
    assert drawn == [{"u": running, "m": waiting, "f": unmade, "o": 0}] * bool(states)
