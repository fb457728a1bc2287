"""The jobs there are, by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from muster.fleet.blueprint import Blueprint, Group
from muster.fleet.near_miss import did_you_mean
from muster.jobs import efa_check, nccl_tests
from muster.jobs.ask import PLAIN, Ask
from muster.jobs.fit import DoesNotFit


class UnknownJob(ValueError):
    """No job of that name."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job that can be made for a cluster."""

    name: str
    title: str
    build: Callable[[Blueprint, Ask], dict[str, Any]]
    """The manifest; raises `DoesNotFit`."""
    workers: Callable[[Blueprint, str | None], Group]
    """The group that its workers go to, the wanted one where several fit; raises `DoesNotFit`."""


JOBS: Mapping[str, Job] = {
    nccl_tests.NAME: Job(
        nccl_tests.NAME,
        "NCCL's all-reduce over every GPU and EFA interface of a training group",
        nccl_tests.build,
        nccl_tests.workers,
    ),
    efa_check.NAME: Job(
        efa_check.NAME,
        "counts the EFA devices and GPUs of every node of a training group; needs no operator",
        efa_check.build,
        efa_check.workers,
    ),
}
"""In the order in which one is looked for where nobody names one: what proves more comes first."""


def job_of(name: str) -> Job:
    """The job of that name.

    Raises:
        UnknownJob: there is none; the message names the nearest and lists what there is.
    """
    if name not in JOBS:
        raise UnknownJob(f"no job '{name}'{did_you_mean(name, JOBS)} (there are: {', '.join(JOBS)})")
    return JOBS[name]


def first_fitting(blueprint: Blueprint, ask: Ask = PLAIN) -> Job:
    """The first job of the catalogue that fits a cluster.

    Raises:
        DoesNotFit: none does; every job's reasons, each after its name.
    """
    reasons: list[str] = []
    for job in JOBS.values():
        try:
            job.build(blueprint, ask)
        except DoesNotFit as fault:
            reasons += (f"{job.name}: {reason}" for reason in fault.reasons)
        else:
            return job
    raise DoesNotFit(*reasons)
