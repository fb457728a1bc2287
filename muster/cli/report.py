"""The findings model: what `check`, `plan` and `job` found, in one form that every writer reads.

Writers (`muster.cli.writers`) turn it into text and JSON; another format is another writer, nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from muster.cli.exits import Exit, worst
from muster.fleet.finding import Level, NotEvaluated

CONTRACT = 1
"""The version of everything `--json` prints."""


@dataclass(frozen=True, slots=True, order=True)
class Where:
    """A place in a file, and what it is called there: a dotted path, or the URN of a resource."""

    file: str
    line: int
    column: int
    path: str


@dataclass(frozen=True, slots=True, order=True)
class Found:
    """One finding with its place and its rule's source."""

    where: Where
    rule: str
    level: Level
    resource: str
    got: str
    remedy: str
    source: str


@dataclass(frozen=True, slots=True, order=True)
class Silenced:
    """A finding that a suppression covers."""

    rule: str
    resource: str
    reason: str
    until: date
    at: str = ""
    """The place as the suppression says it."""


@dataclass(frozen=True, slots=True, order=True)
class Blank:
    """A value still to be filled in: the engine refuses it, `check` does not."""

    where: Where
    value: str


@dataclass(frozen=True, slots=True)
class StackReport:
    """Everything that is said of one stack."""

    stack: str
    judged: Mapping[str, int] = field(default_factory=dict)
    """Rule -> how many objects it was asked about."""
    objects: int = 0
    """How many objects there were to judge."""
    findings: tuple[Found, ...] = ()
    not_evaluated: tuple[NotEvaluated, ...] = ()
    suppressed: tuple[Silenced, ...] = ()
    placeholders: tuple[Blank, ...] = ()
    readable: bool = True
    """False: the form of its files is wrong, so no rule was asked."""
    known: tuple[Found, ...] = ()
    """Findings that the baseline has, which are no findings of this run."""
    gone: tuple[str, ...] = ()
    """Entries of the baseline that no longer match, in words: it can shrink."""

    def count(self, level: Level) -> int:
        """How many findings are of this level."""
        return sum(found.level is level for found in self.findings)

    def exit(self, *, strict: bool = False) -> Exit:
        """What this stack alone would exit with."""
        if not self.readable:
            return Exit.INPUT
        if self.count(Level.MANDATORY):
            return Exit.FINDINGS
        return Exit.UNJUDGED if strict and self.not_evaluated else Exit.CLEAN


@dataclass(frozen=True, slots=True)
class Report:
    """Everything one command found."""

    stacks: tuple[StackReport, ...]

    def exit(self, *, strict: bool = False) -> Exit:
        """The command's exit code."""
        return worst(stack.exit(strict=strict) for stack in self.stacks)
