"""Slurm's controller and its simulated nodes on this machine, for the duration of a `with` block, and its commands."""

import contextlib
import os
import pwd
import re
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from muster import child_process
from muster.rehearsal import watchdog
from muster.rehearsal.loopback import LOOPBACK, ReservedPort
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError
from muster.rehearsal.processes import Processes, tail
from muster.rehearsal.progress import time_step
from muster.rehearsal.slurm import programs
from muster.rehearsal.slurm.batch_script import NODE_MARK
from muster.rehearsal.slurm.configuration import Configuration, Machine, NodeLine

_COMMAND_SECONDS = 30.0
"""Seconds for one command."""
_TRIES = 3
"""How often a command is tried: on a busy machine, an answer of slurmctld is sometimes lost, and the command waits for
it forever."""
_BETWEEN_FIELDS = re.compile(r"(?<!\s)\s+(?=[A-Z][\w:/]*=)")
"""``JobState=RUNNING Reason=None``: keys begin with a capital, values may have spaces (a node's reason has)."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command printed, and whether it succeeded."""

    done: bool
    out: str
    why: str
    """Its error message on one line, without the command's name."""


@dataclass(frozen=True, slots=True)
class Commands:
    """sbatch, scontrol and the others, with the controller's address in their environment and nothing else."""

    programs: Mapping[str, Path]
    configuration: Path
    """The rehearsal's slurm.conf."""

    @property
    def environment(self) -> Mapping[str, str]:
        """Without the user's SBATCH_... and SLURM_... variables, which are also options of sbatch."""
        return {**child_process.environment(), "SLURM_CONF": str(self.configuration)}

    def run(self, name: str, *arguments: str, stdin: str = "") -> CommandResult:
        """Runs a command. Repeats it if it does not return and a repetition is harmless.

        Raises:
            RehearsalError: it cannot be run, or does not return.
        """
        command = [str(self.programs[name]), *arguments]
        tries = 1 if name == "sbatch" else _TRIES
        for _ in range(tries):
            try:
                done = child_process.run(
                    command,
                    cwd=self.configuration.parent,
                    env=self.environment,
                    given=stdin,
                    timeout=_COMMAND_SECONDS / tries,
                )
            except child_process.TimeoutExpired:
                continue
            except OSError as fault:
                raise RehearsalError(f"{name} cannot be run ({command[0]}): {fault.strerror}") from None
            return CommandResult(done.returncode == 0, done.stdout.strip(), _complaints(name, done.stderr))
        raise RehearsalError(f"{name} does not return within {_COMMAND_SECONDS:.0f} s; start the rehearsal again")

    def run_or_raise(self, name: str, *arguments: str) -> str:
        """The output of a command that should not fail.

        Raises:
            RehearsalError: it fails.
        """
        result = self.run(name, *arguments)
        if not result.done:
            raise RehearsalError(
                f"{name} {' '.join(arguments)} fails: {result.why or result.out or 'it gives no reason'}"
            )
        return result.out

    def names(self, expression: str) -> tuple[str, ...]:
        """``queue-st-group-[1-2]`` -> both names."""
        if not expression or expression == "(null)":
            return ()
        return tuple(self.run_or_raise("scontrol", "show", "hostnames", expression).split())

    def records(self, *what: str) -> tuple[Mapping[str, str], ...]:
        """The fields that ``scontrol show`` prints of jobs or nodes, one mapping for each."""
        lines = self.run_or_raise("scontrol", "--oneliner", "--details", "show", *what).splitlines()
        return tuple(
            dict(each.split("=", 1) for each in _BETWEEN_FIELDS.split(line.strip()) if "=" in each)
            for line in lines
            if "=" in line
        )


def _complaints(name: str, text: str) -> str:
    lines: Sequence[str] = [line.strip() for line in text.splitlines() if line.strip()]
    return "; ".join(re.sub(rf"^{name}: (error: )?", "", line) for line in lines)


MOST_NODES = 64
"""The maximum number of nodes that run at the same time (7 MiB each). On a larger cluster, a node starts only when a
job is allocated to it. For a job on more nodes than this, the rehearsal simulates only the allocation."""
MOST_PORTS = 512
"""The maximum number of nodes of a cluster: each node has its own port."""

