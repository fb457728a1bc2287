"""The picture of a rehearsed cluster: each node once, with its pods, whatever things are called."""

import re
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from muster.cli.writers.cluster_picture import FEW, Cell, Mark, picture_lines, places
from muster.cli.writers.rehearsal import html_page
from muster.rehearsal.outcome import Amount, NodeReport, Outcome
from muster.terminal import Style, text_of, visible
from tests.cli.rehearsals import EFA, HOSTILE, a_drill, an_outcome

NAMES = st.one_of(st.sampled_from((*HOSTILE, "", "us-west-2a", "workers")), st.text(max_size=100))


@st.composite
def outcomes(draw: st.DrawFn) -> Outcome:
    """Any cluster: nodes with and without pods, with all devices or fewer; some are lost."""
    names = draw(st.lists(NAMES, unique_by=visible, max_size=3 * FEW))
    words = st.sampled_from(draw(st.lists(NAMES, min_size=1, max_size=3)))
    nodes = [
        NodeReport(
            name,
            draw(words),
            draw(words),
            draw(words),
            {
                EFA: Amount(32, draw(st.sampled_from((31, 32))), draw(st.sampled_from((0, 32)))),
                "hugepages-2Mi": Amount(2**30, 2**30, 2**21),
            },
            tuple(draw(st.lists(NAMES, max_size=2))),
            draw(st.one_of(st.just(""), words)),
        )
        for name in names
    ]
    return an_outcome(nodes=tuple(nodes), drills=(a_drill(lost=tuple(name for name in names if draw(st.booleans()))),))


def mark_of(node: NodeReport, outcome: Outcome) -> Mark:
    """The mark that a node should have."""
    fewer = node.amounts[EFA].offered < 32
    if node.name in outcome.drills[0].lost:
        return Mark.LOST
    if node.pods:
        return Mark.RUNS_WITH_FEWER if fewer else Mark.RUNS
    return Mark.FEWER if fewer else Mark.OTHERS if node.amounts[EFA].used else Mark.FREE


def cells_of(outcome: Outcome) -> list[Cell]:
    """In the order of the picture."""
    return [cell for place in places(outcome) for cells in place.ultraservers.values() for cell in cells]


@given(outcomes())
def test_each_node_is_in_the_picture_once_where_it_belongs(outcome: Outcome) -> None:
    cells = [(cell.node, cell.mark) for cell in cells_of(outcome)]
    assert sorted(cells, key=repr) == sorted(((node, mark_of(node, outcome)) for node in outcome.nodes), key=repr)
    of_places = [
        {(cell.node.group, cell.node.instance, cell.node.zone) for each in place.ultraservers.values() for cell in each}
        for place in places(outcome)
    ]
    assert [len(each) for each in of_places] == [1] * len(set().union(*of_places))
    assert all(
        {cell.node.ultraserver for cell in each} == {name}
        for place in places(outcome)
        for name, each in place.ultraservers.items()
    )


class Found(HTMLParser):
    """The cells of a page: their classes and their texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.cells: list[list[str]] = []
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = dict(attrs).get("class") or ""
        if tag == "li":
            self.inside = classes.startswith("cell ")
            self.cells += [[classes.removeprefix("cell "), ""]] if self.inside else []

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "li"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.cells[-1][1] += data


@given(outcomes())
def test_the_page_has_each_node_with_its_pods(outcome: Outcome) -> None:
    found, cells = Found(html_page(outcome, {})).cells, cells_of(outcome)
    assert [classes for classes, _ in found] == [cell.mark.classes for cell in cells]
    for cell, (_, text) in zip(cells, found, strict=True):
        assert text.startswith(visible(cell.node.name))
        assert all(visible(pod) in text for pod in cell.node.pods)


@given(outcomes())
def test_the_picture_in_characters_fits_80_columns(outcome: Outcome) -> None:
    """And has the sign of each node."""
    lines = text_of(picture_lines(outcome, Style())).splitlines()
    assert max(map(len, lines), default=0) <= 80
    signs = "".join(mark.sign for mark in Mark)
    many = len(outcome.nodes) > FEW
    rows = (re.match(rf"  ([{signs}][{signs} ]*)$" if many else rf"  ([{signs}]) ", line) for line in lines)
    drawn = "".join(row[1].replace(" ", "") for row in rows if row)
    assert drawn == "".join(cell.mark.sign for cell in cells_of(outcome))
