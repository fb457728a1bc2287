"""A report as GitHub's annotations: workflow commands on a job's standard output.

The form is that of the runner (actions/runner, `src/Runner.Common/ActionCommand.cs`): `::error file=F,line=L::words`,
with ``%``, carriage returns and line feeds escaped in words, and ``:`` and ``,`` besides in properties. GitHub shows
ten errors, ten warnings and ten notices of a step, and the log has all; so what stops comes first, and what the
baseline has is not repeated.
"""

from collections.abc import Iterator

from muster.cli.findings import Report, ReportedFinding, StackReport, SuppressedFinding
from muster.cli.writers.escaping import github
from muster.finding import Level, NotEvaluated
from muster.message_text import shorten

_COMMANDS = {Level.MANDATORY: "error", Level.ADVISORY: "warning"}


def write(report: Report) -> str:
    """The whole report, one command a line: errors, warnings, notices."""
    bugs = [github("error", {"title": "bug in Muster"}, [bug]) for bug in report.bugs]
    found = [(stack, each) for stack in report.stacks for each in stack.findings]
    found.sort(key=lambda each: each[1].level is not Level.MANDATORY)  # else in the order of the report
    lines = [*bugs, *(_finding(stack, each) for stack, each in found)]
    for stack in report.stacks:
        lines += _notices(stack)
    return "".join(lines)


def _finding(stack: StackReport, found: ReportedFinding) -> str:
    place: dict[str, str | int] = {"file": found.where.file or stack.file}
    if found.where.has_line:
        place |= {"line": found.where.line, "col": found.where.column}
    lines = [
        found.got,
        f"fix: {found.remedy}" if found.remedy else "",
        f"at {shorten(found.where.path)}" if found.where.path else "",
        f"source: {found.source}" if found.source else "",
    ]
    title = f"{stack.stack}: {found.level.value} {found.rule}"
    return github(_COMMANDS[found.level], {**place, "title": title}, lines)


def _notices(stack: StackReport) -> Iterator[str]:
    for silenced in stack.suppressed:
        yield _suppressed(stack, silenced)
    for missing in stack.not_evaluated:
        yield _unjudged(stack, missing)


def _suppressed(stack: StackReport, silenced: SuppressedFinding) -> str:
    title = f"{stack.stack}: suppressed {silenced.rule}"
    found = silenced.found
    place: dict[str, str | int] = {"file": (found.where.file if found else "") or stack.file}
    if found and found.where.has_line:
        place |= {"line": found.where.line, "col": found.where.column}
    lines = [
        f"until {silenced.until}: {silenced.reason}",
        f"at {shorten(found.where.path if found else silenced.resource)}",
    ]
    return github("notice", {**place, "title": title}, [*lines, found.got if found else ""])


def _unjudged(stack: StackReport, missing: NotEvaluated) -> str:
    title = f"{stack.stack}: not evaluated {missing.rule}"
    lines = [f"missing: {missing.missing}", f"at {shorten(missing.resource)}" if missing.resource else ""]
    return github("notice", {"file": stack.file, "title": title}, lines)