_START_SECONDS = 30.0
"""Seconds for a daemon to be ready. Some machines are slow."""
_POLL_SECONDS = 0.05
_BOOT = 1.2
"""Seconds from Slurm's request for a node to the start of its slurmd. Both have times in whole seconds, and Slurm
treats a node that booted before the request as not started yet."""


class SettingRefused(RehearsalError):
    """slurmctld does not start with the cluster's settings; the message has slurmctld's message."""


class Controller:
    """munged, slurmctld and a slurmd for each node that is up, in their own folder. All of it is removed when the block
    ends.

        with Controller(configuration) as controller:
            controller.start_all()
            controller.commands.run("sbatch", ...)

    Attributes:
        commands: talk to it.
        version: Slurm's.
        up: the nodes whose slurmd runs.
        seconds: how long each step of the start took, by its name.
    """

    commands: Commands
    version: str

    def __init__(self, configuration: Configuration, *, folder: Path | None = None) -> None:
        """Sets what to start.

        Args:
            configuration: the cluster, as slurm.conf has it.
            folder: the parent of the rehearsal's folder. Default: the machine's temporary folder.

        Raises:
            RehearsalError: the cluster has more nodes than a rehearsal has ports.
        """
        self.configuration = configuration
        self.seconds: dict[str, float] = {}
        self.up: dict[str, NodeLine] = {}
        self._base = folder
        self._stack = contextlib.ExitStack()
        self._lines = {name: line for line in configuration.lines for name in line.names}
        self._resumed = 0
        self._booting: list[tuple[float, str]] = []
        if len(self._lines) > MOST_PORTS:
            raise RehearsalError(
                f"the queues can have {len(self._lines)} nodes in total, but a rehearsal simulates at most "
                f"{MOST_PORTS}; rehearse a copy of the stack with fewer nodes"
            )

    def __enter__(self) -> Self:
        try:
            self._prepare()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def wait(self, seconds: float = _POLL_SECONDS) -> None:
        """Waits this long, unless a daemon dies meanwhile. Starts the nodes that Slurm requests.

        Raises:
            ComponentDied: one ended by itself.
        """
        self.processes.wait(seconds)
        self.resume()

    def wait_until(self, true: Callable[[], bool], otherwise: str, timeout: float = _START_SECONDS) -> None:
        """Waits until a condition is true.

        Raises:
            RehearsalError: it is not true in time; the message has `otherwise`.
        """
        until = time.monotonic() + timeout
        while not true():
            if time.monotonic() > until:
                raise RehearsalError(f"{otherwise} within {timeout:.0f} s")
            self.wait()

    def resume(self) -> None:
        """Starts the nodes that Slurm has requested from its ResumeProgram."""
        requested, now = (self.folder / "resumed").read_text(encoding="utf-8").splitlines(), time.monotonic()
        self._booting += [(now + _BOOT, line) for line in requested[self._resumed :]]
        self._resumed = len(requested)
        while self._booting and self._booting[0][0] <= now:
            _, line = self._booting.pop(0)
            self.start(name for name in self.commands.names(line) if name not in self.up)

    def start(self, names: Iterable[str]) -> None:
        """Starts nodes, up to the maximum of the machine."""
        slurmd = self.commands.programs["slurmd"]
        for name in names:
            if len(self.up) >= MOST_NODES:
                return
            # -b: it has just booted. Slurm accepts no other answer from a node that it has requested.
            command: list[str | Path] = [slurmd, "-b", "-D", "-N", name, "-f", self.folder / f"{name}.conf"]
            self.processes.start(name, command, {**self.commands.environment, NODE_MARK: name})
            self.up[name] = self._lines[name]

    def stop_node(self, name: str) -> None:
        """Stops a node as EC2 does: everything on it, without notice."""
        self.processes.end(name)
        watchdog.end_strays(self.folder, f"{NODE_MARK}={name}")
        del self.up[name]

    def end_jobs(self) -> None:
        """Lets the waiting bodies of jobs end."""
        (self.folder / "end").touch()

    def ready(self, names: Iterable[str]) -> bool:
        """Whether these nodes have reported to the controller."""
        awaited = set(names)
        states = dict(
            line.split("|") for line in self.commands.run_or_raise("sinfo", "-h", "-N", "-o", "%N|%T").splitlines()
        )
        return all(states.get(name, "?")[-1].isalpha() for name in awaited)

    def memory_mib(self) -> int:
        """The sum of the daemons' peak memory."""
        return sum(self.processes.memory_mib().values())

    @property
    def folder(self) -> Path:
        """The folder with all its files."""
        return self.processes.folder

    def start_all(self) -> None:
        """Starts the controller and the nodes that always run.

        Raises:
            SettingRefused: slurmctld does not start with the cluster's settings.
        """
        slurmctld = self.commands.programs["slurmctld"]
        with time_step(self.seconds, "controller"):
            self.processes.start("slurmctld", [slurmctld, "-D", "-f", self._conf], self.commands.environment)
            try:
                self.wait_until(self._responds, "slurmctld did not answer")
            except ComponentDied:
                raise self._why_it_died() from None
        always = [name for line in self.configuration.lines if line.static for name in line.names]
        with time_step(self.seconds, "nodes"):
            if len(always) <= MOST_NODES:
                self.start(always)
                self.wait_until(lambda: self.ready(always), "the simulated nodes did not all report to slurmctld")

    def _prepare(self) -> None:
        found = programs.required_programs()
        self.version = programs.program_version(found["slurmctld"])
        self.processes = self._stack.enter_context(Processes(self._base))
        self._conf = self.folder / "slurm.conf"
        self.commands = Commands(found, self._conf)
        self._write()
        with time_step(self.seconds, "munge"):
            self._munge(found["munged"])

    def _write(self) -> None:
        """Writes every file that the daemons read."""
        folder = self.folder
        for name in ("state", "devices"):
            (folder / name).mkdir(mode=0o700)
        most = max((line.gpus.number for line in self.configuration.lines if line.gpus), default=0)
        for number in range(most):
            (folder / "devices" / f"nvidia{number}").touch()
        (folder / "resumed").touch()
        for name, does in (("resume", f'echo "$1" >> {folder}/resumed'), ("suspend", ":")):
            program = folder / name
            program.write_text(f"#!/bin/sh\n{does}\n", encoding="utf-8")
            program.chmod(0o700)
        key = folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        reserved = [self._stack.enter_context(ReservedPort()) for _ in range(len(self._lines) + 1)]
        ports = [each.release() for each in reserved]
        address, everywhere = _address()
        machine = Machine(
            folder, _user(), address, everywhere, ports[0], dict(zip(self._lines, ports[1:], strict=True))
        )
        self._conf.write_text(self.configuration.slurm_conf(machine), encoding="utf-8")
        for name in self._lines:
            (folder / f"{name}.conf").write_text(self.configuration.node_conf(machine, name), encoding="utf-8")
        (folder / "gres.conf").write_text(self.configuration.gres_conf(folder / "devices"), encoding="utf-8")
        (folder / "cgroup.conf").write_text("CgroupPlugin=autodetect\n", encoding="utf-8")

    def _munge(self, program: Path) -> None:
        """Starts a separate munged. Its key is in a folder that no other user can read."""
        at = self.folder
        places = {"socket": "socket", "key-file": "key", "log-file": "log", "pid-file": "pid", "seed-file": "seed"}
        options = [f"--{option}={at}/munge.{end}" for option, end in places.items()]
        # --force: otherwise it warns about a folder that other users cannot read, as this one.
        self.processes.start("munged", [program, "--foreground", "--force", *options])
        self.wait_until((at / "munge.socket").exists, "munged did not start")

    def _responds(self) -> bool:
        result = self.commands.run("scontrol", "ping")
        return result.done and "UP" in result.out

    def _why_it_died(self) -> RehearsalError:
        """The error with slurmctld's messages about the settings."""
        log = self.folder / "slurmctld.log"
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []
        against = [line for line in lines if "error" in line or "fatal" in line]
        return SettingRefused("\n".join(line.partition(": ")[2] or line for line in against) or "\n".join(tail(log)))


def _user() -> str:
    """The user that the daemons run as: the one that runs the rehearsal."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        raise RehearsalError(
            f"Slurm's daemons need a user with a name, but user id {os.getuid()} has no name on this machine; "
            "run the rehearsal as another user, or add a line for this one to /etc/passwd"
        ) from None


def _address() -> tuple[str, bool]:
    """The name under which the daemons are reached, and whether they listen on every address.

    They can be bound to the address of the machine's own name only, which is loopback on most (127.0.1.1 on Debian's).
    """
    try:
        own = socket.gethostbyname(socket.gethostname())
    except OSError:
        return LOOPBACK, True
    return (own, False) if own.startswith("127.") else (LOOPBACK, True)
