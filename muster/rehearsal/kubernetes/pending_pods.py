"""Which pods of a job are pending and why; also jobs without pods, such as suspended jobs."""

import re
from collections.abc import Collection, Iterable, Sequence
from copy import deepcopy
from dataclasses import replace
from enum import Enum
from typing import Self

from muster.blueprint.kubernetes import Blueprint
from muster.config.description.addons import addon_entry
from muster.jobs.kinds import hyperpod_job
from muster.jobs.pod_requests import pod_requests
from muster.jobs.pod_roles import Controller, JobRoles, Role
from muster.kubernetes_quantity import is_device
from muster.message_text import list_names
from muster.rehearsal.kubernetes import claim_probe, resource_claims
from muster.rehearsal.kubernetes.addons import InstalledAddon, addons_that_run
from muster.rehearsal.kubernetes.causes import (
    CLAIM_MISSING,
    SCHEDULER_SAYS,
    PendingPod,
    cause_of,
    gang_cause,
    queue_cause,
)
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot
from muster.rehearsal.kubernetes.job_run import JobPod, JobRun
from muster.rehearsal.kubernetes.kueue import runs_on
from muster.rehearsal.kubernetes.operators import KUEUE, SCHEDULERS
from muster.rehearsal.kubernetes.operators import VOLCANO as VOLCANO_OPERATOR
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.kubernetes.pod_groups import PodGroup, queue_shortfall, waiting_pod_group
from muster.rehearsal.kubernetes.simulated_claims import missing_volume_claims, namespaces_of_claim
from muster.rehearsal.kubernetes.task_governance import paths_of_queues
from muster.rehearsal.kubernetes.workloads import is_gated, queue_state
from muster.rehearsal.outcome import SCHEDULER, Cause, Waiting
from muster.scheduling.constraints import PodConstraints, PodSpec
from muster.scheduling.taints import Toleration

_NOT_FOUND = re.compile(r"\bnot found\b|\bno \w+ with name \S+ was found\b")
"""The API server's messages about a service account, a RuntimeClass or a PriorityClass that does not exist."""

_LEADER_WAITS = "follower pod node selector not set"
"""JobSet's webhook denies the other pods of a Job with an exclusive topology until the first one has a node: the cause
is that of the first pod."""

VOLCANO = Controller.VOLCANO.value

_NOT_ENQUEUED = Cause(
    "not-enqueued",
    "Volcano has not admitted the job to its queue yet",
    "wait until other jobs end, or raise the capability of the queue",
    "addons.volcano",
)
_NO_WORKLOAD = Cause(
    "queue-no-workload",
    "Kueue has not created a Workload yet: the pod group has fewer pods than pod-group-total-count",
    "submit all pods of the group, or set kueue.x-k8s.io/pod-group-total-count to their number",
)

_DOES = {KUEUE.addon: "admits jobs", VOLCANO_OPERATOR.addon: "places the job's pods"}
"""The work of operators that create no pods of the job."""

OPERATOR_PENDING = "operator-{}"
"""The id of a cause that makes the job's operator wait, from the id of that cause."""


def pending_pods(cluster: PlannedCluster, job: JobRun) -> tuple[Waiting, ...]:
    """Every pod that exists but does not run, then a refusal of pods, by name."""
    # Pods that are being deleted do not wait for a node.
    stuck = [pod for pod in job.now if not pod.running and not pod.ending and not is_gated(pod.spec)]
    queued = _queued(cluster, job)
    if not stuck and not job.refusal:
        return queued
    snapshot = cluster.scene()
    # A thousand pods of one role have one cause, which is determined once.
    known: dict[tuple[str, str], Cause] = {}
    found = []
    by_volcano = (job.refusal and job.refusal.pending) or any(
        pod.spec.get("schedulerName") in SCHEDULERS for pod in stuck
    )
    group = waiting_pod_group(job.plane.client, job.shape.namespace) if by_volcano else None
    of_gang = _gang(job, snapshot, group) if group else None
    for pod in stuck:
        if job.unclaimed and resource_claims.is_gated(pod.spec):
            found.append(Waiting(pod.name, "", job.unclaimed))
            continue
        key = (pod.role, pod.said)
        if key not in known:
            alike = count_alike(pod, job.shape.roles) or len(stuck)
            pending = replace(_pending_pod(pod.spec, pod.role, alike, job), labels=pod.labels)
            cause = _with_claims(cause_of(pending, snapshot, pod.said), pod, job)
            if cause.id == SCHEDULER_SAYS and pending.claims:
                cause = claim_probe.claim_cause(job.plane, pending, snapshot) or cause
            known[key] = (of_gang if _in_gang(pod, cause) else None) or cause
        said, speaker = (group.said, "Volcano") if group and known[key] is of_gang else (pod.said, SCHEDULER)
        found.append(Waiting(pod.name, said, known[key], speaker))
    if job.refusal and not (stuck and _LEADER_WAITS in job.refusal.said):
        why = (of_gang or _NOT_ENQUEUED) if job.refusal.pending else _refused(job)
        found.append(Waiting(job.shape.name, job.refusal.said, why, job.refusal.who))
    return (*found, *queued)


