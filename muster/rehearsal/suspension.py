"""Jobs without pods: those that define none, and suspended ones."""

from collections.abc import Iterable
from copy import deepcopy
from enum import Enum
from typing import Self

from muster.fleet.blueprint import Blueprint
from muster.jobs.kueue import VERSIONS, Admission
from muster.jobs.shape import Shape
from muster.rehearsal.client import Json
from muster.rehearsal.outcome import Cause

_PLACES = (("spec", "suspend"), ("spec", "runPolicy", "suspend"))


def resumed(job: Json, shape: Shape) -> Json:
    """The job as it is once Kueue has let it in, where it names a queue: Kueue resumes what it admits."""
    place = _suspended_at(job)
    if place is None or not shape.queue:
        return job
    changed: Json = deepcopy(job)
    holder = changed
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = False
    return changed


class Resumes(Enum):
    """What resumes suspended jobs, according to the description and the job's file."""

    NOTHING = "nothing"
    """Neither of them has Kueue."""
    KUEUE = "Kueue"
    """Its queues are in the description or in the file."""
    GOVERNANCE = "HyperPod's task governance"
    """It is Kueue with queues that SageMaker creates. They are not known here."""

    @classmethod
    def of(cls, blueprint: Blueprint, beside: Iterable[Json]) -> Self:
        """On this cluster."""
        chosen = blueprint.described.addons.chosen
        if "hyperpod-task-governance" in chosen:
            return cls.GOVERNANCE
        return cls.KUEUE if "kueue" in chosen or any(_of_kueue(each) for each in beside) else cls.NOTHING


def _of_kueue(thing: Json) -> bool:
    return thing.get("apiVersion") in VERSIONS


def no_pods(job: Json, shape: Shape, admission: Admission | None, resumes: Resumes) -> Cause | None:
    """Why the job will have no pods; None where it will have some.

    Args:
        job: its document.
        shape: the same, read.
        admission: what is known of its queue, where it names one.
        resumes: what would resume it.
    """
    if place := _suspended_at(job):
        at = ".".join(place)
        said = f"it is suspended ({at})"
        if not shape.queue:
            return Cause(
                "suspended",
                f"{said}: it has no pods until it is resumed",
                f"set {at} to false, or name a queue of Kueue's, which resumes it",
            )
        if resumes is Resumes.NOTHING:
            return Cause(
                "suspended",
                f"{said} until Kueue lets it in, and neither the description nor the file has Kueue",
                f"add `kueue: {{}}` below addons:, or put the cluster's queues into the job's file; else set {at} to "
                "false",
                "addons",
            )
        if resumes is Resumes.KUEUE and (admission is None or admission.cluster_queue is None):
            why = f": {admission.said.removeprefix('not judged: ')}" if admission else ""
            return Cause(
                "queue-missing",
                f"{said} until its queue '{shape.queue}' lets it in, and no such queue is known{why}",
                "name a queue that is there, or put its LocalQueue into the job's file, if the cluster has it",
            )
    if not shape.pods:
        return Cause("no-pods", "it asks for no pods", "give it at least one: replicas, parallelism")
    return None


def _suspended_at(job: Json) -> tuple[str, ...] | None:
    for place in _PLACES:
        found: object = job
        for key in place:
            found = found.get(key) if isinstance(found, dict) else None
        if found is True:
            return place
    return None
