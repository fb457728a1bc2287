"""Edits one value of a YAML text, and nothing else: comments, order and spacing stay."""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import yaml

from muster.edits import Action, Edit, flow_text
from muster.finding import KeyPath


def edited(text: str, path: KeyPath, edit: Edit) -> str | None:
    """The text with one edit made. A block that a removal leaves empty goes with it. A comment of what is replaced or
    removed stays, in a line of its own where it must.

    Args:
        text: a YAML document that Muster reads as a stack file.
        path: the field.
        edit: what to do with it; `Edit.applicable`.

    Returns:
        None if the text has no place for it: nothing to remove, or a removal that leaves nothing; a word, or another
        kind of block, where the block or the list would be; a list without that item; an alias anywhere, because the
        text of its anchor has other readers.
    """
    document = _Document(text)
    node: yaml.Node | None = yaml.compose(text, Loader=yaml.SafeLoader)
    if node is None or document.has_alias:
        return None
    trail: list[_Entry] = []
    rest = list(path)
    while rest and (entry := document.entry(node, rest[0])):
        trail.append(entry)
        node = entry.value
        rest.pop(0)
    if edit.action is Action.REMOVE:
        return None if rest else document.without(trail)
    (value,) = edit.values
    if edit.action is Action.ADD and not rest:
        if isinstance(node, yaml.SequenceNode):
            return document.inserted(node, flow_text(value))
        return document.replaced(trail[-1], flow_text([value])) if trail and _is_null(node) else None
    return _with_value(document, trail, node, rest, [value] if edit.action is Action.ADD else value)


def _with_value(
    document: "_Document", trail: list["_Entry"], node: yaml.Node, rest: list[str | int], value: Any
) -> str | None:
    if isinstance(node, yaml.MappingNode) and rest:
        return document.inserted(node, f"{flow_text(rest[0])}: {flow_text(_nested(rest[1:], value))}")
    if not trail or (rest and not _may_become_block(node, value, rest)):
        return None
    whole = rest and (_is_null(node) or node.value == rest[0])
    return document.replaced(trail[-1], flow_text(_nested(rest, value) if whole else value))


def _nested(path: list[str | int], value: Any) -> Any:
    for step in reversed(path):
        value = {step: value}
    return value


def _is_null(node: yaml.Node) -> bool:
    return bool(node.tag == "tag:yaml.org,2002:null")


def _may_become_block(node: yaml.Node, value: Any, rest: list[str | int]) -> bool:
    """Whether a scalar gives way: null; a word that stands for the block with that key (``capacity: spot``); or a
    single number of nodes, which stands for the block of its counts."""
    if _is_null(node) or node.value == rest[0]:
        return all(isinstance(each, str) for each in rest)
    return bool(node.tag == "tag:yaml.org,2002:int") and type(value) is int


@dataclass(frozen=True)
class _Entry:
    """A key with its value, or an item of a list."""

    block: yaml.CollectionNode
    index: int
    value: yaml.Node
    begin: int
    """Where it begins: at its key, or its dash."""
    after: int
    """Where the colon or the dash ends; where the item begins in brackets."""


