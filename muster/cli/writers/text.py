"""A report as text for people: one line per finding that editors and terminals can jump to, counts at the end."""

from collections.abc import Iterable, Iterator

from muster.cli.findings import Report, ReportedFinding, StackReport
from muster.cli.terminal import Style, one_line
from muster.finding import Level
from muster.message_text import count_noun


def lines(report: Report, style: Style) -> Iterator[str]:
    """The whole report."""
    for stack in report.stacks:
        yield from stack_lines(stack, style)
    if len(report.stacks) > 1:
        yield _total(report, style)


def stack_lines(report: StackReport, style: Style) -> Iterator[str]:
    """One stack: its findings, what was not evaluated, what is suppressed, the counts, and the placeholders."""
    yield from findings(report.findings, style)
    yield from _unjudged(report, "for want of", style)
    for silenced in report.suppressed:
        what = f"suppressed until {silenced.until}: {silenced.rule} at {silenced.resource}: {silenced.reason}"
        yield one_line(f"{report.stack}: {what}")
    for entry in report.gone:
        yield one_line(f"{report.stack}: in the baseline and no longer found: {entry} (--write-baseline leaves it out)")
    yield summary(report, style)
    for blank in report.placeholders:
        where = blank.where
        yield one_line(f"    {where.file}:{where.line}:{where.column} {where.path} {blank.value}")


def verification_lines(report: StackReport, style: Style) -> Iterator[str]:
    """One cluster against its stack: the findings, what was not evaluated, the counts. No rules are involved."""
    yield from findings(report.findings, style)
    yield from _unjudged(report, "and how to see it", style)
    yield f"{report.stack}: {_counts([report], style)}"


def _unjudged(report: StackReport, why: str, style: Style) -> Iterator[str]:
    """The rules that were not evaluated, grouped by the missing value."""
    if report.not_evaluated:
        yield f"{report.stack}: not evaluated, {why}"
    wanting: dict[str, list[str]] = {}
    for each in report.not_evaluated:
        who = f"{each.rule} ({each.resource})" if each.resource else each.rule
        wanting.setdefault(each.missing, []).append(who)
    for missing, rules in sorted(wanting.items()):
        yield f"    {one_line(missing)}: {style.dim(one_line(', '.join(rules)))}"


def findings(found: Iterable[ReportedFinding], style: Style) -> Iterator[str]:
    """Each finding: where and what, then what to do, then its source."""
    for each in found:
        paint = style.bad if each.level is Level.MANDATORY else style.warn
        yield f"{one_line(str(each.where))}: {paint(f'{each.level.value} {each.rule}')}: {one_line(each.got)}"
        if each.remedy:
            yield f"    -> {one_line(each.remedy)}"
        details = [f"at {each.where.path}" if each.where.path else "", f"source: {each.source}" if each.source else ""]
        if any(details):
            yield style.dim(f"    {one_line(', '.join(filter(None, details)))}")


def summary(report: StackReport, style: Style) -> str:
    """The counts of one stack, in one line."""
    if not report.readable:
        return f"{report.stack}: {style.bad(count_noun(len(report.findings), 'fault'))} of form, so no rule was asked"
    if report.crashed:
        return f"{report.stack}: {style.bad('not judged: a bug in Muster')}: {one_line('; '.join(report.bugs))}"
    scope = f"{count_noun(len(report.judged), 'rule')} on {count_noun(report.objects, 'object')}"
    left = (
        f"; {count_noun(len(report.placeholders), 'placeholder')} to fill in before `pulumi up`"
        if report.placeholders
        else ""
    )
    bugs = style.bad(f"; {count_noun(len(report.bugs), 'bug')} in Muster: this is not all") if report.bugs else ""
    return f"{report.stack}: {_counts([report], style)} ({scope}){bugs}{left}"


def _total(report: Report, style: Style) -> str:
    unreadable = sum(not stack.readable for stack in report.stacks)
    crashed = sum(stack.crashed for stack in report.stacks)
    scope = [stack for stack in report.stacks if stack.readable]
    total = f"{count_noun(len(report.stacks), 'stack')}: {_counts(scope, style)}"
    total += f", {style.bad(f'{unreadable} with faults of form')}" if unreadable else ""
    return total + (f", {style.bad(f'{crashed} not judged: a bug in Muster')}" if crashed else "")


def _counts(reports: list[StackReport], style: Style) -> str:
    mandatory = sum(report.count(Level.MANDATORY) for report in reports)
    advisory = sum(report.count(Level.ADVISORY) for report in reports)
    unjudged = sum(len(report.not_evaluated) for report in reports)
    suppressed = sum(len(report.suppressed) for report in reports)
    found = f"{count_noun(mandatory + advisory, 'finding')} ({mandatory} mandatory, {advisory} advisory)"
    paint = style.bad if mandatory else style.warn if advisory else style.good
    verdict = paint(found if mandatory + advisory else "no findings")
    known = sum(len(report.known) for report in reports)
    beside = f", {known} known from the baseline" if known else ""
    return f"{verdict}, {unjudged} not evaluated, {suppressed} suppressed{beside}"
