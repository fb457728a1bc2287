"""Which pods of a job are pending and why; and jobs without pods, suspended ones among them."""

import re
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from enum import Enum
from typing import Self

from muster.blueprint.kubernetes import Blueprint
from muster.jobs.kinds import hyperpod_job
from muster.jobs.pod_requests import pod_requests
from muster.jobs.pod_roles import JobRoles, Role
from muster.jobs.queue_admission import VERSIONS, Admission
from muster.message_text import list_names
from muster.rehearsal.kubernetes import claims
from muster.rehearsal.kubernetes.addons import addons_that_run
from muster.rehearsal.kubernetes.causes import CLAIM_MISSING, PendingPod, cause_of
from muster.rehearsal.kubernetes.claims import missing_volume_claims
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.job_run import JobPod, JobRun
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.outcome import Cause, Waiting
from muster.scheduling.constraints import PodConstraints, PodSpec

_NOT_FOUND = re.compile(r"\bnot found\b|\bno \w+ with name \S+ was found\b")
"""How the API server's admission speaks of a service account, a RuntimeClass, a PriorityClass that is not there."""

OPERATOR_PENDING = "operator-{}"
"""The id of a cause that keeps the job's operator waiting, of the cause's own."""


def pending_pods(cluster: PlannedCluster, job: JobRun) -> tuple[Waiting, ...]:
    """Every pod that is there and does not run, then those that nobody makes, by name."""
    # Of pods that are being deleted nobody waits for a place.
    stuck = [pod for pod in job.now if not pod.running and not pod.ending]
    if not stuck and not job.refusal:
        return ()
    scene = cluster.scene()
    # A thousand pods of one role have one cause: it is looked for once.
    known: dict[tuple[str, str], Cause] = {}
    found = []
    for pod in stuck:
        if job.unclaimed and claims.is_gated(pod.spec):
            found.append(Waiting(pod.name, "", job.unclaimed))
            continue
        key = (pod.role, pod.said)
        if key not in known:
            asking = _pending_pod(pod.spec, pod.role, count_alike(pod, job.shape.roles) or len(stuck))
            known[key] = _with_claims(cause_of(asking, scene, pod.said), pod, job)
        found.append(Waiting(pod.name, pod.said, known[key]))
    if job.refusal:
        found.append(Waiting(job.shape.name, job.refusal.said, _refused(job)))
    return tuple(found)


def _with_claims(cause: Cause, pod: JobPod, job: JobRun) -> Cause:
    """With every claim that the pod lacks: the scheduler names the first."""
    if cause.id != CLAIM_MISSING:
        return cause
    names = missing_volume_claims(job.plane, job.shape.namespace, (pod.spec,))
    return replace(cause, said=f"{cause.said}: {list_names(map(repr, names))}") if names else cause


def count_alike(pod: JobPod, roles: Sequence[Role]) -> int:
    """How many pods of the job ask the same of nodes as this one, whatever their role; 0 where its role is not known.

    A PyTorchJob's master and nine workers that ask the same are ten such pods: they need room together. Pods that
    Kubernetes' own controllers make carry no role, and their jobs have one.
    """
    own = next((role for role in roles if len(roles) == 1 or role.name.lower() == pod.role.lower()), None)
    if own is None:
        own = next((role for role in roles if _made_from(pod.spec, role)), None)
    return sum(role.pods for role in roles if _demand(role.spec) == _demand(own.spec)) if own else 0


def _demand(spec: PodSpec) -> tuple[object, ...]:
    """What a template asks of nodes: amounts, labels in any order, affinity, tolerations in any order."""
    constraints = PodConstraints.of(spec)
    return pod_requests(spec), frozenset(constraints.selector), constraints.terms, frozenset(constraints.tolerations)


def _made_from(spec: PodSpec, role: Role) -> bool:
    """Whether a pod may be one of a role: the API server adds tolerations to what the template says, and takes none."""
    *demand, tolerations = _demand(role.spec)
    *demand_here, tolerations_here = _demand(spec)
    return demand == demand_here and tolerations <= tolerations_here


def dns_pending(cluster: PlannedCluster) -> str:
    """Why pods would not find each other by name: CoreDNS waits; empty where it runs."""
    waits = cluster.dns_waits()
    if waits is None:
        return ""
    said, spec = waits
    cause = cause_of(_pending_pod(spec, "dns", 1), cluster.scene(), said)
    return f"CoreDNS runs nowhere, so that no pod finds another by its name: {cause.said}; {cause.remedy}"


def _pending_pod(spec: PodSpec, role: str, alike: int) -> PendingPod:
    asked = {resource: number for resource, number in pod_requests(spec).items() if number}
    return PendingPod(spec, {**asked, "pods": 1}, role, alike)


