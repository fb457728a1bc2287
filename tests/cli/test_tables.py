"""Tables on terminals of any width: no word is cut, no id broken."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from muster.cli import tables
from tests.cli.conftest import Muster

WORDS = st.text("abcdefgh-0123456789./$", min_size=1, max_size=40)
CELLS = st.lists(WORDS, min_size=0, max_size=5).map(" ".join)
PAINT = re.compile(r"\x1b\[[0-9;]*m")


@pytest.fixture(scope="module", autouse=True)
def terminal():
    """Stdout is one, and is left alone by the tests before."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("muster.cli.tables.is_terminal", lambda: True)
        patch.setenv("NO_COLOR", "1")
        yield patch


def shown(width: int, heads: Sequence[str], rows: Sequence[Sequence[str]], terminal: pytest.MonkeyPatch) -> list[str]:
    """The lines of a table, without what is only looks."""
    terminal.setattr("muster.cli.tables._width", lambda _piped: width)
    text = PAINT.sub("", tables.table(heads, rows, "A title"))
    return [line.rstrip() for line in text.splitlines()]


@settings(max_examples=60)
@given(st.data(), st.integers(20, 200), st.integers(1, 6), st.integers(0, 4))
def test_every_word_of_every_cell_is_whole(
    terminal: pytest.MonkeyPatch, data: st.DataObject, width: int, columns: int, rows: int
) -> None:
    """However narrow it is."""
    heads = data.draw(st.lists(WORDS, min_size=columns, max_size=columns))
    cells = data.draw(st.lists(st.lists(CELLS, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    lines = shown(width, heads, cells, terminal)
    told = [word for line in lines for word in line.split()]
    for row in cells:
        for cell in row:
            for word in cell.split():
                assert told.count(word) >= sum(each.split().count(word) for row in cells for each in row)


@pytest.mark.parametrize("command", [("cost", "p5-odcr"), ("plan", "p5-odcr"), ("plan", "p5-odcr", "-v")])
def test_ids_are_whole_on_a_narrow_terminal(
    muster: Muster, terminal: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    """Whatever a person may want to copy: ids, types, keys, paths."""

    def names(columns: int) -> set[str]:
        terminal.setattr("muster.cli.tables._width", lambda _piped: columns)
        told = PAINT.sub("", muster.judged(*command).out)
        return set(re.findall(r"[a-z0-9*]+(?:[-.:/\[\]][\w*]+)+", told))

    wanted = names(1000)
    assert len(wanted) > 5
    for columns in (80, 60):
        assert wanted <= names(columns), columns
