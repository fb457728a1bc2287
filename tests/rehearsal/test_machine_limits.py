"""Few open files, and a full disk: named, at the start or where it happens."""

import errno
import os
import resource
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from muster.rehearsal import machine_limits
from muster.rehearsal.kubernetes import binaries
from muster.rehearsal.kubernetes.go_toolchain import Toolchain, read_pin
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError
from muster.rehearsal.processes import Processes
from muster.rehearsal.progress import SilentProgress

FULL = "write etcd/member/snap/db: no space left on device"


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


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every disk is."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=4096))


def test_too_small_a_disk_is_named_before_etcd_starts(tmp_path: Path, full: None):
    with pytest.raises(RehearsalError, match=f"{tmp_path} has 0 MB free; free space there, or set TMPDIR"):
        machine_limits.require_disk_space(tmp_path)


def test_a_component_that_dies_of_a_full_disk_is_told_without_its_log(tmp_path: Path):
    with Processes(tmp_path) as some:
        some.start("etcd", ["sh", "-c", f"echo '{FULL}'; exit 1"])
        with pytest.raises(ComponentDied) as told:
            some.wait(10)
    assert "\n" not in str(told.value)
    assert str(told.value).startswith("etcd ended with code 1: a disk that it writes to is full")


def test_a_disk_that_takes_no_log_either_is_named(tmp_path: Path, full: None):
    with Processes(tmp_path) as some:
        some.start("etcd", ["sh", "-c", "exit 2"])
        with pytest.raises(ComponentDied, match="a disk"):
            some.wait(10)


def test_too_many_open_files_are_named(tmp_path: Path):
    with Processes(tmp_path) as some:
        some.start("kwok", ["sh", "-c", "echo 'accept: too many open files'; exit 1"])
        with pytest.raises(ComponentDied, match=r"too many open files: .*`ulimit -n"):
            some.wait(10)


def test_a_build_on_a_full_disk_names_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    go = tmp_path / "go"
    go.write_text("#!/bin/sh\necho 'compile: writing output: no space left on device'; exit 1\n")
    go.chmod(0o755)
    with pytest.raises(RehearsalError, match=r"^etcd \S+ could not be built: a disk that it writes to is full"):
        binaries.build_binary(read_pin("etcd"), SilentProgress(), Toolchain("1.99.0", go))


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