class _Document:
    """A text with the places of its parts."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._tokens = list(yaml.scan(text, Loader=yaml.SafeLoader))
        self.has_alias = any(isinstance(each, yaml.AliasToken) for each in self._tokens)
        self._dashes = self._starts(yaml.BlockEntryToken)
        self._colons = self._starts(yaml.ValueToken)

    def _starts(self, kind: type[yaml.Token]) -> list[int]:
        return [each.start_mark.index for each in self._tokens if isinstance(each, kind)]

    @cached_property
    def _comments(self) -> list[tuple[int, str]]:
        """Each comment with its place: what is between two tokens and is not blank."""
        spans = [(0, 0)]
        for each in self._tokens:
            begin, end = each.start_mark.index, each.end_mark.index
            if isinstance(each, yaml.ScalarToken) and each.style in ("|", ">"):
                spans.append((begin, begin + len(self.text[begin : self._line_end(begin)].split(" ", 1)[0])))
                begin = self._line_end(begin)
            spans.append((begin, end))
        spans = [*sorted(spans), (len(self.text), len(self.text))]
        found = {}
        for (_, end), (begin, _) in pairwise(spans):
            at = end
            while (at := self.text.find("#", at, begin)) >= 0:
                found[at] = self.text[at : self._line_end(at)].rstrip()
                at = self._line_end(at)
        return sorted(found.items())

    def _line_begin(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def _line_end(self, at: int) -> int:
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def entry(self, block: yaml.Node, step: str | int) -> _Entry | None:
        """The entry of a block with a key or an index."""
        if isinstance(block, yaml.MappingNode):
            found = (index for index, (key, _) in enumerate(block.value) if key.value == step)
            return next((self._entry(block, index) for index in found), None)
        if isinstance(block, yaml.SequenceNode) and isinstance(step, int) and step < len(block.value):
            return self._entry(block, step)
        return None

    def _entry(self, block: yaml.CollectionNode, index: int) -> _Entry:
        if isinstance(block, yaml.MappingNode):
            key, value = block.value[index]
            colon = bisect_left(self._colons, key.end_mark.index)
            after = self._colons[colon] + 1 if colon < len(self._colons) else key.end_mark.index
            return _Entry(block, index, value, key.start_mark.index, min(after, self._end(value)))
        value = block.value[index]
        if block.flow_style:
            return _Entry(block, index, value, value.start_mark.index, value.start_mark.index)
        dash = self._dashes[bisect_left(self._dashes, value.start_mark.index) - 1]
        return _Entry(block, index, value, dash, dash + 1)

    def _end(self, node: yaml.Node) -> int:
        return max(map(self._end_of_leaf, _leaves(node)))

    def _end_of_leaf(self, node: yaml.Node) -> int:
        begin, end = int(node.start_mark.index), int(node.end_mark.index)  # number: a place
        if isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):  # it ends where the next line begins
            keeps = "+" in self.text[begin : self._line_end(begin)].partition("#")[0]
            return begin + len(self.text[begin:end].removesuffix("\n") if keeps else self.text[begin:end].rstrip())
        return end

    def replaced(self, entry: _Entry, value: str) -> str:
        """With another value."""
        begin, end = int(entry.value.start_mark.index), self._end(entry.value)  # number: a place
        if "\n" in self.text[entry.after : begin]:
            begin = entry.after
        if begin == entry.after and not (isinstance(entry.block, yaml.SequenceNode) and entry.block.flow_style):
            value = f" {value}" if self.text[begin - 1] in ":-" else f": {value}"
        return self._with(begin, end, value, entry)

    def _with(self, begin: int, end: int, new: str, entry: _Entry) -> str:
        """With another part, and below it the comments of the part."""
        rest = self.text[end:]
        kept = [comment for at, comment in self._comments if begin <= at < end]
        if not kept:
            return f"{self.text[:begin]}{new}{rest}"
        line = self._line_begin(entry.begin)
        indent = " " * (entry.begin - line)
        blank = not (self.text[self._line_begin(begin) : begin] + new).strip()
        lines = f"\n{indent}".join(kept)
        follows = rest if rest.lstrip(" ")[:1] in ("", "\n") else f"\n{indent}{rest.lstrip(' ')}"
        return f"{self.text[:begin]}{new}{'' if blank else '  '}{lines}{follows}"

    def inserted(self, block: yaml.CollectionNode, entry: str) -> str:
        """With another entry at the end of a block."""
        text = self.text
        if not block.value:
            at = int(block.end_mark.index) - 1  # number: a place
            at = text.index("{" if isinstance(block, yaml.MappingNode) else "[", block.start_mark.index, at + 1) + 1
            return f"{text[:at]}{entry}{' ' if text[at] == '#' else ''}{text[at:]}"
        last = self._entry(block, len(block.value) - 1)
        end = self._end(last.value)
        if block.flow_style:
            return f"{text[:end]}, {entry}{text[end:]}"
        line = self._line_end(end)
        first = self._entry(block, 0).begin
        indent = " " * (first - self._line_begin(first))
        dash = "" if isinstance(block, yaml.MappingNode) else "- "
        return f"{text[:line]}\n{indent}{dash}{entry}{text[line:]}"

    def without(self, trail: list[_Entry]) -> str | None:
        """Without the last entry of a trail."""
        while trail and len(trail[-1].block.value) == 1:
            trail.pop()
        if not trail:
            return None
        entry, text = trail[-1], self.text
        begin, end = entry.begin, self._end(entry.value)
        line = self._line_begin(begin)
        alone = not text[line:begin].strip()
        entries = len(entry.block.value)
        following = self._entry(entry.block, entry.index + 1).begin if entry.index + 1 < entries else None
        if not entry.block.flow_style:
            if alone:
                return self._without_lines(line, end, entry)
            assert following is not None  # the first of several, behind a dash
            between = any(begin <= at < following for at, _ in self._comments)
            return text[:begin] + text[end if between else following :]
        comma = end + len(text[end:]) - len(text[end:].lstrip())
        if text[comma : comma + 1] == ",":
            end = comma + 1
        if alone and (not text[end : self._line_end(end)].strip() or self._comment_at(end)):
            return self._without_lines(line, end, entry)
        if following is not None:
            return self._with(begin, following, "", entry)
        previous = self._entry(entry.block, entry.index - 1)
        return self._with(self._end(previous.value), self._end(entry.value), "", entry)

    def _comment_at(self, end: int) -> bool:
        at = end + len(self.text[end:]) - len(self.text[end:].lstrip(" "))
        return any(at == each for each, _ in self._comments)

    def _without_lines(self, line: int, end: int, entry: _Entry) -> str:
        last = self._line_end(end)
        indent = " " * (entry.begin - line)
        kept = [f"{indent}{comment}\n" for at, comment in self._comments if line <= at < last]
        return f"{self.text[:line]}{''.join(kept)}{self.text[last + 1 :]}"


def _leaves(node: yaml.Node) -> Iterator[yaml.Node]:
    """The scalars and the blocks in braces of a node: their ends are exact, unlike that of an indented block."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        yield node
        return
    for each in node.value:
        for part in each if isinstance(each, tuple) else (each,):
            yield from _leaves(part)
