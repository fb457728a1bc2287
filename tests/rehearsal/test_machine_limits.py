"""Few open files, and a full disk: named, at the start or where it happens."""

import errno
import os
import resource
import subprocess
import sys

import pytest

from muster.rehearsal import machine_limits
from muster.rehearsal.machine_limits import RehearsalError


def limited(soft: int, hard: int) -> subprocess.CompletedProcess[str]:
    """What `require_open_files` does below these limits."""
    program = (
        f"import resource; resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))\n"
        "from muster.rehearsal import machine_limits\n"
        "machine_limits.require_open_files(); print(resource.getrlimit(resource.RLIMIT_NOFILE)[0])"
    )
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


def test_too_few_files_are_named_before_anything_runs():
    ran = limited(64, 64)
    assert ran.returncode
    last = ran.stderr.strip().splitlines()[-1]
    assert "RehearsalError" in last
    assert "`ulimit -n`" in last


@pytest.mark.parametrize(("soft", "then"), [(64, machine_limits.FILES), (512, 512)])
def test_as_many_files_as_the_shell_may_are_taken(soft: int, then: int):
    assert limited(soft, 1024).stdout.strip() == str(then)


@pytest.mark.parametrize(
    ("number", "words"), [(errno.ENOSPC, "no space is left on the disk: /x"), (errno.EMFILE, "ulimit")]
)
def test_what_this_process_runs_out_of_is_named(number: int, words: str):
    with pytest.raises(RehearsalError, match=words), machine_limits.exhausted_here():
        raise OSError(number, os.strerror(number), "/x")


def test_other_errors_go_on():
    with pytest.raises(PermissionError), machine_limits.exhausted_here():
        raise PermissionError(errno.EACCES, "no")


def test_without_a_temporary_folder_there_is_advice(monkeypatch: pytest.MonkeyPatch):
    def none() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.setattr("tempfile.gettempdir", none)
    with pytest.raises(RehearsalError, match="set TMPDIR"):
        machine_limits.temporary_folder()


def test_the_limit_here_is_enough_for_the_tests():
    machine_limits.require_open_files()
    assert resource.getrlimit(resource.RLIMIT_NOFILE)[0] >= machine_limits.FILES
