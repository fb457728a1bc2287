"""A report as GitHub's annotations: workflow commands on a job's standard output.

The form is that of the runner (actions/runner, `src/Runner.Common/ActionCommand.cs`): `::error file=F,line=L::words`,
with ``%``, carriage returns and line feeds escaped in words, and ``:`` and ``,`` besides in properties. GitHub shows
ten errors, ten warnings and ten notices of a step, and the log has all; so what stops comes first, and what the
baseline has is not repeated.
"""

from collections.abc import Iterator

from muster.cli.findings import Report, ReportedFinding, StackReport, Where
from muster.cli.writers.escaping import github
from muster.finding import Level
from muster.message_text import shorten

_COMMANDS = {Level.MANDATORY: "error", Level.ADVISORY: "warning"}


def write(report: Report) -> str:
    """The whole report, one command a line: errors, warnings, notices."""
    bugs = [github("error", {"title": "bug in Muster"}, [bug]) for bug in report.bugs]
    found = [(stack, each) for stack in report.stacks for each in stack.findings]
    found.sort(key=lambda each: each[1].level is not Level.MANDATORY)  # else in the order of the report
    notices = (line for stack in report.stacks for line in _notices(stack))
    return "".join([*bugs, *(_finding(stack, each) for stack, each in found), *notices])


def _finding(stack: StackReport, found: ReportedFinding) -> str:
    title = f"{found.level.value} {found.rule}"
    return _annotation(_COMMANDS[found.level], stack, title, found.where, [found.got, *found.details])


def _notices(stack: StackReport) -> Iterator[str]:
    for each in stack.suppressed:
        found = each.found
        lines = [f"until {each.until}: {each.reason}", f"at {shorten(found.where.path)}", found.got]
        yield _annotation("notice", stack, f"suppressed {found.rule}", found.where, lines)
    for missing in stack.not_evaluated:
        lines = [f"missing: {missing.missing}", f"at {shorten(missing.resource)}" if missing.resource else ""]
        yield _annotation("notice", stack, f"not evaluated {missing.rule}", Where("", 0, 0, ""), lines)


def _annotation(command: str, stack: StackReport, title: str, where: Where, lines: list[str]) -> str:
    place: dict[str, str | int] = {"file": where.file or stack.file}
    if where.has_line:
        place |= {"line": where.line, "col": where.column}
    return github(command, {**place, "title": f"{stack.stack}: {title}"}, lines)
