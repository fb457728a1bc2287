"""A batch script of Slurm's: what `sbatch` reads of it, and what bash then runs on the first of the job's nodes."""

from collections.abc import Mapping
from dataclasses import dataclass

from muster.fleet.slurm_blueprint import SlurmGroup


@dataclass(frozen=True, slots=True)
class Script:
    """A batch script, sized to a queue's nodes."""

    name: str
    """The job's."""
    stack: str
    group: SlurmGroup
    """The compute resource whose nodes it takes."""
    asked: Mapping[str, str]
    """Options of `sbatch` for what it takes, without the dashes; empty where one has no value."""
    before: tuple[str, ...]
    """What somebody does once before it is sent, a line each."""
    body: tuple[str, ...]
    notes: tuple[str, ...] = ()
    """What whoever sends it should know, a line each."""

    @property
    def file_name(self) -> str:
        """What its own words call it."""
        return f"{self.name}.sbatch"

    @property
    def options(self) -> dict[str, str]:
        """All options of `sbatch`."""
        return {"job-name": self.name, **self.asked, "output": f"{self.name}-%j.out"}

    @property
    def text(self) -> str:
        """The file."""
        lines = ["#!/bin/bash", *(f"# {each}".rstrip() for each in self._head()), *self._said(), "", *self.body]
        return "\n".join(lines) + "\n"

    def _head(self) -> list[str]:
        stack = " ".join(self.stack.split())
        return [
            f"{self.name} for stack {stack}, printed by `muster job`.",
            "Every number follows from what a node of the group offers: change the stack's description, not this.",
            "",
            *(("Before, once, on the head node:", *(f"  {each}" for each in self.before), "") if self.before else ()),
            f"Send it: sbatch {self.file_name}",
            f"Follow it: squeue --me, then tail -f {self.name}-JOBID.out; end it: scancel --me --name={self.name}",
            "",
        ]

    def _said(self) -> list[str]:
        return [f"#SBATCH --{name}{'=' if value else ''}{value}" for name, value in self.options.items()]
