"""Slurm's controller on this machine, for the duration of a `with` block, and its commands. No node runs.

Muster neither builds nor installs Slurm's programs: Debian and Ubuntu package them.
"""

import contextlib
import os
import pwd
import re
import secrets
import shutil
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from muster import child_process
from muster.rehearsal.loopback import LOOPBACK, ReservedPort
from muster.rehearsal.machine_limits import ComponentDied, RehearsalError
from muster.rehearsal.processes import Processes, tail
from muster.rehearsal.slurm.configuration import Configuration

PACKAGES: Mapping[str, str] = {
    "munged": "munge",
    "slurmctld": "slurmctld",
    "sbatch": "slurm-client",
    "scontrol": "slurm-client",
}
"""Each program that a rehearsal runs, and Debian's package that has it."""

_MORE = ("/usr/sbin", "/usr/local/sbin", "/usr/local/bin", "/opt/slurm/sbin", "/opt/slurm/bin")
"""Folders of daemons that are not on every PATH; the last two are those of ParallelCluster's images."""


def found_programs() -> dict[str, Path]:
    """The programs that are installed."""
    where = os.pathsep.join((os.environ.get("PATH", os.defpath), *_MORE))
    programs = {name: shutil.which(name, path=where) for name in PACKAGES}
    return {name: Path(program) for name, program in programs.items() if program}


def missing_programs() -> str:
    """The missing programs, and how to install them; empty if none is missing."""
    lacking = [name for name in PACKAGES if name not in found_programs()]
    if not lacking:
        return ""
    packages = " ".join(sorted({PACKAGES[name] for name in lacking}))
    are = "is" if len(lacking) == 1 else "are"
    return (
        f"a rehearsal on Slurm needs Slurm's programs, and {', '.join(lacking)} {are} not installed on this machine; "
        f"on Debian or Ubuntu: sudo apt-get install {packages}"
    )


_COMMAND_SECONDS = 30.0
"""Seconds for one command."""
_START_SECONDS = 30.0
"""Seconds for a daemon to be ready. Some machines are slow."""
_POLL_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What a command printed, and whether it succeeded."""

    done: bool
    out: str
    why: str
    """What it wrote to stderr, on one line, without the command's name."""


class SettingRefused(RehearsalError):
    """slurmctld does not start with the cluster's settings; the message has slurmctld's message."""


class Controller:
    """munged and slurmctld, in their own folder. All of it is removed when the block ends.

        with Controller(configuration) as controller:
            controller.start_all()
            controller.run("sbatch", ...)

    Attributes:
        version: Slurm's.
    """

    version: str

    def __init__(self, configuration: Configuration) -> None:
        self.configuration = configuration
        self._stack = contextlib.ExitStack()
        self._programs: Mapping[str, Path] = {}

    def __enter__(self) -> Self:
        try:
            self._prepare()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def run(self, name: str, *arguments: str, stdin: str = "") -> CommandResult:
        """Runs a command, with the controller's address in its environment and none of the user's SBATCH_... and
        SLURM_... variables, which are also options of sbatch.

        Raises:
            RehearsalError: it cannot be run, or does not return.
        """
        command = [str(self._programs[name]), *arguments]
        env = {**child_process.environment(), "SLURM_CONF": str(self._conf)}
        try:
            done = child_process.run(command, cwd=self.folder, env=env, given=stdin, timeout=_COMMAND_SECONDS)
        except child_process.TimeoutExpired:
            raise RehearsalError(
                f"{name} does not return within {_COMMAND_SECONDS:.0f} s; start the rehearsal again"
            ) from None
        except OSError as fault:
            raise RehearsalError(f"{name} cannot be run ({command[0]}): {fault.strerror}") from None
        lines = (line.strip() for line in done.stderr.splitlines())
        why = "; ".join(re.sub(rf"^{name}: (error: )?", "", line) for line in lines if line)
        return CommandResult(done.returncode == 0, done.stdout.strip(), why)

    def start_all(self) -> None:
        """Starts slurmctld.

        Raises:
            SettingRefused: slurmctld does not start with the cluster's settings.
        """
        command: list[str | Path] = [self._programs["slurmctld"], "-D", "-f", self._conf]
        self.processes.start("slurmctld", command, {**child_process.environment(), "SLURM_CONF": str(self._conf)})
        try:
            self._wait_until(self._responds, "slurmctld did not answer")
        except ComponentDied:
            raise self._why_it_died() from None

    def _wait_until(self, true: Callable[[], bool], otherwise: str) -> None:
        until = time.monotonic() + _START_SECONDS
        while not true():
            if time.monotonic() > until:
                raise RehearsalError(f"{otherwise} within {_START_SECONDS:.0f} s")
            self.processes.wait(_POLL_SECONDS)

    def _prepare(self) -> None:
        if lacking := missing_programs():
            raise RehearsalError(lacking)
        self._programs = found_programs()
        self.processes = self._stack.enter_context(Processes())
        self.folder = self.processes.folder
        self._conf = self.folder / "slurm.conf"
        (self.folder / "state").mkdir(mode=0o700)
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(secrets.token_bytes(128))
        asked = self.run("slurmctld", "-V")
        self.version = asked.out.rpartition(" ")[2]  # slurm-wlm 22.05.8
        if not asked.done or not self.version:
            raise RehearsalError(f"`slurmctld -V` prints no version: {asked.why or asked.out or 'it prints nothing'}")
        self._conf.write_text(self.configuration.slurm_conf(self._machine()), encoding="utf-8")
        self._munge(self._programs["munged"])

    def _machine(self) -> Iterator[str]:
        """The lines of slurm.conf about this machine: only loopback, and files in the rehearsal's folder."""
        address, everywhere = _address()
        yield f"SlurmctldHost=localhost({address})"
        yield f"SlurmctldPort={self._stack.enter_context(ReservedPort()).release()}"
        yield f"SlurmUser={_user()}"
        yield f"AuthInfo=socket={self.folder}/munge.socket,cred_expire=70"
        if not everywhere:
            yield "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny"
        yield f"StateSaveLocation={self.folder}/state"
        yield f"SlurmctldPidFile={self.folder}/slurmctld.pid"

    def _munge(self, program: Path) -> None:
        """Starts a separate munged. Its key is in a folder that no other user can read."""
        at = self.folder
        places = {"socket": "socket", "key-file": "key", "log-file": "log", "pid-file": "pid", "seed-file": "seed"}
        options = [f"--{option}={at}/munge.{end}" for option, end in places.items()]
        # --force: otherwise it warns about a folder that other users cannot read, as this one.
        self.processes.start("munged", [program, "--foreground", "--force", *options])
        self._wait_until((at / "munge.socket").exists, "munged did not start")

    def _responds(self) -> bool:
        result = self.run("scontrol", "ping")
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
