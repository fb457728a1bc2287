"""Kubernetes' own workloads: a Pod, a Job, a Deployment and the like."""

from collections.abc import Iterator

from muster.jobs.manifest import Field, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Role
from muster.whole_number import whole_number

POD, JOB = "Pod", "Job"
REPLICATED = ("Deployment", "StatefulSet", "ReplicaSet")


def job_roles(job: Field) -> JobRoles:
    """One role, of all pods."""
    spec = job.required("spec")
    kind = job.at("kind").text()
    if kind == POD:
        role = Role("pod", 1, 1, template_of(job))
    else:
        pods = active(spec) if kind == JOB else spec.at("replicas").number(1)
        least = _least(job, pods) if kind == JOB else pods
        role = Role("worker" if kind == JOB else "replica", pods, least, template_of(spec.required("template")))
    suspend = ("spec", "suspend") if kind == JOB else ()
    return JobRoles.of(job, Controller.KUBERNETES, [role], suspend=suspend, notes=_notes(spec, kind))


_MIN_PARALLELISM = "kueue.x-k8s.io/job-min-parallelism"


def _least(job: Field, pods: int) -> int:
    """The number of pods that a Job needs. Kueue may admit it with fewer, down to the number of an annotation (Kueue,
    "Partial admission")."""
    least = whole_number(job.at("metadata", "annotations").texts().get(_MIN_PARALLELISM), 1)
    return min(least or pods, pods)


def active(spec: Field) -> int:
    """The number of pods of a batch/v1 Job that run at the same time, after `syncJob`'s `manageJob` of its
    controller."""
    parallelism, completions = spec.at("parallelism").number(1), spec.at("completions")
    return min(parallelism, completions.number(parallelism))


def _notes(spec: Field, kind: str) -> Iterator[str]:
    if kind == JOB and spec.at("completions").number(0) > active(spec):
        yield f"the Job has {spec.at('completions').value} pods in total, and runs {active(spec)} at the same time"
