"""A report as text for people: findings with their places, reasons and remedies, then one line of counts."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from muster.cli.exits import Exit
from muster.cli.findings import Report, ReportedFinding, StackReport, Where
from muster.finding import Level
from muster.message_text import count_noun, shorten
from muster.terminal import Style

if TYPE_CHECKING:
    from muster.policies.engine.rule import Sheet


def lines(report: Report, style: Style) -> Iterator[str]:
    """The whole report."""
    for stack in report.stacks:
        yield from stack_lines(stack, style)
    if len(report.stacks) > 1:
        yield _total(report, style)
    if report.exit() is Exit.UNJUDGED:
        number = len({(stack.stack, each.rule) for stack in report.stacks for each in stack.not_evaluated})
        rules = count_noun(number, "rule")
        yield style.bad(f"--strict: {rules} not evaluated (exit code {Exit.UNJUDGED.value})")


def stack_lines(report: StackReport, style: Style, details: str = "-v") -> Iterator[str]:
    """One stack: its findings and one line of counts. A verbose style adds the details between them.

    Args:
        report: the stack's.
        style: how it is printed.
        details: what prints the details, of the counts: the option -v, or another command.
    """
    yield from findings(report.findings, style, report.file or report.stack)
    if report.findings and report.example_facts:
        yield (
            f"note: the facts in {report.example_facts} are examples; `muster preflight {report.argument} --save` "
            "writes those of your account"
        )
    if style.verbose:
        yield from _details(report, style)
    yield summary(report, style, details)


def _details(report: StackReport, style: Style) -> Iterator[str]:
    """What the counts are of: rules not evaluated, suppressed findings, old baseline entries, and placeholders."""
    yield from _unjudged(report, "not evaluated, because these values are missing:", style)
    for silenced in report.suppressed:
        where = shorten(silenced.found.resource) or report.stack
        what = f"suppressed until {silenced.until}: {silenced.found.rule} at {where}: {silenced.reason}"
        yield f"{report.stack}: {what}"
    for entry in report.gone:
        yield f"{report.stack}: in the baseline, but no longer found: {entry}"
    if report.placeholders:
        yield f"{report.stack}: set these placeholders before `pulumi up`:"
    for blank in report.placeholders:
        place, why = blank.where, style.dim(f"({blank.reason})")
        yield f"    {place.file}:{place.line}:{place.column} {place.path} {blank.value} {why}"


def verification_lines(report: StackReport, style: Style) -> Iterator[str]:
    """One cluster against its stack: the findings, what was not evaluated, the counts. No rules are involved."""
    yield from findings(report.findings, style, report.file or report.stack)
    yield from _unjudged(report, "not evaluated:", style)
    yield f"{report.stack}: {_verdict([report], style)}{_beside([report])}"


def _unjudged(report: StackReport, title: str, style: Style) -> Iterator[str]:
    """The rules that were not evaluated, grouped by the missing value."""
    if report.not_evaluated:
        yield f"{report.stack}: {title}"
    missing_in: dict[str, list[str]] = {}
    for each in report.not_evaluated:
        who = f"{each.rule} ({shorten(each.resource)})" if each.resource else each.rule
        missing_in.setdefault(each.missing, []).append(who)
    for missing, rules in sorted(missing_in.items()):
        yield f"    {missing}: {style.dim(', '.join(rules))}"


def findings(found: Iterable[ReportedFinding], style: Style, stack: str = "") -> Iterator[str]:
    """Each finding in at most three lines: where and what is wrong, why it matters, what to do.

    The reason is printed once for each rule. A verbose style adds the path, the source and the page of the rule.

    Args:
        found: the findings.
        style: how they are printed.
        stack: the file or the name of the stack, for findings without a place.
    """
    explained = set()
    for each in found:
        paint = style.bad if each.level is Level.MANDATORY else style.warn
        place = _place(each.where) or stack
        what = f"{paint(f'{each.level.value} {each.rule}')}: {each.got}"
        yield f"{place}: {what}" if place else what
        if each.rule not in explained and (sheet := known_sheet(each.rule)):
            explained.add(each.rule)
            yield style.dim(f"    why: {sheet.why}")
        if each.remedy:
            yield f"    fix: {each.remedy}"
        if style.verbose:
            yield from (style.dim(f"    {line}") for line in _about(each))


def _place(where: Where) -> str:
    """The line in a file, and the resource by its type and name: a URN is long, and a verbose style has it."""
    if not where.registered:
        return str(where) if where.label is None else f"{where.file}:{where.line}:{where.column}"
    # Only files of other tools have a column: Pulumi's SDKs report the line.
    line = f"{where.file}:{where.line}" if where.has_line else where.file
    line = f"{line}:{where.column}" if where.has_line and where.label is not None else line
    return f"{line} ({where.registered})" if line else where.registered


def _about(finding: ReportedFinding) -> Iterator[str]:
    """The path of a finding, the source of its rule, and the page about the rule."""
    about = [f"at {shorten(finding.where.path)}" if finding.where.path and finding.where.label is None else ""]
    about.append(f"source: {finding.source}" if finding.source else "")
    if any(about):
        yield ", ".join(filter(None, about))
    if sheet := known_sheet(finding.rule):
        yield f"rule: {sheet.page}"


def known_sheet(rule: str) -> "Sheet | None":
    """The sheet of a rule; None for a name that is not of a rule."""
    from muster.policies.engine.rule_index import UnknownRule, sheet_of

    try:
        return sheet_of(rule)
    except UnknownRule:
        return None


def summary(report: StackReport, style: Style, details: str = "-v") -> str:
    """The counts of one stack, in one line. `details` is what prints more about them."""
    if not report.readable:
        faults = style.bad(count_noun(len(report.findings), "schema error"))
        return f"{report.stack}: {faults}; the rules were not evaluated"
    if report.crashed:
        return f"{report.stack}: {style.bad('not judged: a bug in Muster')}: {'; '.join(report.bugs)}"
    bugs = style.bad(f", {count_noun(len(report.bugs), 'bug')} in Muster: this is not all") if report.bugs else ""
    hidden = report.not_evaluated or report.suppressed or report.placeholders or report.gone
    more = style.dim(f" ({details} for details)") if hidden and not style.verbose else ""
    rules = f": {count_noun(len(report.judged), 'rule')}"
    return f"{report.stack}: {_verdict([report], style)}{rules}{_beside([report])}{bugs}{more}"


def _total(report: Report, style: Style) -> str:
    unreadable = sum(not stack.readable for stack in report.stacks)
    crashed = sum(stack.crashed for stack in report.stacks)
    scope = [stack for stack in report.stacks if stack.readable]
    total = f"{count_noun(len(report.stacks), 'stack')}: "
    if unreadable:
        total += f"{style.bad(f'{unreadable} with schema errors')}, {f'{len(scope)} judged: ' if scope else ''}"
    total += f"{_verdict(scope, style)}{_beside(scope)}, " if scope else ""
    total += style.bad(f"{crashed} not judged: a bug in Muster") if crashed else ""
    return total.removesuffix(", ")


def _verdict(reports: list[StackReport], style: Style) -> str:
    """``clean``, or the number of findings by level."""
    mandatory = sum(report.count(Level.MANDATORY) for report in reports)
    advisory = sum(report.count(Level.ADVISORY) for report in reports)
    if not mandatory + advisory:
        return "no findings" if any(report.bugs for report in reports) else style.good("clean")
    paint = style.bad if mandatory else style.warn
    return paint(f"{count_noun(mandatory + advisory, 'finding')} ({mandatory} mandatory, {advisory} advisory)")


def _beside(reports: list[StackReport]) -> str:
    """The other counts, without those that are 0."""
    unjudged = [(report, each) for report in reports for each in report.not_evaluated]
    of_account = {
        (report.stack, each.rule)
        for report, each in unjudged
        if any(f"`muster preflight {name} " in each.missing for name in (report.stack, report.argument))
    }
    others = {(report.stack, each.rule) for report, each in unjudged} - of_account
    stack, what = (reports[0].argument, "rule") if len(reports) == 1 else ("STACK", "rule evaluation")
    needs = f"{what} needs" if len(of_account) == 1 else f"{what}s need"
    counts = (
        (len(of_account), f"{needs} facts of your account (`muster preflight {stack} --save`)"),
        (len(others), "not evaluated"),
        (sum(len(report.suppressed) for report in reports), "suppressed"),
        (sum(len(report.known) for report in reports), "known from the baseline"),
        (sum(len(report.gone) for report in reports), "in the baseline, but no longer found"),
    )
    blanks = sum(len(report.placeholders) for report in reports)
    left = f", {count_noun(blanks, 'placeholder')} left" if blanks else ""
    return "".join(f", {count} {text}" for count, text in counts if count) + left
