"""The report of one stack: its findings at their places, whether its files could be read or not."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from muster.cli.report import Blank, Found, Silenced, StackReport, Where
from muster.fleet.finding import Finding, Level
from muster.fleet.located import Located
from muster.fleet.placeholders import placeholders
from muster.fleet.stack_file import StackFile

if TYPE_CHECKING:
    from policies.judgement import Judgement, RuleCrashed


STACK_FORM = "the form of a stack file (`muster schema stack` prints it)"
FACTS_FORM = "the form of facts (`muster schema facts` prints it)"


def faulty(opened: StackFile, faults: Iterable[Located]) -> StackReport:
    """The report of a stack whose files cannot be read."""
    told = (found(each, FACTS_FORM if each.file.suffix == ".json" else STACK_FORM) for each in faults)
    return StackReport(opened.stack, findings=tuple(told), readable=False, file=str(opened.document.file))


def crashed(opened: StackFile, bug: Exception) -> StackReport:
    """The report of a stack that Muster itself fails on: no rule was asked."""
    return StackReport(opened.stack, file=str(opened.document.file), bugs=(f"{type(bug).__name__}: {bug}",))


def report(
    opened: StackFile,
    judgement: "Judgement",
    objects: int,
    crashes: "Iterable[RuleCrashed] | None" = None,
    laws: Iterable[str] = (),
) -> StackReport:
    """The report of a judged stack, with the rules that raised, and what else Muster contradicts itself in."""
    from policies.catalogue import rules

    sources = {rule.id: rule.source for rule in rules()}

    def placed(finding: Finding) -> Found:
        return found(opened.locate(finding), sources.get(finding.rule, ""))

    told = map(placed, judgement.findings)
    return StackReport(
        stack=opened.stack,
        file=str(opened.document.file),
        judged=judgement.judged,
        objects=objects,
        findings=tuple(sorted(told)),
        not_evaluated=judgement.not_evaluated,
        placeholders=_blanks(opened),
        suppressed=tuple(
            Silenced(
                each.finding.rule, each.finding.resource, each.reason, each.until, each.by.at, placed(each.finding)
            )
            for each in judgement.suppressed
        ),
        bugs=(*map(str, crashes or ()), *laws),
    )


def _blanks(opened: StackFile) -> tuple[Blank, ...]:
    """Every value that is still to be filled in, in the order of the file."""
    if opened.described is None:
        return ()
    located = (opened.locate(each) for each in placeholders(opened.described))
    # Such a finding quotes the value, and says nothing else in quotes.
    return tuple(sorted(Blank(_where(each), each.finding.got[1:].rpartition("'")[0]) for each in located))


def _where(located: Located) -> Where:
    return Where(str(located.file), located.position.line, located.position.column, located.finding.where)


def place_of(opened: StackFile, path: str) -> Where:
    """Where a dotted path of the description stands in its file: the value there, or the nearest block around it."""
    return _where(opened.locate(Finding(path, "", Level.MANDATORY, "", "")))


def found(located: Located, source: str) -> Found:
    """A finding as reports have it: with its place in the file, and who says so."""
    finding = located.finding
    return Found(_where(located), finding.rule, finding.level, finding.resource, finding.got, finding.remedy, source)
