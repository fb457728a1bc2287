"""The work for an input grows with its size, and not with the square of it."""

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import muster
from muster.cli.exits import Exit
from muster.cli.main import main
from tools.growing import GROWING, Growing

SIZES = (4, 8, 16)
OWN = str(Path(muster.__file__).parent)
MOST = 2.2
"""Twice as many parts are twice the work. If each part were compared with each other one, it would be four times."""


def lines(command: tuple[str, ...]) -> int:
    """The lines of Muster that run for a command, each round of a loop included."""
    number = 0

    def count(frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal number
        number += 1
        return count if frame.f_code.co_filename.startswith(OWN) else None

    before = sys.gettrace()
    sys.settrace(count)
    try:
        code = main(command)
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
    monkeypatch.setenv("MUSTER_PARALLELCLUSTER", "/nonexistent")
    main(input_.write(tmp_path, SIZES[0]))
    few, more, most = (lines(input_.write(tmp_path, each)) for each in SIZES)
    written = capsys.readouterr().out
    assert most - more <= MOST * (more - few), written[-2000:]
