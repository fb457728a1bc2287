"""The jobs there are, by name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from muster.fleet.blueprint import Blueprint
from muster.fleet.near_miss import did_you_mean
from muster.jobs import nccl_tests


class UnknownJob(ValueError):
    """No job of that name."""


@dataclass(frozen=True, slots=True)
class Job:
    """A job that can be made for a cluster."""

    name: str
    title: str
    build: Callable[[Blueprint, str | None, int | None], dict[str, Any]]
    """`(blueprint, group or None, nodes or None) -> manifest`; raises `DoesNotFit`."""


JOBS: Mapping[str, Job] = {
    nccl_tests.NAME: Job(
        nccl_tests.NAME, "NCCL's all-reduce over every GPU and EFA interface of a training group", nccl_tests.build
    )
}


def job_of(name: str) -> Job:
    """The job of that name.

    Raises:
        UnknownJob: there is none; the message names the nearest and lists what there is.
    """
    if name not in JOBS:
        raise UnknownJob(f"no job '{name}'{did_you_mean(name, JOBS)} (there are: {', '.join(JOBS)})")
    return JOBS[name]
