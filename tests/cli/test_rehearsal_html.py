"""The page of a rehearsal: what it states, and that no text changes it or makes it load anything."""

import re
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.cli.writers.rehearsal import headline, html_page
from tests.cli.printed_reports import WHERE
from tests.cli.rehearsals import FULL, HOSTILE, REASON, a_drill, an_outcome, everything_named, large, one_too_few

write = partial(html_page, places={})


class Page(HTMLParser):
    """Its tags with the names of their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, ...]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, *(name for name, _ in attrs)))

    def handle_endtag(self, tag: str) -> None:
        self.tags.append((f"/{tag}",))

    def handle_data(self, data: str) -> None:
        self.text += data


def test_what_the_page_states() -> None:
    """Verdict, cause, remedy, place, the scheduler's message, nodes, drills."""
    outcome = replace(one_too_few(), drills=(a_drill(),), notes=("a note",))
    text = Page(html_page(outcome, WHERE)).text
    stated = (
        *(headline(outcome), FULL.said, FULL.remedy, str(WHERE[FULL.where]), REASON, "nccl-tests-worker-4", "a note"),
        *("vpc.amazonaws.com/efa 32", "lose-nodes 1", "MPI operator", "etcd 3.6.5"),
    )
    assert [each for each in stated if each not in text] == []
    assert '<header class="edge bad">' in write(outcome)
    assert '<header class="edge good">' in write(an_outcome())


@pytest.mark.parametrize(
    "outcome",
    [an_outcome(), one_too_few(), an_outcome(drills=(a_drill(),)), large(60), *map(everything_named, HOSTILE)],
    ids=lambda outcome: ascii(outcome.job)[:30],
)
def test_the_page_is_self_contained(outcome) -> None:
    """No script, no request, no link; the policy forbids all but inline style; every character can be printed."""
    text = write(outcome)
    tags = Page(text).tags
    assert not {tag for tag, *_ in tags} & {"script", "img", "link", "iframe", "object", "a", "form", "base"}
    assert not [name for _, *names in tags for name in names if name.startswith("on") or name in {"src", "href"}]
    assert "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'" in text
    assert not re.search(r"url\(|@import", text.partition("</style>")[0])
    assert not [char for char in text if not char.isprintable() and char != "\n"]
    text.encode()


@given(st.one_of(st.text(min_size=1, max_size=30), st.sampled_from(HOSTILE)), st.sampled_from((1, 30)))
def test_texts_change_no_structure(text: str, count: int) -> None:
    """Whatever things are called, the tags and attributes are those of a page on which they are called x."""
    assert Page(write(everything_named(text, count))).tags == Page(write(everything_named("x", count))).tags


def test_the_page_of_a_large_cluster_stays_small() -> None:
    """A node is its name and its pods, and one cause has one place."""
    small, text = (write(replace(large(nodes), moments=())) for nodes in (100, 1_000))
    assert len(text) - len(small) < 150 * 900
