"""Where comments stand in a YAML text, and what they belong to."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_HASH = re.compile(r"(?:^|(?<=[ \t]))#[^\n]*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Comment:
    """One line of comment.

    A comment beside a value belongs to it, and so do the lines that go on below it in the same column. One on a line of
    its own belongs to what the next line says, where it stands in the same column as that.
    """

    start: int
    """Where its `#` is."""
    end: int
    """Behind its last character; the line break comes next."""
    own_line: bool


def comments(text: str, scalars: Iterable[tuple[int, int]]) -> list[Comment]:
    """Every comment, in order.

    Args:
        text: YAML.
        scalars: where its keys and values stand: a `#` inside of one begins no comment.
    """
    spans = sorted(scalars)
    found = []
    for match in _HASH.finditer(text):
        if not any(start < match.start() < end for start, end in spans):
            begins = text.rfind("\n", 0, match.start()) + 1
            found.append(Comment(match.start(), match.end(), not text[begins : match.start()].strip()))
    return found


def column(text: str, index: int) -> int:
    """How far from its line's beginning something stands."""
    return index - text.rfind("\n", 0, index) - 1


def beside(text: str, every: Sequence[Comment], index: int) -> Iterator[Comment]:
    """The comment at the end of the line where `index` is, and the lines that it goes on in."""
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


def above(text: str, every: Sequence[Comment], index: int) -> Iterator[Comment]:
    """The lines of comment directly above the line where `index` is, in the same column as what it says."""
    line = text.rfind("\n", 0, index) + 1
    indent = len(text[line:]) - len(text[line:].lstrip(" "))
    for each in reversed(every):
        begins = text.rfind("\n", 0, each.start) + 1
        if each.own_line and each.end + 1 == line and each.start - begins == indent:
            line = begins
            yield each


def together(text: str, every: Iterable[Comment]) -> list[list[Comment]]:
    """Lines that are one comment: each below the other, in one column."""
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
