"""The watchdog and the processes of a rehearsal, with ordinary programs."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muster.rehearsal import watchdog
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError
from muster.rehearsal.processes import Processes
from tests.rehearsal.leftovers import left


def test_processes_run_in_the_folder_and_end_with_it(tmp_path: Path):
    with Processes(tmp_path) as some:
        process = some.start("sleeper", ["sh", "-c", "pwd; sleep 100"])
        folder = some.folder
        while not process.log.read_text():
            some.wait(0.01)
        assert process.log.read_text().strip() == str(folder)
    assert left(tmp_path) == []


def test_what_a_process_started_goes_too(tmp_path: Path):
    with Processes(tmp_path) as some:
        some.start("parent", ["sh", "-c", f"sleep 100 & echo {tmp_path}; wait"])
        some.wait(0.2)
    assert left(tmp_path) == []


def test_a_death_is_told_with_the_end_of_the_log(tmp_path: Path):
    with Processes(tmp_path) as some:
        some.start("talker", ["sh", "-c", "for i in $(seq 30); do echo line $i; done; exit 3"])
        with pytest.raises(ComponentDied) as told:
            some.wait(10)
    lines = str(told.value).splitlines()
    assert lines[0] == "talker ended with code 3; the last lines of its log:"
    assert lines[1:] == [f"  line {number}" for number in range(19, 31)]


def test_a_death_ends_a_wait_at_once(tmp_path: Path):
    with Processes(tmp_path) as some:
        some.start("short", ["sh", "-c", "sleep 0.1"])
        began = time.monotonic()
        with pytest.raises(ComponentDied, match=r"short ended with code 0; the last lines of its log:\n  \(nothing\)"):
            some.wait(30)
        assert time.monotonic() - began < 10


def test_a_process_that_is_meant_to_end_ends_without_complaint(tmp_path: Path):
    with Processes(tmp_path) as some:
        some.start("job", ["sh", "-c", "exit 7"])
        assert some.ended("job", 10) == 7
        some.check()


def test_a_program_that_is_not_there_is_named(tmp_path: Path):
    with (
        Processes(tmp_path) as some,
        pytest.raises(RehearsalError, match=r"ghost cannot be started \(/no/such/program\)"),
    ):
        some.start("ghost", ["/no/such/program"])


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path):
    missing = tmp_path / "missing"
    with (
        pytest.raises(RehearsalError, match=f"cannot create its folder and processes in {missing}: .*No such file"),
        Processes(missing),
    ):
        pass


def test_processes_see_neither_proxies_nor_credentials(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    with Processes(tmp_path) as some:
        log = some.start("env", ["env"]).log
        some.ended("env", 10)
        names = {line.partition("=")[0] for line in log.read_text().splitlines()}
    assert not names & {"HTTPS_PROXY", "AWS_SECRET_ACCESS_KEY"}


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_all_ends_with_the_process_that_started_it(tmp_path: Path, number: signal.Signals):
    program = (
        "import sys, time; from pathlib import Path; from muster.rehearsal.processes import Processes\n"
        "with Processes(Path(sys.argv[1])) as some:\n"
        "    some.start('sleeper', ['sleep', '100']); print('up', flush=True); time.sleep(100)"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "up\n"
        child.send_signal(number)
    assert left(tmp_path) == []


def test_the_watchdog_kills_its_group_although_its_parent_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Never group 1: that is every process of the user."""
    killed: list[int] = []
    calls = {"read": lambda *_: b"", "fork": lambda: 0, "setsid": lambda: None, "getppid": lambda: 1}
    for name, call in {**calls, "killpg": lambda group, _: killed.append(group)}.items():
        monkeypatch.setattr(os, name, call)
    monkeypatch.setattr(sys, "argv", ["watchdog", str(tmp_path / "folder")])
    watchdog.main()
    assert killed == [os.getpid()]
