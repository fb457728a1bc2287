"""An example of a rule: what keeps it, what breaks it, and the tool's output for each, as lines of a page."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from muster.finding import Finding
from muster.fleet.resources import Ref

_WIDTH = 110


@dataclass(frozen=True, slots=True)
class Example:
    """Two blocks of Markdown, by where they were taken from."""

    passes: tuple[str, ...]
    fails: tuple[str, ...]
    of: str
    """The file that it is taken from, below the root: an entry of the corpus, or a program."""


def fenced(kind: str, lines: Iterable[str]) -> tuple[str, ...]:
    """A block of code with an empty line behind it."""
    return (f"```{kind}", *lines, "```", "")


def said(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Findings as `muster check` prints them, but for the line and column: an example is in no file."""
    lines: list[str] = []
    for each in sorted(findings):
        what = f"{place(each.where)}: {each.level} {each.rule}: {each.got}"
        lines += textwrap.wrap(what, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        lines += textwrap.wrap(
            each.remedy,
            _WIDTH,
            initial_indent="    -> ",
            subsequent_indent="       ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return fenced("text", lines)


def place(where: str) -> str:
    """A path of the description as it is, a resource by its type and name."""
    if not where.startswith("urn:"):
        return where
    ref = Ref.of_urn(where)
    return f"{ref.type}::{ref.name}"


def things(count: int) -> str:
    """How many things a rule judged."""
    return "1 thing" if count == 1 else f"{count} things"
