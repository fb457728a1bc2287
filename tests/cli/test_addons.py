"""What a shell offers after `muster addons`; what that prints is in `transcripts/addons.txt`."""

import pytest

from tests.cli.conftest import Muster


def test_completion_offers_stacks(muster: Muster, monkeypatch: pytest.MonkeyPatch) -> None:
    """And no name with a control code, or more than one line."""
    for name in ("x\x1b[2J", "x\n::error::y"):
        muster.file(name).write_text("")
    monkeypatch.setenv("_MUSTER_COMPLETE", "complete_bash")
    for words in ("muster addons ", "muster mirror "):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", "2")
        assert set(muster().out.split()) == {"p5-odcr"}
