"""Few open files, and a full disk: named, at the start or where it happens."""

import errno
import os

import pytest

from muster.rehearsal import machine_limits
from muster.rehearsal.machine_limits import RehearsalError


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "no space is left on the disk: /x"), (errno.EMFILE, "ulimit")]
)
def test_what_this_process_runs_out_of_is_named(number: int, words: str) -> None:
    with pytest.raises(RehearsalError, match=words), machine_limits.exhausted_here():
        raise OSError(number, os.strerror(number), "/x")


def test_other_errors_go_on() -> None:
    with pytest.raises(PermissionError), machine_limits.exhausted_here():
        raise PermissionError(errno.EACCES, "no")
