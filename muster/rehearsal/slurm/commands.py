"""Slurm's own commands, run on the rehearsal's controller."""

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from muster.rehearsal.faults import RehearsalFault
from muster.rehearsal.processes import environment

_PATIENCE = 30.0
"""Seconds for one command."""
_TRIES = 3
"""On a busy machine an answer of slurmctld's is lost now and then, and the command waits for it in vain."""
_FIELD = re.compile(r"(?:^|\s)([A-Za-z][\w:/]*)=(.*?)(?=\s+[A-Z][\w:/]*=|\s*$)")
"""``JobState=RUNNING Reason=None``: keys begin with a capital, values may have spaces (a node's reason has)."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a command printed, and whether it did what it was asked."""

    done: bool
    out: str
    why: str
    """What it complained of, in a line, without the command's name."""


@dataclass(frozen=True, slots=True)
class Commands:
    """sbatch, scontrol and the others, told where the controller is and nothing else."""

    programs: Mapping[str, Path]
    configuration: Path
    """The rehearsal's slurm.conf."""

    @property
    def environment(self) -> Mapping[str, str]:
        """Without the SBATCH_... and SLURM_... of whoever runs this: they are options of sbatch, too."""
        return {**environment(), "SLURM_CONF": str(self.configuration)}

    def run(self, name: str, *arguments: str, stdin: str | None = None) -> Said:
        """Runs one; one that does not come back again, if that does no harm.

        Raises:
            RehearsalFault: it cannot be run, or does not come back.
        """
        command = [str(self.programs[name]), *arguments]
        tries = 1 if name == "sbatch" else _TRIES
        for _ in range(tries):
            try:
                done = self._ran(command, stdin, _PATIENCE / tries)
            except subprocess.TimeoutExpired:
                continue
            except OSError as fault:
                raise RehearsalFault(f"{name} cannot be run ({command[0]}): {fault.strerror}") from None
            return Said(done.returncode == 0, done.stdout.strip(), _complaints(name, done.stderr))
        raise RehearsalFault(f"{name} does not come back after {_PATIENCE:.0f} s; start the rehearsal again")

    def _ran(self, command: list[str], stdin: str | None, patience: float) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            command,
            input="" if stdin is None else stdin,
            capture_output=True,
            text=True,
            errors="replace",
            env=dict(self.environment),
            cwd=self.configuration.parent,
            check=False,
            timeout=patience,
        )

    def must(self, name: str, *arguments: str) -> str:
        """What one prints that has no reason to fail.

        Raises:
            RehearsalFault: it fails.
        """
        said = self.run(name, *arguments)
        if not said.done:
            raise RehearsalFault(f"{name} {' '.join(arguments)} fails: {said.why or said.out or 'it does not say why'}")
        return said.out

    def names(self, expression: str) -> tuple[str, ...]:
        """``queue-st-group-[1-2]`` -> both names."""
        if not expression or expression == "(null)":
            return ()
        return tuple(self.must("scontrol", "show", "hostnames", expression).split())

    def records(self, *what: str) -> tuple[Mapping[str, str], ...]:
        """What ``scontrol show`` knows of jobs or nodes, a mapping each."""
        lines = self.must("scontrol", "--oneliner", "--details", "show", *what).splitlines()
        return tuple(dict(_FIELD.findall(line)) for line in lines if "=" in line)


def _complaints(name: str, text: str) -> str:
    lines: Sequence[str] = [line.strip() for line in text.splitlines() if line.strip()]
    return "; ".join(re.sub(rf"^{name}: (error: )?", "", line) for line in lines)
