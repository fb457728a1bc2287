"""The law of remedies: each edit that a finding offers, made in its document, takes the finding away, and brings no
other mandatory one."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from muster.cli.findings import ReportedFinding
from muster.config.document import CLUSTER_PATH
from muster.config.edited_text import edited
from muster.edits import Action, Edit
from muster.finding import Finding, Level, parse_dotted_path
from tests.corpus import Entry
from tests.corpus.judged import by_description

AnyFinding = Finding | ReportedFinding


def edits_of(finding: AnyFinding) -> Iterator[Edit]:
    """Its edits, one for each value; none of those whose value is only in words."""
    for each in finding.changes:
        if isinstance(each, Edit) and each.action is Action.REMOVE:
            yield each
        elif isinstance(each, Edit):
            yield from (replace(each, values=(value,)) for value in each.values)


def told(finding: Finding, edit: Edit) -> str:
    """An edit, for a failure."""
    return f"{finding.rule} at {finding.where}: {edit.action} {edit.at} {edit.values or ''}"


def why_not(finding: AnyFinding, before: Iterable[AnyFinding], after: Iterable[AnyFinding]) -> str:
    """Why an edit does not mend its finding; empty if it does."""
    if (finding.rule, _path(finding), finding.got) in {(each.rule, _path(each), each.got) for each in after}:
        return "is found as before"
    return ", ".join(f"now {rule} at {where}" for rule, where in sorted(_mandatory(after) - _mandatory(before)))


def _mandatory(findings: Iterable[AnyFinding]) -> set[tuple[str, str]]:
    return {(each.rule, _path(each)) for each in findings if each.level is Level.MANDATORY}


def _path(finding: AnyFinding) -> str:
    """Its place, which other lines of a file do not move."""
    return finding.where if isinstance(finding, Finding) else finding.where.path


def unmended(one: Entry) -> Iterator[str]:
    """The edits of a described entry that do not mend their findings, and why."""
    before, text = by_description(one).findings, one.stack_text()
    for finding in before:
        for edit in edits_of(finding):
            if fault := _tried(one, finding, edit, before, text):
                yield f"{told(finding, edit)}: {fault}"


def _tried(one: Entry, finding: Finding, edit: Edit, before: tuple[Finding, ...], text: str) -> str:
    for each in (edit, *edit.also):
        after = edited(text, (*CLUSTER_PATH, *parse_dotted_path(each.at)), each)
        if after is None:
            return f"{each.at} has no place in the file"
        text = after
    changed = one.with_text(text)
    said = by_description(changed)
    if changed.opened().described is None:
        return f"is refused: {sorted(said.found)}"
    return why_not(finding, before, said.findings)