def pods_without_node(job: JobRun) -> tuple[PendingPod, ...]:
    """The job's pods that the scheduler refused, sorted by name."""
    waiting = (pod for pod in job.now if pod.said and not pod.running and not pod.ending and not is_gated(pod.spec))
    return tuple(_pending_pod(pod.spec, pod.role, 1) for pod in waiting)


def _queued(cluster: PlannedCluster, job: JobRun) -> tuple[Waiting, ...]:
    """The pods that Kueue does not admit, or the job if it has no pods yet, with the conditions of its Workloads."""
    kept = [(each, each.kept_out) for each in job.workloads if not each.admitted]
    own = getattr(cluster.blueprint.described.addons.chosen.get("kueue"), "queues", {})
    described = {**{name: f"addons.kueue.queues.{name}" for name in own}, **paths_of_queues(cluster.blueprint)}
    found = []
    for workload, condition in kept:
        if condition is not None:
            queue = queue_state(job.plane.client, job.shape.namespace, workload.queue)
            cause = queue_cause(workload, queue, described)
            pods = [pod.name for pod in job.now if pod.uid in workload.owners and is_gated(pod.spec)]
            found += [Waiting(each, condition.message, cause, "Kueue") for each in pods or [job.shape.name]]
    return (*found, *(Waiting(pod.name, "", _NO_WORKLOAD) for pod in job.without_workload))


def _in_gang(pod: JobPod, cause: Cause) -> bool:
    """Whether the pod would fit on a node by itself, and its scheduler starts gangs."""
    return cause.id == SCHEDULER_SAYS and pod.spec.get("schedulerName") in SCHEDULERS


def _gang(job: JobRun, snapshot: ClusterSnapshot, group: PodGroup) -> Cause | None:
    """Why Volcano starts none of the pods: too little room for the whole gang, or too little quota in the queue."""
    pods = [_pending_pod(_admitted(role.spec), role.name, role.pods, job) for role in job.shape.roles]
    for pod in pods:
        if pod.alike and (cause := cause_of(pod, snapshot, group.said)).id != SCHEDULER_SAYS:
            return cause
    if (short := gang_cause(pods, job.running_by_role(), job.shape, snapshot, VOLCANO)) is not None:
        return short
    found = queue_shortfall(job.plane.client, group.queue, job.shape)
    remedy = f"raise the capability of the queue '{found.queue}', or reduce the job's requests" if found else ""
    return Cause("volcano-queue", found.said, remedy, "addons.volcano") if found else None


def _admitted(spec: PodSpec) -> PodSpec:
    """A template's spec with the tolerations that the API server gives its pods (`ExtendedResourceToleration`)."""
    devices = (name for name in pod_requests(spec) if is_device(name))
    return {
        **spec,
        "tolerations": [*(spec.get("tolerations") or ()), *({"key": each, "operator": "Exists"} for each in devices)],
    }


