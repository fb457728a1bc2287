"""The law of remedies in files of other tools: each edit that a finding offers, made with the file's own keys in the
block that it names, takes the finding away, and brings no other mandatory one."""

import json
from collections.abc import Iterator

import yaml

from muster.cli.findings import ReportedFinding
from muster.config.edited_text import edited
from muster.edits import Edit
from muster.finding import SCHEMA, KeyPath, parse_dotted_path
from muster.sources.source import InputFile
from tests.corpus.remedied import edits_of, why_not
from tests.sources.judged import a_file, report

_DOCUMENT = "\n---\n"


def unmended(file: InputFile) -> Iterator[str]:
    """The edits that do not mend their findings, and why."""
    before = report(file).findings
    for finding in before:
        for edit in edits_of(finding):
            faults = [_tried(file, text, finding, before) for text in _edited(file.text, finding, edit)]
            if "" not in faults:
                why = faults[0] if faults else "has no place in the file"
                yield f"{finding.rule} at {finding.where.line}: {edit.action} {edit.at} {edit.values or ''}: {why}"


def _tried(file: InputFile, text: str, finding: ReportedFinding, before: tuple[ReportedFinding, ...]) -> str:
    after = report(a_file(text, file.path)).findings
    unread = [each.got for each in after if each.rule == SCHEMA]
    return f"is not read: {unread}" if unread else why_not(finding, before, after)


def _edited(text: str, finding: ReportedFinding, edit: Edit) -> Iterator[str]:
    """The text with the edit made in each block to which it may belong: those around the finding's place, and those in
    the innermost of them."""
    documents = text.split(_DOCUMENT)
    line = finding.where.line - 1
    for index, each in enumerate(documents):
        lines = each.count("\n") + (2 if index < len(documents) - 1 else 1)
        if 0 <= line < lines:
            root = yaml.compose(each, Loader=yaml.SafeLoader)
            for path in _blocks(root, line, finding.where.column - 1):
                made = edited(each, (*path, *parse_dotted_path(edit.at)), edit)
                if made is not None and each[:1] == "{":
                    made = json.dumps(yaml.safe_load(made), indent=2)
                if made is not None:
                    yield _DOCUMENT.join((*documents[:index], made, *documents[index + 1 :]))
        line -= lines


def _blocks(root: yaml.Node | None, line: int, column: int) -> list[KeyPath]:
    every = list(_mappings(root, ()))
    at = (line, column)
    around = [
        path for path, begin, node in every if begin <= at < (node.end_mark.line, node.end_mark.column) or not path
    ]
    inner = around[-1]
    return [*reversed(around), *(path for path, _, _ in every if path[: len(inner)] == inner and path != inner)]


def _mappings(node: yaml.Node | None, path: KeyPath) -> Iterator[tuple[KeyPath, tuple[int, int], yaml.Node]]:
    """Every block with its path, and where it or its key begins."""
    if isinstance(node, yaml.MappingNode):
        yield path, (node.start_mark.line, node.start_mark.column), node
        for key, value in node.value:
            for below, begin, each in _mappings(value, (*path, key.value)):
                own = (key.start_mark.line, key.start_mark.column) if each is value else begin
                yield below, own, each
    elif isinstance(node, yaml.SequenceNode):
        for index, value in enumerate(node.value):
            yield from _mappings(value, (*path, index))
