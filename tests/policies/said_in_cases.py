"""What is said in cases, word by word: `tests/golden/cases/TOPIC.txt`, which `make goldens` writes.

Whoever changes a rule sees in the difference each sentence that it changes.
"""

from collections.abc import Iterator
from functools import cache
from itertools import groupby
from pathlib import Path

from policies.engine.judgement import Judgement
from tests.policies.case import Case, cases, judged
from tests.stack_files import ROOT

FOLDER = Path("tests/golden/cases")


def said(judgement: Judgement) -> str:
    """All that is said: rule, level, place and resource; below them what was found and what to do, or what was
    missing."""
    lines: list[str] = []
    for each in judgement.findings:
        about = f" ({each.resource})" if each.resource != each.where else ""
        lines += [f"  {each.rule} {each.level} @ {each.where}{about}", f"    {each.got}", f"    {each.remedy}"]
    for miss in judgement.not_evaluated:
        lines += [f"  {miss.rule} not evaluated @ {miss.resource}", f"    {miss.missing}"]
    return "\n".join(lines)


def pages() -> Iterator[tuple[Path, str]]:
    """Each topic's file, below the root, and its text."""
    in_order = sorted(cases(), key=lambda one: (_topic(one), one.name))
    for topic, of_topic in groupby(in_order, key=_topic):
        told = ((one.name, said(judged(one))) for one in of_topic)
        yield FOLDER / f"{topic}.txt", "\n".join(f"{name}\n{text or '  nothing'}\n" for name, text in told)


def written(one: Case) -> str:
    """What a case's file has of it.

    Raises:
        KeyError: nothing; `make goldens` was not run since the case was written.
    """
    return _file(_topic(one))[one.name]


@cache
def _file(topic: str) -> dict[str, str]:
    text = (ROOT / FOLDER / f"{topic}.txt").read_text(encoding="utf-8")
    blocks = (block.partition("\n") for block in text.rstrip("\n").split("\n\n"))
    return {name: "" if text == "  nothing" else text for name, _, text in blocks}


def _topic(one: Case) -> str:
    return one.name.partition(".")[0]