def _with_claims(cause: Cause, pod: JobPod, job: JobRun) -> Cause:
    """Adds every missing claim to the cause: the scheduler reports only the first. A pod mounts claims of its own
    namespace."""
    own = job.shape.namespace
    names = missing_volume_claims(job.plane, own, (pod.spec,)) if cause.id == CLAIM_MISSING else ()
    if not names:
        return cause
    said = f"{cause.said}: {list_names(map(repr, names))}"
    there = next((each for name in names for each in namespaces_of_claim(job.plane, name)), "")
    if not there:
        return replace(cause, said=said)
    said = f"{said}; there is one in namespace '{there}', but the pods are in '{own}'"
    return replace(cause, said=said, remedy=f"set the same namespace for the job and its claim, '{there}' or '{own}'")


def count_alike(pod: JobPod, roles: Sequence[Role]) -> int:
    """The number of the job's pods with the requests and constraints of this one, in any role; 0 if its role is
    unknown.

    A PyTorchJob's master and nine equal workers are ten such pods. Pods of Kubernetes' own controllers have no role;
    their jobs have only one.
    """
    own = next((role for role in roles if len(roles) == 1 or role.name.lower() == pod.role.lower()), None)
    if own is None:
        own = next((role for role in roles if _made_from(pod.spec, role)), None)
    return sum(role.pods for role in roles if _demand(role.spec) == _demand(own.spec)) if own else 0


def _demand(spec: PodSpec) -> tuple[object, frozenset[Toleration]]:
    """A template's requests, selector and affinity; and its tolerations. Order does not matter."""
    constraints = PodConstraints.of(spec)
    selection = frozenset(constraints.selector), constraints.terms
    claims = tuple(sorted(str(each) for each in spec.get("resourceClaims") or ()))
    return (pod_requests(spec), selection, claims), frozenset(constraints.tolerations)


def _made_from(spec: PodSpec, role: Role) -> bool:
    """Whether a pod may be of a role: the API server adds tolerations to the template's, and removes none."""
    (wanted, tolerations), (found, all_tolerations) = _demand(role.spec), _demand(spec)
    return wanted == found and tolerations <= all_tolerations


def dns_pending(cluster: PlannedCluster) -> str:
    """Why pods could not resolve names: CoreDNS waits; empty if it runs."""
    waits = cluster.dns_waits()
    if waits is None:
        return ""
    message, spec = waits
    cause = cause_of(_pending_pod(spec, "dns", 1), cluster.scene(), message)
    return f"CoreDNS does not run, so pods cannot resolve each other's names: {cause.said}; {cause.remedy}"


def _pending_pod(spec: PodSpec, role: str, alike: int, job: JobRun | None = None) -> PendingPod:
    claims = job.claims.of_pod(spec, job.shape.namespace) if job else ()
    devices = job.claims.amounts(spec, job.shape.namespace) if job else {}
    requests = {resource: number for resource, number in {**pod_requests(spec), **devices}.items() if number}
    for resource, name in job.claimed_resources.items() if job else ():
        if resource in requests:
            requests[name] = requests.get(name, 0) + requests.pop(resource)
    siblings = tuple(pod.labels for pod in job.now) if job else ()
    return PendingPod(spec, {**requests, "pods": 1}, role, alike, claims, siblings)


def _refused(job: JobRun) -> Cause:
    assert job.refusal is not None
    kind, who = job.shape.kind, job.refusal.who
    if _NOT_FOUND.search(job.refusal.said):
        return Cause(
            "refused",
            f"{who} rejects the {kind} or its pods, because they refer to an object that does not exist",
            "if the cluster has the object, put it into the job's file; otherwise the cluster also rejects the job",
        )
    if job.refusal.said:
        return Cause(
            "refused",
            f"{who} rejects the {kind} or its pods",
            "fix the job according to this message; a live cluster would also reject it",
        )
    return Cause(
        "pods-not-made",
        f"{who} created fewer pods than the {kind} requests, and gave no reason",
        f"check the settings of the {kind}: suspend, parallelism, replicas",
    )


