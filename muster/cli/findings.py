"""The report of `check`, `plan` and other commands, which every writer reads; and the names in reports that are not
rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from typing import NamedTuple

from muster.cli.exits import Exit, worst
from muster.edits import Remedy
from muster.finding import SCHEMA, Level, NotEvaluated
from muster.hardware.tables import read_text
from muster.message_text import shorten

CONTRACT = 1
"""The version of the output of `--json`."""


@dataclass(frozen=True, slots=True, order=True)
class Where:
    """A place in a file, with the dotted path of the value there; or the URN of a resource."""

    file: str
    """Empty where no file is known: a resource of another team's program."""
    line: int
    """From 1; 0 where only the file is known, or no file."""
    column: int
    path: str
    label: str | None = field(default=None, compare=False)
    """The resource in the words of its file: ``aws_eks_node_group.workers``. Empty if the file has only one; None for a
    resource of a Pulumi program, and for a path in a stack file."""

    @property
    def has_line(self) -> bool:
        """Whether the place is a line of a file. A resource has one where the program's SDK reports it."""
        return bool(self.file and self.line)

    @property
    def registered(self) -> str:
        """``aws:eks/nodeGroup:NodeGroup workers``, for a resource; empty for a path in a file."""
        if self.label is not None:
            return shorten(self.label)
        if not self.path.startswith("urn:"):
            return ""
        # Imported here: most commands print no resources, and this imports pydantic.
        from muster.fleet.resources.ref import Ref

        reference = Ref.of_urn(self.path)
        return shorten(f"{reference.type} {reference.name}")

    def __str__(self) -> str:
        """``stacks/Pulumi.p5-odcr.yaml:14:9``; the file and the path or URN where there is no line."""
        if self.has_line:
            return f"{self.file}:{self.line}:{self.column}"
        return ": ".join(filter(None, (self.file, shorten(self.path))))


@dataclass(frozen=True, slots=True, order=True)
class ReportedFinding:
    """One finding with its place and its rule's source."""

    where: Where
    rule: str
    level: Level
    resource: str
    got: str
    remedy: str
    source: str
    changes: tuple[Remedy, ...] = field(default=(), compare=False)
    """Of `Finding.changes`, where they are about the same file."""

    @property
    def details(self) -> tuple[str, ...]:
        """Lines with the remedy, the path or URN, and the source."""
        labelled = (("fix: ", self.remedy), ("at ", shorten(self.where.path)), ("source: ", self.source))
        return tuple(f"{label}{text}" for label, text in labelled if text)


class SuppressedFinding(NamedTuple):
    """A finding that a suppression covers."""

    found: ReportedFinding
    """Where only the suppression is known, it has no more than the rule and the place."""
    reason: str
    until: date
    at: str = ""
    """The place that the suppression names."""


class PlaceholderValue(NamedTuple):
    """A value still to be filled in: the engine refuses it, `check` does not."""

    where: Where
    value: str
    reason: str = ""
    """Why it counts as one: ``documentation range, RFC 5737``."""


@dataclass(frozen=True, slots=True)
class StackReport:
    """The results of one stack."""

    stack: str
    judged: Mapping[str, int] = field(default_factory=dict)
    """Rule -> the number of objects that it was evaluated on."""
    objects: int = 0
    """The number of objects to judge."""
    findings: tuple[ReportedFinding, ...] = ()
    not_evaluated: tuple[NotEvaluated, ...] = ()
    suppressed: tuple[SuppressedFinding, ...] = ()
    placeholders: tuple[PlaceholderValue, ...] = ()
    readable: bool = True
    """False if its files have schema errors: then no rule was evaluated."""
    known: tuple[ReportedFinding, ...] = ()
    """Findings that are in the baseline; they do not count as findings of this run."""
    gone: tuple[str, ...] = ()
    """Entries of the baseline that no finding matches any more, as text. They can be removed."""
    file: str = ""
    """The file that was judged: the place of findings that have no other. Empty where there is none."""
    project: str = ""
    """The project of another team's program, whose stacks may have the names of other projects' stacks. Empty for a
    stack in stacks/; of another stack file of Muster's, its folder."""
    bugs: tuple[str, ...] = ()
    """Bugs of Muster that this stack shows: a rule that raised, a resource that no view could read."""
    example_facts: str = ""
    """Its facts file, if it has the example values of a shipped stack and not those of an account."""

    @property
    def argument(self) -> str:
        """What names the stack on a command line here: its name, in the folder of its project; else its file."""
        return self.stack if self.file.startswith("stacks/") else self.file or self.stack

    @property
    def crashed(self) -> bool:
        """Whether Muster failed before it evaluated any rule, so that the stack has no verdict."""
        return bool(self.bugs) and not (self.judged or self.findings or self.not_evaluated or self.objects)

    def count(self, level: Level) -> int:
        """The number of findings of a level."""
        return sum(found.level is level for found in self.findings)

    def exit(self, *, strict: bool = False) -> Exit:
        """The exit code for this stack alone."""
        if self.bugs:
            return Exit.BUG
        if not self.readable or any(each.rule == SCHEMA and each.level is Level.MANDATORY for each in self.findings):
            return Exit.INPUT
        if self.count(Level.MANDATORY):
            return Exit.FINDINGS
        return Exit.UNJUDGED if strict and self.not_evaluated else Exit.CLEAN


@dataclass(frozen=True, slots=True)
class Report:
    """The report of one command."""

    stacks: tuple[StackReport, ...]
    strict: bool = False
    """Whether rules that were not evaluated count for the exit code."""
    bugs: tuple[str, ...] = ()
    """Bugs of Muster that the command found."""

    def exit(self) -> Exit:
        """The command's exit code."""
        own = (Exit.BUG,) if self.bugs else ()
        return worst((*own, *(stack.exit(strict=self.strict) for stack in self.stacks)))


ENGINE = "engine"
"""The rule name of findings about errors of the engine's run."""


@dataclass(frozen=True, slots=True)
class PseudoRule:
    """A name that reports have in place of a rule's id, and that is not a rule."""

    title: str
    why: str
    """What its findings mean, in one or two sentences."""
    remedy: str


@cache
def pseudo_rules() -> Mapping[str, PseudoRule]:
    """By name, from `pseudo_rules.yaml`."""
    import yaml

    texts = yaml.safe_load(read_text("pseudo_rules.yaml", "muster.cli"))
    return {name: PseudoRule(**sheet) for name, sheet in texts.items()}
