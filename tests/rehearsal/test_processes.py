"""The watchdog and the processes of a rehearsal: however it ends, it leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muster.rehearsal import watchdog
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError
from muster.rehearsal.processes import Processes

IN_PROC = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="looks for processes in /proc")


def at_work(base: Path) -> list[str]:
    """Command lines of every process that works in the folder, or names it."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            line = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            works_in = (process / "cwd").readlink()
        except OSError:
            continue
        if works_in.is_relative_to(base) or str(base) in line:
            found.append(line)
    return found


def left(base: Path, patience: float = 60) -> list[str]:
    """Processes and folders that are still there after so many seconds. (A port goes with its process.)"""
    until = time.monotonic() + patience
    while True:
        there = [*at_work(base), *map(str, base.iterdir())]
        if not there or time.monotonic() > until:
            return there
        time.sleep(0.02)


def test_processes_run_in_the_folder_and_end_with_it(tmp_path: Path) -> None:
    """With what they started."""
    with Processes(tmp_path) as some:
        process = some.start("parent", ["sh", "-c", f"sleep 100 & pwd; echo {tmp_path}; wait"])
        while not (said := process.log.read_text()):
            some.wait(0.01)
        assert said.splitlines()[0] == str(some.folder)
    assert left(tmp_path) == []


def test_a_death_ends_a_wait_at_once_and_is_told_with_the_end_of_the_log(tmp_path: Path) -> None:
    began = time.monotonic()
    with Processes(tmp_path) as some:
        some.start("talker", ["sh", "-c", "for i in $(seq 30); do echo line $i; done; exit 3"])
        with pytest.raises(ComponentDied) as told:
            some.wait(30)
    assert time.monotonic() - began < 20
    lines = str(told.value).splitlines()
    assert lines[0].startswith("talker ended with code 3")
    assert lines[1:] == [f"  line {number}" for number in range(19, 31)]


def test_processes_see_neither_proxies_nor_credentials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is meant to end ends without complaint."""
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with Processes(tmp_path) as some:
        log = some.start("env", ["sh", "-c", "env; exit 7"]).log
        assert some.ended("env", 10) == 7
        some.check()
        names = {line.partition("=")[0] for line in log.read_text().splitlines()}
    assert not names & {"HTTPS_PROXY", "AWS_SECRET_ACCESS_KEY"}


def test_a_program_or_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with Processes(tmp_path) as some, pytest.raises(RehearsalError, match=r"ghost .*/no/such/program"):
        some.start("ghost", ["/no/such/program"])
    with pytest.raises(RehearsalError, match=f"{tmp_path}/missing"), Processes(tmp_path / "missing"):
        pass


@IN_PROC
@pytest.mark.parametrize("signals", [("SIGKILL",), ("SIGTERM",), ("SIGINT",), ("SIGINT", "SIGINT")], ids=str)
def test_all_ends_with_the_process_that_started_it(tmp_path: Path, signals: tuple[str, ...]) -> None:
    program = (
        "import sys, time; from pathlib import Path; from muster.rehearsal.processes import Processes\n"
        "with Processes(Path(sys.argv[1])) as some:\n"
        "    some.start('sleeper', ['sleep', '100']); print('up', flush=True); time.sleep(100)"
    )
    ended(program, tmp_path, signals, 3)  # itself, the watchdog, and the sleeper


@IN_PROC
@pytest.mark.rehearsal
def test_a_control_plane_ends_with_the_process_that_started_it(tmp_path: Path) -> None:
    program = (
        "import sys, time; from pathlib import Path\n"
        "from muster.rehearsal.kubernetes.control_plane import ControlPlane\n"
        "with ControlPlane(jobs=['MPIJob'], folder=Path(sys.argv[1])):\n"
        "    print('up', flush=True); time.sleep(300)"
    )
    ended(program, tmp_path, ("SIGKILL",), 8)  # itself, the watchdog, and six components


def ended(program: str, folder: Path, signals: tuple[str, ...], processes: int) -> None:
    """A program that is up, and then gets signals, the second while it ends, leaves nothing in the folder."""
    command = [sys.executable, "-c", program, str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "up\n"
        assert len(at_work(folder)) == processes
        for name in signals:
            child.send_signal(signal.Signals[name])
            time.sleep(0.03)
    assert left(folder) == []


@IN_PROC
@pytest.mark.rehearsal
def test_a_rehearsal_without_its_watchdog_ends_and_leaves_nothing(tmp_path: Path) -> None:
    with ControlPlane(folder=tmp_path) as plane:
        plane.processes._watchdog.kill()
        with pytest.raises(ComponentDied, match="watchdog was killed"):
            plane.processes.wait(10)
    assert left(tmp_path) == []


def test_the_watchdog_kills_its_group_although_its_parent_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Never group 1: that is every process of the user."""
    killed: list[int] = []
    calls = {"read": lambda *_: b"", "fork": lambda: 0, "setsid": lambda: None, "getppid": lambda: 1}
    for name, call in {**calls, "killpg": lambda group, _: killed.append(group)}.items():
        monkeypatch.setattr(os, name, call)
    monkeypatch.setattr(sys, "argv", ["watchdog", str(tmp_path / "folder")])
    watchdog.main()
    assert killed == [os.getpid()]
