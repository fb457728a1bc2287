"""The work for an input grows with its size, and not with the square of it."""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import muster
from muster.cli.exits import Exit
from tests.growing_inputs import GROWING, Growing

FEWEST, MANY = 4, 128
ENOUGH = 250_000
"""Lines. An input that costs less gets twice as many parts, up to `MANY`: small squares show only in many."""
OWN = str(Path(muster.__file__).parent)
MOST = 2.4
"""Twice as many parts are twice the work, but for the order of sets. If each part were compared with each other
one, it would be four times."""
LEAST = 1_000
"""Lines. Less growth than this is noise."""


def lines(input_: Growing, command: tuple[str, ...]) -> int:
    """The lines of Muster that run for an input, each round of a loop included.

    Calls in libraries are not counted: they differ from run to run, by what earlier tests loaded.
    """
    number = 0

    def count(frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal number
        if not frame.f_code.co_filename.startswith(OWN):
            return None
        number += 1
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        code = input_.run(command)
    finally:
        sys.settrace(before)
    assert code in (Exit.CLEAN, Exit.FINDINGS, Exit.INPUT)
    return number


@pytest.mark.parametrize("input_", GROWING.values(), ids=GROWING)
def test_twice_as_many_parts_are_twice_the_work(
    input_: Growing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first run imports modules and fills caches, and is not counted."""
    monkeypatch.chdir(tmp_path)
    input_.run(input_.write(tmp_path, FEWEST))
    size, counted = FEWEST, [lines(input_, input_.write(tmp_path, FEWEST))]
    while len(counted) < 3 or (size < MANY and counted[-1] < ENOUGH):
        size *= 2
        counted.append(lines(input_, input_.write(tmp_path, size)))
    few, more, most = counted[-3:]
    written = capsys.readouterr().out
    assert most - more <= MOST * max(more - few, LEAST), (size, counted, written[-2000:])