def _refused(job: JobRun) -> Cause:
    assert job.refusal is not None
    kind, who = job.shape.kind, job.refusal.who
    if _NOT_FOUND.search(job.refusal.said):
        return Cause(
            "refused",
            f"{who} refuses the {kind} or its pods: what they name is not there",
            "put it into the job's file, if the cluster has it; a cluster without it would refuse the job too",
        )
    if job.refusal.said:
        return Cause(
            "refused",
            f"{who} refuses the {kind} or its pods",
            "mend the job as those words say; a live cluster would refuse it too",
        )
    return Cause(
        "pods-not-made",
        f"{who} made fewer pods than the {kind} asks for, and said nothing of it",
        f"look at the {kind}'s own settings: suspend, parallelism, replicas",
    )


def missing_operator(cluster: PlannedCluster, job: JobRun) -> Cause | None:
    """Why nothing would make the job's pods on the cluster: its operator is no add-on of it, or does not run.

    None where all is well, or where the catalogue has no such operator.
    """
    version, kind = job.shape.api_version, job.shape.kind
    known = addons_that_run(version, kind)
    if not known:
        return None
    runner = cluster.installed.runner(version, kind)
    if runner is None and kind == hyperpod_job.KIND and cluster.blueprint.hyperpod is None:
        return Cause(
            "no-operator",
            f"{kind}s run on SageMaker HyperPod alone, by an operator of its own",
            "rehearse it on a stack with `backend: hyperpod`, or write it as a PyTorchJob",
        )
    if runner is None:
        return Cause(
            "no-operator",
            f"no add-on of the description runs {kind}s: nothing would make the job's pods",
            f"add `{known[0]}: {{}}` below addons:",
            "addons",
        )
    waits = next(filter(None, map(cluster.deployment_waits, runner.operators)), None)
    if waits is None:
        return None
    said, spec = waits
    cause = cause_of(_pending_pod(spec, "operator", 1), cluster.scene(), said)
    return Cause(
        OPERATOR_PENDING.format(cause.id),
        f"the {runner.addon.name} that makes the job's pods waits itself: {cause.said}",
        cause.remedy,
        cause.where or f"addons.{runner.addon.name}",
        cause.sums,
    )


_PLACES = (("spec", "suspend"), ("spec", "runPolicy", "suspend"))


def resume_by_kueue(job: JsonObject, shape: JobRoles) -> JsonObject:
    """The job as it is once Kueue has let it in, where it names a queue: Kueue resumes what it admits."""
    place = _suspended_at(job)
    if place is None or not shape.queue:
        return job
    changed: JsonObject = deepcopy(job)
    holder = changed
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = False
    return changed


class JobResumer(Enum):
    """What resumes suspended jobs, according to the description and the job's file."""

    NOTHING = "nothing"
    """Neither of them has Kueue."""
    KUEUE = "Kueue"
    """Its queues are in the description or in the file."""
    GOVERNANCE = "HyperPod's task governance"
    """It is Kueue with queues that SageMaker creates. They are not known here."""

    @classmethod
    def of(cls, blueprint: Blueprint, beside: Iterable[JsonObject]) -> Self:
        """On this cluster."""
        chosen = blueprint.described.addons.chosen
        if "hyperpod-task-governance" in chosen:
            return cls.GOVERNANCE
        return cls.KUEUE if "kueue" in chosen or any(_of_kueue(each) for each in beside) else cls.NOTHING


def _of_kueue(thing: JsonObject) -> bool:
    return thing.get("apiVersion") in VERSIONS


def no_pods_cause(job: JsonObject, shape: JobRoles, admission: Admission | None, resumes: JobResumer) -> Cause | None:
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
        if resumes is JobResumer.NOTHING:
            return Cause(
                "suspended",
                f"{said} until Kueue lets it in, and neither the description nor the file has Kueue",
                f"add `kueue: {{}}` below addons:, or put the cluster's queues into the job's file; else set {at} to "
                "false",
                "addons",
            )
        if resumes is JobResumer.KUEUE and (admission is None or admission.cluster_queue is None):
            why = f": {admission.said.removeprefix('not judged: ')}" if admission else ""
            return Cause(
                "queue-missing",
                f"{said} until its queue '{shape.queue}' lets it in, and no such queue is known{why}",
                "name a queue that is there, or put its LocalQueue into the job's file, if the cluster has it",
            )
    if not shape.pods:
        return Cause("no-pods", "it asks for no pods", "give it at least one: replicas, parallelism")
    return None


def _suspended_at(job: JsonObject) -> tuple[str, ...] | None:
    for place in _PLACES:
        found: object = job
        for key in place:
            found = found.get(key) if isinstance(found, dict) else None
        if found is True:
            return place
    return None
