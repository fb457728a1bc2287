"""Whatever a stack file and its facts say, `check` answers in words: a place, what was found, what to do. It never
crashes, and never takes our bug for the user's fault or the user's fault for our bug."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.cli.exits import Exit
from muster.cli.findings import Report
from muster.cli.stacks import judge_stack
from muster.cli.writers import json as as_json_report
from muster.cli.writers import text as as_text
from muster.finding import SCHEMA
from muster.policies.engine.catalogue import all_rules
from muster.policies.engine.suppressions import SUPPRESSION
from muster.stack.stack_file import load
from muster.terminal import Style
from tests.damage import as_json, crossed, damaged, scribbled, written
from tests.factories import AS_OF
from tests.strategies import Described, legal
from tests.strategies.hyperpod import legal_hyperpod
from tests.strategies.parallelcluster import legal_slurm

KNOWN = {rule.id for rule in all_rules()} | {SCHEMA, SUPPRESSION}


KINDS = (legal, legal_hyperpod, legal_slurm)


EACH = 5
"""How often each drawn description is damaged: to draw one costs more than to judge it."""


@st.composite
def files(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Texts of stack files and of the facts beside them, of one description, with damage in either, both or none."""
    kind = draw(st.sampled_from(KINDS))
    one, other = draw(kind()), draw(kind())
    drawn = random.Random(draw(st.integers(0, 2**32)))
    return [_files(one, other, drawn) for _ in range(EACH)]


def _files(one: Described, other: Described, drawn: random.Random) -> tuple[str, str]:
    """A stack file and its facts; empty for no facts."""
    cluster: Any = one.document
    facts: Any = {"contract": 1, **one.facts}
    kind = drawn.randrange(8)
    if kind < 5:
        cluster = crossed(cluster, other.document, drawn)
        facts = crossed(facts, other.facts, drawn) if drawn.randrange(2) else facts
    elif kind < 7:
        cluster = damaged(cluster, drawn, [facts, *one.facts.values()])
    if not drawn.randrange(8):
        facts = damaged(facts, drawn, [one.document])
    document: Any = {"config": {"aws:region": one.region, "muster:cluster": cluster}}
    if not drawn.randrange(20):
        document = damaged(document, drawn)
    text, known = written(document), as_json(facts) if one.facts or drawn.randrange(2) else ""
    if not drawn.randrange(8):
        text = scribbled(text, drawn)
    if not drawn.randrange(20):
        known = scribbled(known, drawn)
    return text, known


def told(folder: Path, text: str, facts: str) -> Report:
    """What `check` says of files with that text."""
    stack, known = folder / "Pulumi.random.yaml", folder / "facts" / "random.json"
    known.parent.mkdir(exist_ok=True)
    stack.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
    known.unlink(missing_ok=True)
    if facts:
        known.write_text(facts, encoding="utf-8", errors="surrogatepass", newline="")
    return Report((judge_stack(load("random", stack, known), AS_OF).report,))


def hold(report: Report) -> None:
    """The laws of every report."""
    (one,) = report.stacks
    assert report.exit() in {Exit.CLEAN, Exit.FINDINGS, Exit.INPUT}
    assert (report.exit() is Exit.INPUT) == (not one.readable)
    for each in one.findings:
        assert Path(each.where.file).suffix in {".yaml", ".json"}
        assert each.where.line >= 1
        assert each.where.column >= 1
        assert each.rule in KNOWN
        assert (each.rule == SCHEMA) == (not one.readable)
        for words in (each.got, each.remedy):
            assert words.strip(), each
            assert "Traceback" not in words
            assert "Error:" not in words
    for missing in one.not_evaluated:
        assert missing.missing.strip(), missing
    # What is said can be written down, in either form.
    assert list(as_text.lines(report, Style(colour=False)))
    assert as_json_report.write(report)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files are written, one after the other."""
    return tmp_path_factory.mktemp("damaged")


@settings(max_examples=120 // EACH)
@given(every=files())
def test_whatever_is_given_gets_words(folder: Path, every: list[tuple[str, str]]) -> None:
    """A hundred descriptions and facts, legal or broken at random."""
    for text, facts in every:
        hold(told(folder, text, facts))


@pytest.mark.slow
@settings(max_examples=10_000 // EACH)
@given(every=files())
def test_whatever_is_given_gets_words_ten_thousand_times(folder: Path, every: list[tuple[str, str]]) -> None:
    """The same, often enough to meet what is rare."""
    for text, facts in every:
        hold(told(folder, text, facts))
