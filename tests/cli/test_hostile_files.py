"""A file that cannot be read is wrong input, whichever option names it. Links and limits of a project's own files are
in `transcripts/wrong_files.txt`."""

import os
from pathlib import Path

import pytest

from tests.cli.conftest import Muster

NAMED_BY = (
    ("check", "{}"),
    ("check", "p5-odcr", "--config", "{}"),
    ("check", "p5-odcr", "--baseline", "{}"),
    ("report", "--events", "{}"),
    ("rehearse", "p5-odcr", "--file", "{}"),
    ("rehearse", "pcluster-gpu", "--file", "{}"),
    ("verify", "p5-odcr", "--kubeconfig", "{}"),
)


@pytest.mark.parametrize("arguments", NAMED_BY, ids=" ".join)
def test_what_is_no_regular_file_or_too_large_is_wrong_input(
    muster: Muster, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    """No command waits for a pipe that nothing is written to, reads a device without an end, or parses for minutes."""
    muster.take("pcluster-gpu")
    os.mkfifo(tmp_path / "fifo")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(40 * 2**20)
    for name in ("/dev/zero", str(tmp_path / "fifo"), str(tmp_path / "large")):
        ran = muster(*(each.format(name) for each in arguments))
        assert ran.code == 2
        assert name in ran.err
