"""The processes of a rehearsal: a folder and a process group, which end together with it (`watchdog`)."""

import contextlib
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from muster import child_process
from muster.rehearsal import watchdog
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError

PREFIX = "muster-rehearsal-"
_POLL_SECONDS = 0.05
_CLEARS_SECONDS, _LOOKS_SECONDS = 2.0, 0.005
_PACKAGES = Path(watchdog.__file__).resolve().parents[2]
"""The folder that contains the package `muster`."""
_TAIL = 12
"""Lines of a log that are shown when its process dies."""


@dataclass(frozen=True, slots=True)
class Process:
    """One running component."""

    name: str
    child: "child_process.Child[bytes]"
    log: Path


class Processes:
    """A folder and processes that end together with this object, and with this process however it ends."""

    def __init__(self, base: Path | None = None, prefix: str = PREFIX) -> None:
        """`base`: the parent of the folder (default: the machine's temporary folder); `prefix`: how its name begins."""
        self._base, self._prefix = base, prefix
        self.running: dict[str, Process] = {}

    def __enter__(self) -> Self:
        try:
            self.folder = Path(tempfile.mkdtemp(prefix=self._prefix, dir=self._base and self._base.absolute()))
            command = child_process.module(watchdog.__name__, self.folder, packages=_PACKAGES)
            self._watchdog = child_process.start(command, stdin=child_process.PIPE, process_group=0)
        except OSError as fault:
            where = self._base or "the temporary folder"
            raise RehearsalError(
                f"the rehearsal cannot create its folder and processes in {where}: {fault.strerror}"
            ) from None
        return self

    def __exit__(self, *_: object) -> None:
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
        try:
            with log.open("ab") as output:
                child = child_process.start(
                    argv,
                    env=child_process.environment() if env is None else env,
                    cwd=self.folder,
                    stdin=child_process.DEVNULL,
                    stdout=output,
                    stderr=child_process.STDOUT,
                    process_group=self._watchdog.pid,
                )
        except (OSError, child_process.SubprocessError) as fault:
            self.check()
            raise RehearsalError(f"{name} cannot be started ({argv[0]}): {fault}") from None
        process = self.running[name] = Process(name, child, log)
        return process

    def check(self) -> None:
        """Checks whether all processes still run.

        Raises:
            ComponentDied: something ended by itself.
        """
        for process in self.running.values():
            if (code := process.child.poll()) is not None:
                raise ComponentDied(*_death_message(process, code))
        if self._watchdog.poll() is not None:
            raise ComponentDied("the rehearsal's watchdog was killed; start the rehearsal again")

    def wait(self, seconds: float) -> None:
        """Waits this long, or until a process dies.

        Raises:
            ComponentDied: something ended by itself.
        """
        until = time.monotonic() + seconds
        self.check()
        while (left := until - time.monotonic()) > 0:
            time.sleep(min(left, _POLL_SECONDS))
            self.check()

    def ended(self, name: str, seconds: float) -> int | None:
        """Waits for a process to end, up to a timeout. Returns its exit code; None while it runs."""
        try:
            code = self.running[name].child.wait(seconds)
        except child_process.TimeoutExpired:
            return None
        del self.running[name]
        return code

    def memory_mib(self) -> int:
        """The sum of the processes' peak memory so far, in MiB; 0 if the system does not report it (macOS)."""
        return sum(_peak_mib(each.child.pid) for each in self.running.values())

    def stop(self) -> None:
        """Ends every process and removes the folder. Harmless a second time."""
        assert self._watchdog.stdin is not None
        self._watchdog.stdin.close()
        # The watchdog clears, also if this process is interrupted meanwhile. If it was killed, this process does.
        until = time.monotonic() + _CLEARS_SECONDS
        while self.folder.exists() and time.monotonic() < until:
            time.sleep(_LOOKS_SECONDS)
        if self.folder.exists():
            watchdog.clear(self._watchdog.pid, self.folder)
        for each in (self._watchdog, *(process.child for process in self.running.values())):
            each.wait()


def _death_message(process: Process, code: int) -> tuple[str, ...]:
    how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
    return (f"{process.name} {how}; the last lines of its log:", *tail(process.log))


def _read(log: Path) -> str:
    try:
        return log.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def tail(log: Path, lines: int = _TAIL) -> list[str]:
    """The last lines of a log, indented."""
    return [f"  {line}" for line in _read(log).splitlines()[-lines:]] or ["  (nothing)"]


def _peak_mib(pid: int) -> int:
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) >> 10
    return 0
