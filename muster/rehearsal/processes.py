"""The rehearsal's side of the supervisor: starts processes through it, and learns when they end."""

import contextlib
import json
import os
import shutil
import signal
import socket
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from muster import child_process
from muster.rehearsal import machine_limits, supervisor
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError

_TIMEOUT_SECONDS = 20
"""Seconds for an answer of the supervisor."""
_PACKAGES = Path(supervisor.__file__).resolve().parents[2]
"""The folder that contains the package `muster`."""
_TAIL = 12
"""Lines of a log that are shown when its process dies."""


@dataclass(frozen=True, slots=True)
class Process:
    """One running component."""

    name: str
    pid: int
    log: Path


class Processes:
    """A folder and processes that end together with this object, and with this process however it ends."""

    def __init__(self, base: Path | None = None) -> None:
        """`base`: the parent of the folder. Default: the machine's temporary folder."""
        self._base = base or machine_limits.temporary_folder()
        self._answers: deque[dict[str, Any]] = deque()
        self._changed = threading.Condition()
        self._supervisor_ended = False
        self._dead: dict[str, int] = {}
        self.running: dict[str, Process] = {}
        self.folder = self._base

    def __enter__(self) -> Self:
        ours, theirs = socket.socketpair()
        self._control = ours
        try:
            with theirs:
                self._supervisor = child_process.start(
                    child_process.module(
                        supervisor.__name__, str(os.getpid()), self._base.absolute(), packages=_PACKAGES
                    ),
                    stdin=theirs.fileno(),
                    stdout=child_process.DEVNULL,
                    stderr=child_process.PIPE,
                    start_new_session=True,  # Muster handles Ctrl-C; the supervisor then cleans up
                )
            threading.Thread(target=self._listen, name="rehearsal-supervisor", daemon=True).start()
            self.folder = Path(self._answer("folder")["folder"])
        except BaseException:
            ours.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self, name: str, argv: Sequence[str | Path], env: Mapping[str, str] | None = None) -> Process:
        """Starts a process in the folder, its output in `NAME.log` there.

        Args:
            name: its name, also in messages.
            argv: the command.
            env: its whole environment. Default: the few variables that a program needs.

        Raises:
            RehearsalError: it could not be started.
        """
        log = self.folder / f"{name}.log"
        command = [str(part) for part in argv]
        given = child_process.environment() if env is None else dict(env)
        self._send(start=name, argv=command, env=given, log=str(log))
        answer = self._answer("started", "failed")
        if "failed" in answer:
            raise RehearsalError(f"{name} cannot be started ({command[0]}): {answer['why']}")
        process = self.running[name] = Process(name, answer["pid"], log)
        return process

    def check(self) -> None:
        """Checks whether all processes still run.

        Raises:
            ComponentDied: something ended by itself.
        """
        with self._changed:
            for name, code in self._dead.items():
                raise ComponentDied(*_death_message(self.running[name], code))
            if self._supervisor_ended:
                raise ComponentDied(
                    "the rehearsal's supervisor was killed with all of its processes; start the rehearsal again"
                )

    def wait(self, seconds: float) -> None:
        """Waits this long, or until a process dies.

        Raises:
            ComponentDied: something ended by itself.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._dead or self._supervisor_ended, seconds)
        self.check()

    def ended(self, name: str, seconds: float) -> int | None:
        """Waits for a process to end, up to a timeout. Returns its exit code; None while it runs.

        Raises:
            ComponentDied: the supervisor was killed.
        """
        with self._changed:
            self._changed.wait_for(lambda: name in self._dead or self._supervisor_ended, seconds)
            code = self._dead.pop(name, None)
        if code is None:
            self.check()
        else:
            del self.running[name]
        return code

    def end(self, name: str) -> None:
        """Kills a process and its group, and waits for its end, which is no error then.

        Raises:
            ComponentDied: the supervisor was killed.
        """
        with contextlib.suppress(OSError):  # it ended a moment ago
            os.killpg(self.running[name].pid, signal.SIGKILL)
        if self.ended(name, _TIMEOUT_SECONDS) is None:
            raise RehearsalError(f"{name} was killed, but still runs")

    def memory_mib(self) -> dict[str, int]:
        """The peak memory of each process so far, in MiB; empty if the system does not report it (macOS)."""
        return {each.name: peak for each in self.running.values() if (peak := _peak_mib(each.pid)) is not None}

    def stop(self) -> None:
        """Ends every process and removes the folder. Harmless a second time."""
        with contextlib.suppress(OSError, RehearsalError):
            self._send(stop=True)
            self._answer("stopped")
        self._control.close()
        try:
            self._supervisor.wait(_TIMEOUT_SECONDS)
        except child_process.TimeoutExpired:
            self._supervisor.kill()
            self._supervisor.wait()
        if self._supervisor.stderr:
            self._supervisor.stderr.close()
        if self.folder != self._base:
            if self.folder.exists():
                supervisor.end_strays(self.folder)
            shutil.rmtree(self.folder, ignore_errors=True)  # there only if the supervisor was killed

    def _send(self, **message: Any) -> None:
        try:
            self._control.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            self.check()
            raise

    def _listen(self) -> None:
        """Reads the supervisor's messages, in a separate thread."""
        with contextlib.suppress(OSError, ValueError), self._control.makefile("rb") as lines:
            for line in lines:
                message = json.loads(line)
                with self._changed:
                    if "died" in message:
                        self._dead[message["died"]] = message["code"]
                    else:
                        self._answers.append(message)
                    self._changed.notify_all()
        with self._changed:
            self._supervisor_ended = True
            self._changed.notify_all()

    def _answer(self, *kinds: str) -> dict[str, Any]:
        with self._changed:
            if (
                self._changed.wait_for(lambda: self._answers or self._supervisor_ended, _TIMEOUT_SECONDS)
                and self._answers
            ):
                answer = self._answers.popleft()
                assert any(kind in answer for kind in kinds), answer
                return answer
        output = (
            self._supervisor.stderr.read().decode(errors="replace")
            if self._supervisor_ended and self._supervisor.stderr
            else ""
        )
        last = output.strip().splitlines()[-1:] or ["the supervisor did not answer"]
        raise RehearsalError(f"the rehearsal cannot create its folder and processes in {self._base}: {last[0]}")


def _death_message(process: Process, code: int) -> tuple[str, ...]:
    how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
    if lacking := machine_limits.exhausted_in_log(_read(process.log), process.log.parent):
        return (f"{process.name} {how}: {lacking}",)
    return (f"{process.name} {how}; the last lines of its log:", *tail(process.log))


def _read(log: Path) -> str:
    try:
        return log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def tail(log: Path, lines: int = _TAIL) -> list[str]:
    """The last lines of a log, indented."""
    return [f"  {line}" for line in _read(log).splitlines()[-lines:]] or ["  (nothing)"]


def _peak_mib(pid: int) -> int | None:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) >> 10
    return None
