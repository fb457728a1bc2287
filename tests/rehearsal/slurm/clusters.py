"""Slurm clusters and scripts for rehearsals, each with what a test shows of it."""

from collections.abc import Mapping
from typing import Any

from muster.rehearsal.outcome import Cause, Outcome
from muster.rehearsal.slurm.batch_script import parse_script
from muster.rehearsal.slurm.rehearsal import RehearsalRequest, rehearse
from tests.factories.parallelcluster import a_slurm_blueprint

ELASTIC = {"queues.train.groups.workers.nodes": {"min": 0, "max": 4}}
"""No node runs until a job wants it."""


def a_script(*options: str, body: str = "srun hostname") -> str:
    """One with these options."""
    return "\n".join(("#!/bin/bash", "#SBATCH --job-name=job", *(f"#SBATCH {each}" for each in options), body, ""))


def played(*options: str, edits: Mapping[str, Any] | None = None, **more: Any) -> Outcome:
    """A rehearsal of the small cluster, edited, with a script of these options."""
    return rehearse(RehearsalRequest(a_slurm_blueprint(edits), parse_script(a_script(*options)), "job", **more))


def the_cause(outcome: Outcome) -> Cause:
    """Why it does not start."""
    (waiting,) = outcome.waiting
    return waiting.cause
