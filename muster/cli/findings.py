"""The report of `check`, `plan` and other commands, which every writer reads; and the names in reports that are not
rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date

from muster.cli.exits import Exit, worst
from muster.finding import NOT_MODELLED, SHAPE, Level, NotEvaluated

CONTRACT = 1
"""The version of the output of `--json`."""

CHANGE = "change"
"""The rule name of findings about changes since a commit."""


@dataclass(frozen=True, slots=True, order=True)
class Where:
    """A place in a file, with the dotted path of the value there; or the URN of a resource."""

    file: str
    """Empty where no file is known: a resource of another team's program."""
    line: int
    """From 1; 0 where only the file is known, or no file."""
    column: int
    path: str

    @property
    def has_line(self) -> bool:
        """Whether the place is a line of a file. A resource has none."""
        return bool(self.file and self.line) and not self.path.startswith("urn:")

    def __str__(self) -> str:
        """``stacks/Pulumi.p5-odcr.yaml:14:9``; the file and the path or URN where there is no line."""
        if self.has_line:
            return f"{self.file}:{self.line}:{self.column}"
        return ": ".join(filter(None, (self.file, self.path)))


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


@dataclass(frozen=True, slots=True, order=True)
class SuppressedFinding:
    """A finding that a suppression covers."""

    rule: str
    resource: str
    reason: str
    until: date
    at: str = ""
    """The place that the suppression names."""
    found: ReportedFinding | None = None
    """The suppressed finding; None where only the suppression is known."""


@dataclass(frozen=True, slots=True, order=True)
class PlaceholderValue:
    """A value still to be filled in: the engine refuses it, `check` does not."""

    where: Where
    value: str


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
    """False where its files have faults of form, so that no rule was evaluated."""
    known: tuple[ReportedFinding, ...] = ()
    """Findings that are in the baseline; they do not count as findings of this run."""
    gone: tuple[str, ...] = ()
    """Entries of the baseline that no finding matches any more, as text. They can be removed."""
    file: str = ""
    """The file that was judged: the place of findings that have no other. Empty where there is none."""
    project: str = ""
    """The project of another team's program, whose stacks may have the names of other projects' stacks. Empty for a
    stack of Muster's."""
    bugs: tuple[str, ...] = ()
    """Bugs of Muster that this stack shows: a rule that raised, a resource that no view could read."""

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
        if not self.readable:
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
    changes: tuple[ReportedFinding, ...] = ()
    """Changes of the first stack since a commit. Those that `--fail-on` covers are mandatory."""

    def exit(self, *, strict: bool = False) -> Exit:
        """The command's exit code."""
        own = (Exit.BUG,) if self.bugs else ()
        stopped = (Exit.FINDINGS,) if any(each.level is Level.MANDATORY for each in self.changes) else ()
        return worst((*own, *stopped, *(stack.exit(strict=strict or self.strict) for stack in self.stacks)))

    def with_changes(self) -> "Report":
        """A copy with the changes among the findings of the first stack, for formats without a field for changes."""
        if not self.changes:
            return self
        first, *others = self.stacks
        first = replace(first, findings=tuple(sorted((*first.findings, *self.changes))))
        return replace(self, stacks=(first, *others), changes=())


ENGINE = "engine"
"""The rule name of findings about errors of the engine's run."""


@dataclass(frozen=True, slots=True)
class PseudoRule:
    """A name that reports have in place of a rule's id, and that is not a rule."""

    title: str
    why: str
    """What its findings mean, in one or two sentences."""
    remedy: str


PSEUDO_RULES: Mapping[str, PseudoRule] = {
    CHANGE: PseudoRule(
        "What changes since a commit",
        "What is said otherwise, what becomes of resources, and what that costs.",
        "Read `muster plan STACK --against REF`; --fail-on says which cost stops.",
    ),
    ENGINE: PseudoRule(
        "An error of the engine's run",
        "The engine's events end in an error, so rules were asked of less than the whole program.",
        "Mend the program, and run `pulumi preview` again to its end.",
    ),
    "muster": PseudoRule(
        "What the rules are told of the world",
        "It judges nothing: facts, Region and suppressions of a configuration go by it, and what the pack as a whole "
        "could not judge.",
        "Configure it as docs/policies.md says.",
    ),
    "not-evaluated": PseudoRule(
        "What the pack could not judge",
        "The engine has no other name for it: the message begins with the rule's own, and ends with what was missing.",
        "Give what is missing; `muster explain RULE` explains that rule.",
    ),
    NOT_MODELLED: PseudoRule(
        "What could not be seen",
        "A resource of a type that no rule reads, an answer that only the account has, an argument or a file that was "
        "not followed: no rule could be asked about it, so it did not pass either.",
        "Judge it by hand, or a saved preview or state, which has more (docs/foreign.md); --strict stops at it.",
    ),
    SHAPE: PseudoRule(
        "The form of a file",
        "A file has the form that its schema says: keys, types, syntax.",
        "Mend it at the place that is named; `muster schema` prints the forms. It cannot be suppressed: no rule is "
        "asked before.",
    ),
    "suppression": PseudoRule(
        "A suppression that holds",
        "A suppression names a rule that finds something, and has not ended. One that is over, or ends in more than a "
        "year, is a mandatory finding; one that covers nothing is an advisory one.",
        "Mend what it covers, write another end, or remove it (docs/policies.md).",
    ),
}
