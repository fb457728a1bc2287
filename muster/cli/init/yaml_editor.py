"""Edits a YAML text in place, and removes the comments of what changes."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from ruamel.yaml import YAML
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from muster.cli.init.yaml_entries import Entries, comment_beside, plain_values, yaml_flow, yaml_lines
from muster.finding import KeyPath

_HASH = re.compile(r"(?:^|(?<=[ \t]))#[^\n]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Comment:
    """One line of a comment.

    A comment on the line of a value belongs to the value, with the comment lines below it in the same column. A comment
    on a separate line belongs to the key of the next line, if that starts in the same column.
    """

    start: int
    """The index of its `#`."""
    end: int
    """The index after its last character; the line break follows."""
    own_line: bool


def find_comments(text: str, scalars: Iterable[tuple[int, int]]) -> list[Comment]:
    """Every comment, in order.

    Args:
        text: YAML.
        scalars: the positions of keys and values: a `#` inside of one begins no comment.
    """
    spans = sorted(scalars)
    found = []
    for match in _HASH.finditer(text):
        if not any(start < match.start() < end for start, end in spans):
            begins = text.rfind("\n", 0, match.start()) + 1
            found.append(Comment(match.start(), match.end(), not text[begins : match.start()].strip()))
    return found


def column(text: str, index: int) -> int:
    """The column of a position in its line."""
    return index - text.rfind("\n", 0, index) - 1


def comments_on_line(text: str, every: Sequence[Comment], index: int) -> Iterator[Comment]:
    """The comment at the end of the line of `index`, and the lines on which it continues."""
    line_end = text.find("\n", index)
    line_end = len(text) if line_end < 0 else line_end
    last: Comment | None = None
    for each in every:
        if last is None and index <= each.start < line_end and not each.own_line:
            last = each
            yield each
        elif last and each.own_line and _next_line(text, last, each):
            if column(text, each.start) != column(text, last.start):
                return
            last = each
            yield each


def comments_above(text: str, every: Sequence[Comment], index: int) -> Iterator[Comment]:
    """The lines of comment directly above the line of `index`, in the column of its key."""
    line = text.rfind("\n", 0, index) + 1
    indent = len(text[line:]) - len(text[line:].lstrip(" "))
    for each in reversed(every):
        begins = text.rfind("\n", 0, each.start) + 1
        if each.own_line and each.end + 1 == line and each.start - begins == indent:
            line = begins
            yield each


def comment_blocks(text: str, every: Iterable[Comment]) -> list[list[Comment]]:
    """Comments as blocks of lines: one below the other, in the same column."""
    found: list[list[Comment]] = []
    for each in every:
        last = found[-1][-1] if found else None
        goes_on = last and each.own_line and _next_line(text, last, each)
        if last and goes_on and column(text, each.start) == column(text, last.start):
            found[-1].append(each)
        else:
            found.append([each])
    return found


def _next_line(text: str, one: Comment, other: Comment) -> bool:
    return text[one.end : other.start].count("\n") == 1


_INDENT = 2


@dataclass(frozen=True, slots=True)
class _Pair:
    """A key and its value, with their positions."""

    key: ScalarNode
    value: Node
    block: bool
    """Whether the key begins its line."""


@dataclass(slots=True)
class EditableYaml:
    """A YAML text with its pending edits.

    Args:
        text: valid YAML.
    """

    text: str
    _edits: list[tuple[int, int, str]] = field(default_factory=list)
    _pairs: dict[KeyPath, _Pair] = field(default_factory=dict)
    _scalars: list[tuple[KeyPath, ScalarNode, bool]] = field(default_factory=list)
    _comments: list[Comment] = field(default_factory=list)
    """The comments, except those above the first key, which are about the file."""

    def __post_init__(self) -> None:
        root = YAML(typ="safe", pure=True).compose(self.text)
        self._read(root, (), block=True)
        spans = [(node.start_mark.index, node.end_mark.index) for _, node, _ in self._scalars]
        begins = min((start for start, _ in spans), default=0)
        self._comments = [each for each in find_comments(self.text, spans) if each.start > begins]

    def _read(self, node: Node, path: KeyPath, *, block: bool) -> None:
        if isinstance(node, MappingNode):
            own = block and not node.flow_style
            for key, value in node.value:
                below = (*path, str(key.value))
                # The first key of a block in a list comes after the dash.
                begins = own and not self.text[self._line(key.start_mark.index) : key.start_mark.index].strip()
                self._pairs[below] = _Pair(key, value, begins)
                self._scalars.append((below, key, True))
                self._read(value, below, block=own)
        elif isinstance(node, SequenceNode):
            for index, each in enumerate(node.value):
                self._read(each, (*path, index), block=block and not node.flow_style)
        elif isinstance(node, ScalarNode):
            self._scalars.append((path, node, False))

    def scalars(self) -> Iterator[tuple[KeyPath, str, bool]]:
        """Every key and every scalar value: its path, its text, and whether it is a key."""
        for path, node, is_key in self._scalars:
            yield path, str(node.value), is_key

    def has(self, path: KeyPath) -> bool:
        """Whether the key exists."""
        return path in self._pairs

    def is_scalar(self, path: KeyPath) -> bool:
        """Whether the value at a path is a scalar."""
        return isinstance(self._pairs[path].value, ScalarNode)

    def write(self, path: KeyPath, text: str, *, key: bool = False, why: str = "") -> None:
        """Replaces a value, or the name of a key, by YAML on one line.

        The comments on its line and above it are removed; `why` becomes the comment on its line.
        """
        node = next(each for at, each, is_key in self._scalars if at == path and is_key is key)
        start, end = node.start_mark.index, node.end_mark.index
        self._edits.append((start, end, text))
        beside = list(comments_on_line(self.text, self._comments, start))
        if why and path in self._pairs and self._pairs[path].block:
            line_end = self.text.find("\n", end)
            at = len(self.text) if line_end < 0 else line_end
            at, until = self._span(beside[0]) if beside else (at, at)
            self._edits.append((at, until, comment_beside(why)))
        self._forget([*comments_above(self.text, self._comments, start), *beside])

    def forget(self, path: KeyPath) -> None:
        """Removes the comments on the line of a key and above it."""
        start = self._pairs[path].key.start_mark.index
        self._forget(
            [*comments_above(self.text, self._comments, start), *comments_on_line(self.text, self._comments, start)]
        )

    def forget_all(self, stale: Callable[[str], bool]) -> None:
        """Removes every comment with a stale line, except comments about the file."""
        for each in comment_blocks(self.text, self._comments):
            if any(stale(self.text[line.start : line.end]) for line in each):
                self._forget(each)

    def _forget(self, gone: Iterable[Comment]) -> None:
        self._edits += [(*self._span(each), "") for each in gone]

    def _span(self, comment: Comment) -> tuple[int, int]:
        """A comment with the blanks before it, or its whole line."""
        if comment.own_line:
            return self._line(comment.start), min(comment.end + 1, len(self.text))
        return len(self.text[: comment.start].rstrip(" \t")), comment.end

    def remove(self, path: KeyPath) -> None:
        """Removes a key with its value, and the comments on its line and above it."""
        pair = self._pairs[path]
        if pair.block:
            self._forget(comments_above(self.text, self._comments, pair.key.start_mark.index))
            self._edits.append((self._line(pair.key.start_mark.index), self._after(pair), ""))
            return
        start, end = pair.key.start_mark.index, _end(pair.value)
        rest = self.text[end:]
        if rest.lstrip().startswith(","):
            end += len(rest) - len(rest.lstrip()) + 1
            end += len(self.text[end:]) - len(self.text[end:].lstrip(" "))
        else:
            start = len(self.text[:start].rstrip().removesuffix(","))
        self._edits.append((start, end, ""))

    def put(self, path: KeyPath, entries: Entries) -> None:
        """Replaces a key, its value and their comments by entries, in the same style, block or flow."""
        pair = self._pairs[path]
        self.forget(path)
        if pair.block:
            depth, odd = divmod(pair.key.start_mark.column, _INDENT)
            pad = " " * odd
            block = "".join(f"{pad}{line}\n" for line in yaml_lines(entries, depth))
            self._edits.append((self._line(pair.key.start_mark.index), self._after(pair), block))
        else:
            inside = yaml_flow(plain_values(entries))[1:-1]
            self._edits.append((pair.key.start_mark.index, _end(pair.value), inside))

    def put_after(self, path: KeyPath, entries: Entries) -> None:
        """Adds entries after a key and its value."""
        pair = self._pairs[path]
        if pair.block:
            depth, odd = divmod(pair.key.start_mark.column, _INDENT)
            block = "".join(f"{' ' * odd}{line}\n" for line in yaml_lines(entries, depth))
            at = self._after(pair)
            self._edits.append((at, at, block))
        else:
            at = _end(pair.value)
            self._edits.append((at, at, f", {yaml_flow(plain_values(entries))[1:-1]}"))

    def edited(self) -> str:
        """The text with all edits. An edit inside the range of another has no effect."""
        kept: list[tuple[int, int, str]] = []
        for edit in sorted(self._edits, key=lambda each: (each[0], -each[1])):
            if not kept or edit[0] >= kept[-1][1]:
                kept.append(edit)
        text = self.text
        for start, end, new in reversed(kept):
            text = text[:start] + new + text[end:]
        return text

    def _line(self, index: int) -> int:
        """Where a line begins."""
        return self.text.rfind("\n", 0, index) + 1

    def _after(self, pair: _Pair) -> int:
        """The position after the last line of a value: comments below it belong to the next key."""
        found = self.text.find("\n", _end(pair.value))
        return len(self.text) if found < 0 else found + 1


def _end(node: Node) -> int:
    """The end of a value. A block's own end mark is the start of the next element, after comments."""
    if isinstance(node, MappingNode) and not node.flow_style and node.value:
        return _end(node.value[-1][1])
    if isinstance(node, SequenceNode) and not node.flow_style and node.value:
        return _end(node.value[-1])
    return int(node.end_mark.index)
