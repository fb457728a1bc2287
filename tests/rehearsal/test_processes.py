"""The supervisor and the processes it keeps, with ordinary programs."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from muster.rehearsal import supervisor
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


def test_what_a_dead_process_started_goes_when_it_died(tmp_path: Path):
    """Compilers below a `go build` that was killed: it ended, they did not."""
    with Processes(tmp_path) as some:
        log = some.start("parent", ["sh", "-c", "sleep 100 & echo $!; exit 1"]).log
        assert some.ended("parent", 10) == 1
        child = int(log.read_text())
        end = time.monotonic() + 10
        while runs(child) and time.monotonic() < end:
            time.sleep(0.005)
        assert not runs(child)


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
    assert supervisor.MARK in names
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


def test_a_fork_that_holds_the_socket_keeps_nothing_alive(tmp_path: Path):
    program = (
        "import os, sys, time; from pathlib import Path; from muster.rehearsal.processes import Processes\n"
        "some = Processes(Path(sys.argv[1])).__enter__(); some.start('sleeper', ['sleep', '100'])\n"
        "fork = os.fork()\n"
        "if not fork: os.chdir('/'); time.sleep(100)\n"
        "print(fork, flush=True); time.sleep(100)"
    )
    command = [sys.executable, "-c", program, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        fork = int(child.stdout.readline())
        child.kill()
        child.wait()
        try:
            until = time.monotonic() + 20
            while list(tmp_path.iterdir()) and time.monotonic() < until:
                time.sleep(0.05)
            assert list(tmp_path.iterdir()) == []
        finally:
            os.kill(fork, signal.SIGKILL)


def test_the_supervisor_told_to_end_clears_away(tmp_path: Path):
    with Processes(tmp_path) as some:
        some.start("sleeper", ["sleep", "100"])
        some._supervisor.terminate()
        with pytest.raises(ComponentDied):
            some.wait(10)
        assert list(tmp_path.iterdir()) == []


STRAY = ["sh", "-c", "setsid sh -c 'cd /; echo $$; exec sleep 100' & wait"]
"""A process that puts what it starts out of its group and its folder, as slurmd does with its slurmstepd."""


def a_stray(some: Processes) -> int:
    """Starts one; its process id."""
    log = some.start("parent", STRAY).log
    while not (said := log.read_text()):
        some.wait(0.01)
    return int(said)


def runs(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize("killed", ["nobody", "the supervisor", "both"])
def test_what_left_the_group_of_its_parent_goes_too(tmp_path: Path, killed: str):
    """By all three nets: the rehearsal ends, its supervisor is killed, or both are and the next one sweeps."""
    some = Processes(tmp_path).__enter__()
    stray = a_stray(some)
    assert runs(stray)
    if killed != "nobody":
        some._supervisor.kill()
        some._supervisor.wait()
    if killed == "both":
        assert runs(stray)
        assert supervisor.sweep(tmp_path) == [some.folder]
    else:
        some.stop()
    assert not runs(stray)
    some.stop()
    assert left(tmp_path) == []


def test_one_process_ends_alone(tmp_path: Path):
    """And without complaint: it is no death that anybody is told. What left its group goes by its mark."""
    with Processes(tmp_path) as some:
        some.start("other", ["sleep", "100"])
        stray = a_stray(some)
        some.end("parent")
        assert (runs(stray), set(some.running)) == (True, {"other"})
        some.check()
        supervisor.end_strays(some.folder)
        assert not runs(stray)


# What is left when both were killed.


def test_a_folder_whose_supervisor_was_killed_is_swept_by_the_next(tmp_path: Path):
    with Processes(tmp_path) as some:
        folder = some.folder
        some._supervisor.kill()
        some._supervisor.wait()
        assert folder.exists()
        with Processes(tmp_path) as another:
            assert not folder.exists()
            assert another.folder.exists()


def test_a_folder_in_use_is_not_swept(tmp_path: Path):
    with Processes(tmp_path) as some:
        assert supervisor.sweep(tmp_path) == []
        assert some.folder.exists()


def test_a_folder_that_is_being_made_is_not_swept_and_one_long_abandoned_is(tmp_path: Path):
    new, old = tmp_path / f"{supervisor.PREFIX}new", tmp_path / f"{supervisor.PREFIX}old"
    new.mkdir()
    old.mkdir()
    os.utime(old, (0, 0))
    assert supervisor.sweep(tmp_path) == [old]
    assert new.exists()


def test_what_only_looks_like_a_folder_of_ours_is_left_alone(tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = tmp_path / f"{supervisor.PREFIX}link"
    link.symlink_to(elsewhere)
    os.utime(elsewhere, (0, 0))
    assert supervisor.sweep(tmp_path) == []
    assert elsewhere.exists()
