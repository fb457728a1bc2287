"""Training jobs: the reference ones, sized from the blueprint, as manifests or batch scripts, and what any job comes to
in pods.

Pure: nothing here imports pulumi, reads a file or the clock.
"""

from muster.jobs.ask import Ask
from muster.jobs.catalogue import (
    JOBS,
    KUBECTL,
    SBATCH,
    Form,
    Job,
    UnknownJob,
    can_run,
    first_fitting,
    job_of,
    script_of,
)
from muster.jobs.fit import DoesNotFit
from muster.jobs.kinds import UnknownJobKind, current, is_job, objects_of, pods_of, shape_of
from muster.jobs.reading import MalformedJob
from muster.jobs.shape import Controller, Role, Shape
from muster.jobs.slurm import Script

__all__ = [
    "JOBS",
    "KUBECTL",
    "SBATCH",
    "Ask",
    "Controller",
    "DoesNotFit",
    "Form",
    "Job",
    "MalformedJob",
    "Role",
    "Script",
    "Shape",
    "UnknownJob",
    "UnknownJobKind",
    "can_run",
    "current",
    "first_fitting",
    "is_job",
    "job_of",
    "objects_of",
    "pods_of",
    "script_of",
    "shape_of",
]
