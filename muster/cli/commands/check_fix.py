"""`muster check STACK --fix`: makes the changes of a stack file that mend findings, where there is one right change."""

import difflib
from datetime import date

from muster import terminal, written_files
from muster.cli.findings import ReportedFinding, StackReport
from muster.cli.rule_selection import RuleSelection
from muster.cli.stacks import report_of
from muster.config.document import CLUSTER_PATH
from muster.config.edited_text import edited
from muster.edits import Remedy
from muster.finding import Level, parse_dotted_path
from muster.stack.stack_file import StackFile, load


def show_fixed(opened: StackFile, as_of: date, how: RuleSelection, *, write: bool) -> StackReport:
    """Prints the difference of a stack file with each certain change made, and returns what remains. A change stays
    only if its finding is gone, and nothing mandatory is new.

    Args:
        opened: the stack.
        as_of: the date that the rules use.
        how: which rules.
        write: whether to write the file.

    Raises:
        OSError: the file cannot be written.
    """
    before = opened.document
    report = report_of(opened, as_of, how.configuration)
    tried: set[ReportedFinding] = set()
    while finding := next((each for each in report.findings if len(each.changes) == 1 and each not in tried), None):
        tried.add(finding)
        candidate = _changed(opened, finding.changes[0])
        if candidate is None:
            continue
        after = report_of(candidate, as_of, how.configuration)
        if after.readable and finding not in after.findings and _mandatory(after) <= _mandatory(report):
            opened, report = candidate, after
    text, file = opened.document.text, str(before.file)
    if text == before.text:
        terminal.complain(f"{file}: no finding has one right change: a person must decide")
        return report
    lines = difflib.unified_diff(before.text.splitlines(), text.splitlines(), file, file, lineterm="")
    terminal.write_lines(lines)
    if write:
        written_files.write(before.file, text)
    terminal.complain(f"{file}: {'written' if write else 'not written: add --write'}; what remains:")
    return report


def _mandatory(report: StackReport) -> set[tuple[str, str]]:
    return {(each.rule, each.where.path) for each in report.findings if each.level is Level.MANDATORY}


def _changed(opened: StackFile, edit: Remedy) -> StackFile | None:
    """The stack with one change in its file; None where it has no place there."""
    document = opened.document
    if isinstance(edit, str) or not edit.applicable or opened.faults:
        return None
    text: str | None = document.text
    for each in (edit, *edit.also):
        text = edited(text, (*CLUSTER_PATH, *parse_dotted_path(each.at)), each) if text else None
    return load(opened.stack, document.file, opened.facts_file, text=text) if text else None