def missing_operator(cluster: PlannedCluster, job: JobRun, addons: Collection[str]) -> Cause | None:
    """The cause if the job's operator is not an add-on of the cluster, or an operator that it needs does not run.

    None if all run, or if Muster has no such add-on.

    Args:
        cluster: the cluster.
        job: the job.
        addons: the add-ons that install its operators: its controller, its scheduler, Kueue.
    """
    version, kind = job.shape.api_version, job.shape.kind
    known = addons_that_run(version, kind)
    runner = cluster.installed.runner(version, kind)
    if known and (absent := _absent_operator(cluster, kind, runner, known)):
        return absent
    others = [each for each in cluster.installed.addons if each is not runner and each.addon.name in addons]
    operators = [runner, *others] if runner else others
    waits = (_operator_pending(cluster, each, makes_pods=each is runner) for each in operators)
    return next(filter(None, waits), None)


def _absent_operator(
    cluster: PlannedCluster, kind: str, runner: InstalledAddon | None, known: Sequence[str]
) -> Cause | None:
    """The cause if no add-on of the cluster runs such jobs."""
    if runner is None and kind == hyperpod_job.KIND and cluster.blueprint.hyperpod is None:
        return Cause(
            "no-operator",
            f"a {kind} runs only on SageMaker HyperPod, which has its operator",
            "rehearse the job on a stack with `backend: hyperpod`, or rewrite it as a PyTorchJob",
        )
    if runner is None:
        return Cause(
            "no-operator",
            f"no add-on of the description runs {kind}s, so the cluster would not create the job's pods",
            f"add `{addon_entry(known[0])}` below addons:",
            "addons",
        )
    return None


def _operator_pending(cluster: PlannedCluster, installed: InstalledAddon, *, makes_pods: bool) -> Cause | None:
    """The cause if a Deployment of an operator waits."""
    waits = next(filter(None, map(cluster.deployment_waits, installed.deployments)), None)
    if waits is None:
        return None
    message, spec = waits
    name = installed.addon.name
    cause = cause_of(_pending_pod(spec, "operator", 1), cluster.scene(), message)
    does = "creates the job's pods" if makes_pods else _DOES.get(name, "runs the objects that the job creates")
    return Cause(
        OPERATOR_PENDING.format(cause.id),
        f"the pod of {name}, which {does}, is itself waiting: {cause.said}",
        cause.remedy,
        cause.where or f"addons.{name}",
        cause.sums,
    )


_PLACES = (("spec", "suspend"), ("spec", "runPolicy", "suspend"))


def resume_job(job: JsonObject) -> JsonObject:
    """The job as it is once it is resumed."""
    place = _suspended_at(job)
    if place is None:
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
    """The description or the file has it: it runs in the rehearsal."""
    GOVERNANCE = "HyperPod's task governance"
    """It is Kueue with queues that SageMaker creates. The rehearsal does not know them, so it resumes the job."""

    @classmethod
    def of(cls, blueprint: Blueprint, beside: Iterable[JsonObject]) -> Self:
        """What resumes suspended jobs on this cluster."""
        if runs_on(blueprint, beside):
            return cls.KUEUE
        return cls.GOVERNANCE if "hyperpod-task-governance" in blueprint.described.addons.chosen else cls.NOTHING


def no_pods_cause(job: JsonObject, shape: JobRoles, resumes: JobResumer, queue: str | None) -> Cause | None:
    """The cause if the job will have no pods; else None.

    Args:
        job: its document.
        shape: the parsed document.
        resumes: what would resume it.
        queue: its LocalQueue of Kueue, if it has one.
    """
    if place := _suspended_at(job):
        at = ".".join(place)
        message = f"the job is suspended ({at})"
        if queue is None:
            return Cause(
                "suspended",
                f"{message}, so it has no pods until it is resumed",
                f"set {at} to false, or set a queue of Kueue, which resumes the job",
            )
        if resumes is JobResumer.NOTHING:
            return Cause(
                "suspended",
                f"{message} until Kueue admits it, but neither the description nor the job's file has Kueue",
                f"add `kueue: {{}}` below addons:, put the cluster's queues into the job's file, or set {at} to false",
                "addons",
            )
    if not shape.pods:
        return Cause("no-pods", "the job requests no pods", "set replicas or parallelism to at least 1")
    return None


def _suspended_at(job: JsonObject) -> tuple[str, ...] | None:
    for place in _PLACES:
        found: object = job
        for key in place:
            found = found.get(key) if isinstance(found, dict) else None
        if found is True:
            return place
    return None
