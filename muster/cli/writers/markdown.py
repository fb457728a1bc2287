"""A report as Markdown, for a comment on a pull request or the summary of a job: counts first, the rest folded.

Mandatory findings are not folded. GitHub takes 65,536 characters in a comment: a longer report is cut before that, and
ends with the number of omitted items.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from muster.cli.findings import Report, ReportedFinding, StackReport, SuppressedFinding
from muster.cli.writers.escaping import code, html, markdown
from muster.cli.writers.text import known_sheet
from muster.finding import Level, NotEvaluated
from muster.message_text import count_noun, shorten

LIMIT = 60_000
"""Characters. The rest of GitHub's 65,536 is for the text about omitted items."""


@dataclass(frozen=True, slots=True)
class _Fold:
    """A block that readers unfold."""

    summary: str
    entries: list[str]
    opened: bool = False


def write(report: Report) -> str:
    """The whole report, or as much of it as a comment can have."""
    blocks = [_heading(report), *map(_bug, report.bugs)]
    if len(report.stacks) > 1:
        blocks.append(_table(report.stacks))
    room = LIMIT - sum(map(len, blocks))
    left_out = 0
    for fold in (fold for stack in report.stacks for fold in _folds(stack, alone=len(report.stacks) == 1)):
        entries = []
        for entry in fold.entries:
            if len(entry) < room:
                entries.append(entry)
                room -= len(entry) + 1
            else:
                left_out += 1
                room = 0  # the rest is also left out: a report with gaps looks like a whole one
        if entries:
            blocks.append(_folded(fold, entries))
    if left_out:
        blocks.append(
            f"and {count_noun(left_out, 'more entry does', 'more entries do')} not fit into a comment; "
            "see the other reports."
        )
    return "\n\n".join(blocks) + "\n"


def _heading(report: Report) -> str:
    mandatory = sum(stack.count(Level.MANDATORY) for stack in report.stacks)
    advisory = sum(stack.count(Level.ADVISORY) for stack in report.stacks)
    unjudged = sum(len(stack.not_evaluated) for stack in report.stacks)
    suppressed = sum(len(stack.suppressed) for stack in report.stacks)
    found = f"{count_noun(mandatory + advisory, 'finding')} ({mandatory} mandatory, {advisory} advisory)"
    verdict = found if mandatory + advisory else "no findings"
    where = code(report.stacks[0].stack) if len(report.stacks) == 1 else count_noun(len(report.stacks), "stack")
    return f"### Muster: {verdict} in {where}\n\n{unjudged} not evaluated, {suppressed} suppressed{_unreadable(report)}"


def _unreadable(report: Report) -> str:
    unreadable = sum(not stack.readable for stack in report.stacks)
    blanks = sum(len(stack.placeholders) for stack in report.stacks)
    known = sum(len(stack.known) for stack in report.stacks)
    beside = f", {known} known from the baseline" if known else ""
    form = f", {count_noun(unreadable, 'stack')} with schema errors" if unreadable else ""
    crashed = sum(stack.crashed for stack in report.stacks)
    bug = f", {count_noun(crashed, 'stack')} not judged because of a bug in Muster" if crashed else ""
    left = f"; {count_noun(blanks, 'placeholder')} to set before `pulumi up`" if blanks else ""
    return f"{beside}{form}{bug}{left}"


def _bug(bug: str) -> str:
    return f"**bug in Muster**: {markdown(bug)}"


def _table(stacks: Iterable[StackReport]) -> str:
    rows = ["| stack | mandatory | advisory | not evaluated | suppressed |", "|---|--:|--:|--:|--:|"]
    for stack in stacks:
        if stack.crashed:
            rows.append(f"| {markdown(stack.stack)} | a bug in Muster | | | |")
            continue
        counts = (
            stack.count(Level.MANDATORY),
            stack.count(Level.ADVISORY),
            len(stack.not_evaluated),
            len(stack.suppressed),
        )
        rows.append(f"| {markdown(stack.stack)} | {' | '.join(map(str, counts))} |")
    return "\n".join(rows)


def _folds(stack: StackReport, *, alone: bool) -> Iterator[_Fold]:
    """The sections of a stack's report, by kind."""
    name = "" if alone else f"{stack.stack}: "
    for level in Level:
        if found := [each for each in stack.findings if each.level is level]:
            entries = [_finding(each) for each in found]
            yield _Fold(f"{name}{len(found)} {level.value}", entries, opened=level is Level.MANDATORY)
    if unjudged := [_unjudged(each) for each in stack.not_evaluated]:
        yield _Fold(f"{name}{len(unjudged)} not evaluated", unjudged)
    if known := [_finding(each) for each in stack.known]:
        yield _Fold(f"{name}{len(known)} known from the baseline", known)
    if stack.suppressed:
        yield _Fold(f"{name}{len(stack.suppressed)} suppressed", [_suppressed(each) for each in stack.suppressed])


def _folded(fold: _Fold, entries: Iterable[str]) -> str:
    """The blank line after the summary makes what follows Markdown again."""
    start = "<details open>" if fold.opened else "<details>"
    return "\n".join([f"{start}<summary>{html(fold.summary)}</summary>", "", *entries, "", "</details>"])


def _finding(found: ReportedFinding) -> str:
    place = str(found.where)
    path = f" ({code(shorten(found.where.path))})" if found.where.path and found.where.path not in place else ""
    lines = [f"- {_rule(found.rule)}{f' at {code(place)}' if place else ''}{path}: {markdown(found.got)}"]
    if found.remedy:
        lines.append(f"  <br>→ {markdown(found.remedy)}")
    if found.source:
        lines.append(f"  <br><sub><{found.source}></sub>")
    return "\n".join(lines)


def _rule(name: str) -> str:
    """A rule's name, with a link to its page on the documentation site. Names that are no rule's have no page."""
    sheet = known_sheet(name)
    return f"[{code(name)}]({sheet.page})" if sheet else code(name)


def _unjudged(missing: NotEvaluated) -> str:
    place = f" at {code(shorten(missing.resource))}" if missing.resource else ""
    return f"- {_rule(missing.rule)}{place}, missing: {markdown(missing.missing)}"


def _suppressed(silenced: SuppressedFinding) -> str:
    place, got = str(silenced.found.where), silenced.found.got
    reason = f"suppressed until {silenced.until}: {markdown(silenced.reason)}"
    at, what = f" at {code(place)}" if place else "", f": {markdown(got)}" if got else ""
    return f"- {_rule(silenced.found.rule)}{at}{what}\n  <br>{reason}"
