"""A batch script of Slurm: its `sbatch` options, and lines of shell."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from muster.blueprint.slurm import SlurmGroup


@dataclass(frozen=True, slots=True)
class Script:
    """A batch script, sized to a queue's nodes."""

    name: str
    """The job's."""
    stack: str
    submit_on: str
    """Where people submit it: "the head node"."""
    group: SlurmGroup
    """The group whose nodes it uses."""
    requested: Mapping[str, str]
    """Options of `sbatch` for its resources, without the dashes; empty for an option without a value."""
    before: tuple[str, ...]
    """The commands to run once before its submission, one line each."""
    body: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """Notes for the user who submits the job, one line each."""

    @property
    def file_name(self) -> str:
        """Its title."""
        return f"{self.name}.sbatch"

    @property
    def options(self) -> dict[str, str]:
        """All options of `sbatch`."""
        return {"job-name": self.name, **self.requested, "output": f"{self.name}-%j.out"}

    @property
    def text(self) -> str:
        """The file."""
        lines = ["#!/bin/bash", *(f"# {each}".rstrip() for each in self._head()), *self._options(), "", *self.body]
        return "\n".join(lines) + "\n"

    def _head(self) -> list[str]:
        stack = " ".join(self.stack.split())
        return [
            f"{self.name} for stack {stack}, printed by `muster job`.",
            "All numbers are derived from the nodes of the group: change the stack's description, not this file.",
            "",
            *(
                (
                    f"Run once on {self.submit_on}, before the first submission:",
                    *(f"  {each}" for each in self.before),
                    "",
                )
                if self.before
                else ()
            ),
            f"Submit: sbatch {self.file_name}",
            f"Follow: squeue --me, then tail -f {self.name}-JOBID.out. Cancel: scancel --me --name={self.name}",
            "",
        ]

    def _options(self) -> list[str]:
        return [f"#SBATCH --{name}{'=' if value else ''}{value}" for name, value in self.options.items()]


STRICT = ("set -euo pipefail",)
"""A script ends at the first command that fails."""

FIRST_NODE = 'first_node=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | sed -n 1p)'
"""The node of the rendezvous. Not with `head`, which closes the pipe, so that pipefail would end the script."""


def shell_command(first: str, *more: str) -> tuple[str, ...]:
    """One command on several lines; each part is shell text, unchanged."""
    parts = (first, *(f"  {each}" for each in more))
    return (*(f"{each} \\" for each in parts[:-1]), parts[-1])


def export_lines(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Export lines for variables, from their plain values."""
    return tuple(f"export {name}={shlex.quote(value)}" for name, value in environment.items())


def shell_words(arguments: tuple[str, ...]) -> str:
    """Arguments as shell words."""
    return " ".join(map(shlex.quote, arguments))


def exit_unless(test: str, missing: str) -> tuple[str, ...]:
    """Shell lines that end the script with a message, instead of a later failure.

    Args:
        test: the condition that must be true: ``-e "$image"``.
        missing: what is missing, as shell text in double quotes.
    """
    return (f"if [ ! {test} ]; then", f'  echo "{missing}" >&2', "  exit 1", "fi")
