"""An example of a rule: what passes it, what breaks it, and the output for each, as lines of a page."""

import textwrap
from collections.abc import Iterable
from dataclasses import dataclass

from muster.finding import Finding
from muster.fleet.resources import Ref

_WIDTH = 110


@dataclass(frozen=True, slots=True)
class Example:
    """Two blocks of Markdown, and their source."""

    passes: tuple[str, ...]
    fails: tuple[str, ...]
    of: str
    """The source file, below the root: an entry of the corpus, or a program."""


def fenced(kind: str, lines: Iterable[str]) -> tuple[str, ...]:
    """A block of code with an empty line after it."""
    return (f"```{kind}", *lines, "```", "")


def said(findings: Iterable[Finding]) -> tuple[str, ...]:
    """Findings as `muster check` prints them, but without line and column, because an example is not in a file."""
    lines: list[str] = []
    for each in sorted(findings):
        what = f"{place(each.where)}: {each.level} {each.rule}: {each.got}"
        lines += textwrap.wrap(what, _WIDTH, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        lines += textwrap.wrap(
            each.remedy,
            _WIDTH,
            initial_indent="    fix: ",
            subsequent_indent="         ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return fenced("text", lines)


def place(where: str) -> str:
    """A path of the description unchanged, a resource as its type and name."""
    if not where.startswith("urn:"):
        return where
    ref = Ref.of_urn(where)
    return f"{ref.type}::{ref.name}"


def things(count: int) -> str:
    """The number of resources that a rule evaluated."""
    return "1 resource" if count == 1 else f"{count} resources"
