"""An edit of a YAML text changes one value, and nothing else."""

import difflib
import re
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from muster.config.edited_text import edited
from muster.edits import Edit, add, remove, set_to
from muster.edits import flow_text as flow
from muster.finding import KeyPath

WORDS = st.sampled_from(
    ["a", "us-west-2a", "1.35", "true", "on", "null", "#", "a: b", "a #b", "- a", "{", "é\U0001f600", ""]
)
LINES = st.sampled_from(["a\n", "# not a comment\nb\n", "a\n\n  b\n"])
SCALARS = st.none() | st.booleans() | st.integers(-9, 99) | WORDS | LINES
KEYS = st.sampled_from(["a", "b", "nodes", "node.kubernetes.io/instance-type", "on", "1", "k k"])
VALUES = st.recursive(
    SCALARS, lambda each: st.lists(each, max_size=3) | st.dictionaries(KEYS, each, max_size=3), max_leaves=8
)
MAPPINGS = st.dictionaries(KEYS, VALUES, min_size=1, max_size=4)
CHANGES = st.recursive(
    st.booleans() | st.integers(0, 9) | WORDS,
    lambda each: st.lists(each, max_size=2) | st.dictionaries(KEYS, each, max_size=2),
    max_leaves=3,
)


class Writer:
    """Writes plain data as YAML, each block in a drawn style, with comments where YAML has them."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw, self.comments = draw, 0

    def text(self, data: dict[str, Any]) -> str:
        return "\n".join(self._block(data, 0)) + self._draw(st.sampled_from(["", "\n"]))

    def _choice(self, *several: str) -> str:
        return self._draw(st.sampled_from(several))

    def _comment(self, before: str = "  ") -> str:
        if self._choice("no", "yes") == "no":
            return ""
        self.comments += 1
        return f"{before}# {self.comments}: - c{{"

    def _own_line(self, column: int) -> Iterator[str]:
        if comment := self._comment(" " * column):
            yield comment

    def _block(self, data: Any, column: int) -> Iterator[str]:
        for each in data:
            yield from self._own_line(column)
            if isinstance(data, dict):
                yield from self._value(f"{' ' * column}{flow(each)}:", data[each], column)
            else:
                yield from self._value(f"{' ' * column}-", each, column)

    def _value(self, head: str, value: Any, column: int) -> Iterator[str]:
        style = self._choice("block", "block", "flow", "long flow")
        if value and isinstance(value, dict | list) and style == "block":
            inner = (
                column
                if isinstance(value, list) and head.endswith(":") and self._choice("in", "out") == "out"
                else column + 2
            )
            lines = list(self._block(value, inner))
            if head.endswith("-") and not lines[0].lstrip().startswith("#") and self._choice("same", "next") == "same":
                lines[0] = f"{head} {lines[0].lstrip()}"
            else:
                yield head + self._comment()
            yield from lines
        elif value and isinstance(value, dict | list) and style == "long flow":
            opens, closes = "{}" if isinstance(value, dict) else "[]"
            yield f"{head} {opens}{self._comment()}"
            for index, each in enumerate(value):
                comma = "," if index + 1 < len(value) or self._choice("no", "comma") == "comma" else ""
                entry = f"{flow(each)}: {flow(value[each])}" if isinstance(value, dict) else flow(each)
                yield f"{' ' * (column + 2)}{entry}{comma}{self._comment()}"
            yield f"{' ' * (column + 1)}{closes}{self._comment()}"
        elif isinstance(value, str) and value.endswith("\n") and style == "block":
            yield f"{head} |{self._comment()}"
            yield from (f"{' ' * (column + 2)}{line}" if line else "" for line in value.splitlines())
        elif value is None and style == "block":
            yield head + self._comment()
        else:
            yield f"{head} {flow(value)}{self._comment()}"


@st.composite
def documents(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """A text and its value."""
    data = draw(MAPPINGS)
    text = Writer(draw).text(data)
    text += "" if yaml.safe_load(text) == data else "\n"  # the end of a text in lines
    assert yaml.safe_load(text) == data
    return text, data


def paths(value: Any, above: KeyPath = ()) -> Iterator[tuple[KeyPath, Any]]:
    """Every path with its value."""
    yield above, value
    for step in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from paths(value[step], (*above, step))


def at(data: Any, path: KeyPath) -> Any:
    for step in path:
        data = data[step]
    return data


def with_value(data: Any, path: KeyPath, value: Any) -> Any:
    data = deepcopy(data)
    above = data
    for step in path[:-1]:
        if isinstance(above, dict) and above.get(step) is None:
            above[step] = {}
        above = above[step]
    above[path[-1]] = value
    return data


def without(data: Any, path: KeyPath) -> Any:
    """Without a value, and without the blocks that this empties."""
    data = deepcopy(data)
    while path:
        *above, last = path
        block = at(data, tuple(above))
        del block[last]
        if block:
            return data
        path = tuple(above)
    return None


def comments(text: str) -> list[str]:
    return re.findall(r"# \d+: - c\{", text)


def lines_of(text: str, path: KeyPath) -> set[int]:
    """The lines of an entry, from its key or dash to its end."""
    node = yaml.compose(text, Loader=yaml.SafeLoader)
    begin = 0
    for step in path:
        if isinstance(node, yaml.MappingNode):
            key, value = next(each for each in node.value if each[0].value == step)
            begin, node = key.start_mark.line, value
        else:
            begin = node.value[step - 1].end_mark.line if step else node.start_mark.line  # its dash may stand above it
            node = node.value[step]
    return set(range(begin, node.end_mark.line + 1))


def judged(text: str, after: str | None, expected: Any) -> tuple[list[int], int]:
    """Checks value and comments; returns the lines that went, and how many came."""
    assert after is not None
    assert yaml.safe_load(after) == expected
    assert sorted(comments(after)) == sorted(comments(text))
    gone: list[int] = []
    came = 0
    old, new = text.splitlines(), after.splitlines()
    for tag, begin, end, first, last in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            gone += range(begin, end)
            came += last - first
    return gone, came


def comments_in(text: str, lines: list[int]) -> int:
    old = text.splitlines()
    return sum(len(comments(old[each])) for each in lines)


@given(documents(), st.data(), CHANGES)
def test_an_edit_changes_one_value_and_no_line_more(
    document: tuple[str, dict[str, Any]], data: st.DataObject, value: Any
) -> None:
    """A value is set, or a key that is not there; a value is removed, with the blocks that this empties; an item is
    added to a list, or makes one."""
    text, before = document
    path, there = data.draw(st.sampled_from([each for each in paths(before) if each[0]]))
    gone, came = judged(text, edited(text, path, set_to(value)), with_value(before, path, value))
    assert len(gone) <= len(lines_of(text, path))
    assert came <= 1 + comments_in(text, gone)

    block = data.draw(st.sampled_from([each for each, below in paths(before) if isinstance(below, dict)]))
    new: KeyPath = (*block, *data.draw(st.sampled_from([("new",), ("new", "below")])))
    gone, came = judged(text, edited(text, new, set_to(value)), with_value(before, new, value))
    assert len(gone) <= 1
    assert came == len(gone) or (came, gone) == (1, []), "a line more in a block, none more in braces"

    left, after = without(before, path), edited(text, path, remove())
    if left is None:
        assert after is None
    else:
        gone, came = judged(text, after, left)
        assert came <= 2 + comments_in(text, gone)

    after = edited(text, path, add(value))
    if there is None or isinstance(there, list):
        gone, came = judged(text, after, with_value(before, path, [*(there or []), value]))
        assert len(gone) <= 1
        assert came == max(len(gone), 1)
    else:
        assert after is None


@pytest.mark.parametrize(
    ("text", "path", "edit", "after"),
    [
        ("nodes: 4  # a\n", ("nodes", "max"), set_to(2), "nodes: 2  # a\n"),
        ("api: private\n", ("api", "public"), set_to(["10.0.0.0/8"]), None),
        ("capacity: spot\n", ("capacity", "spot", "a"), set_to(True), "capacity: {spot: {a: true}}\n"),
        ("a: &x {b: 1}\nc: *x\n", ("a", "b"), set_to(2), None),
        ("a: 1\n", ("b",), remove(), None),
        ("a: 1\n", ("a",), remove(), None),
        ("a: [1]\n", ("a", 1), set_to(2), None),
        ("# nothing\n", ("a",), set_to(2), None),
        ("a: |+\n  x\n\n", ("b",), set_to(2), "a: |+\n  x\n\nb: 2\n"),
        ("a: 1\nb: 2  # why\n", ("b",), remove(), "a: 1\n# why\n"),
        ("a:  # why\n  # inner\n  b: 1  # b\n", ("a",), set_to(2), "a: 2  # why\n# inner\n# b\n"),
    ],
)
def test_examples(text: str, path: KeyPath, edit: Edit, after: str | None) -> None:
    assert edited(text, path, edit) == after
