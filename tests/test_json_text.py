"""JSON of others is read within bounds, and each fault has its place."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.config.document import parse
from muster.json_text import NotJson, load, position_of_path
from muster.position import Position
from tests.damage import places

KEYS = st.text("abc", min_size=1, max_size=2)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text('a"\\{[,: é', max_size=4),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(KEYS, below, max_size=3),
    max_leaves=8,
)


@given(VALUES, st.sampled_from([None, 1]))
def test_a_place_is_where_the_reader_of_yaml_sees_it(value: object, indent: int | None) -> None:
    """Two readers, one of them fast, agree on every value of a text."""
    text = json.dumps(value, indent=indent)
    slow = parse(text, Path("a.json"))
    for path in places(value):
        assert position_of_path(text, path) == slow.position(path), path


def test_what_is_not_there_is_where_the_block_around_it_is() -> None:
    assert position_of_path('{"a":\n  {"b": 1}}', ("a", "c", 3)) == Position(2, 3)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ('{"a":\n ' + "9" * 10_000 + "}", Position(1, 1)),
        ('{"a":\n NaN}', Position(1, 1)),
        ("[" * 101 + "]" * 101, Position(1, 1)),
        ("[" * 100_000, Position(1, 1)),
        ("[" + "[]," * 700_000 + "1]", Position(1, 1)),
        ('{"a" 1}', Position(1, 6)),
    ],
)
def test_what_is_not_read(text: str, at: Position) -> None:
    with pytest.raises(NotJson) as fault:
        load(text)
    assert fault.value.position == at


def test_a_hundred_blocks_in_each_other_are_read() -> None:
    assert load("[" * 100 + "]" * 100)
