"""Which pods of a job are pending and why; also jobs without pods, such as suspended jobs."""

from collections.abc import Collection, Iterable
from copy import deepcopy
from dataclasses import replace
from enum import Enum
from typing import Self

from muster.blueprint.cluster import Blueprint
from muster.jobs.pod_requests import pod_requests
from muster.jobs.pod_roles import JobRoles
from muster.kubernetes_quantity import is_device
from muster.plain_data import value_at
from muster.rehearsal.kubernetes import hyperpod
from muster.rehearsal.kubernetes.addons import InstalledAddon
from muster.rehearsal.kubernetes.causes import SCHEDULER_SAYS, PendingPod, cause_of
from muster.rehearsal.kubernetes.client import JsonObject
from muster.rehearsal.kubernetes.cluster_snapshot import ClusterSnapshot
from muster.rehearsal.kubernetes.job_run import JobRun
from muster.rehearsal.kubernetes.kueue import Condition, cluster_queue_of, is_gated, runs_on
from muster.rehearsal.kubernetes.operators import SCHEDULERS
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.kubernetes.volcano import waiting_pod_group
from muster.rehearsal.outcome import SCHEDULER, Cause, Waiting
from muster.scheduling.constraints import PodSpec

_LEADER_WAITS = "follower pod node selector not set"
"""JobSet's webhook denies the other pods of a Job with an exclusive topology until the first one has a node: the cause
is that of the first pod."""

_GANG = Cause(
    SCHEDULER_SAYS,
    "Volcano starts all pods of the job together or none, and does not start them",
    "wait until other jobs end, raise the capability of the queue, or change the job according to Volcano's message",
    "addons.volcano",
)
_NOT_ADMITTED = Cause(
    "queue-quota",
    "Kueue does not admit the job from the queue '{}'",
    "change the job, its queue or the quota as Kueue's message states; put queues of the cluster into the job's file",
)
_BY_REASON = {
    "TopologyPlacementFailed": Cause(
        "queue-topology",
        "Kueue does not admit the job from the queue '{}', because no domain of the topology has room for all pods",
        "wait for nodes, require a higher level of the topology, use podset-preferred-topology, or reduce the job",
    ),
    "": Cause(
        "queue-quota",
        "Kueue does not evaluate the job while jobs before it in the queue '{}' wait",
        "wait until other jobs end, or raise the quota (that of the stack's queues follows from groups.*.nodes)",
    ),
    "WaitingForQuota": Cause(
        "queue-quota",
        "Kueue does not admit the job from the queue '{}', because the quota is in use",
        "wait until other jobs end, or raise the quota (that of the stack's queues follows from groups.*.nodes)",
    ),
}
"""Reason of a Workload's condition (`apis/kueue/v1beta2/workload_types.go`) -> why it is not admitted from queue {};
empty: it has no condition."""
_NOT_EVALUATED = Condition(true=False, reason="", message="")
"""In place of the condition of a Workload that Kueue has not evaluated."""
_NO_WORKLOAD = Cause(
    "queue-quota",
    "Kueue has not created a Workload yet: the pod group has fewer pods than pod-group-total-count",
    "submit all pods of the group, or set kueue.x-k8s.io/pod-group-total-count to their number",
)

OPERATOR_WAITS = "operator-waits"
"""The cause of a job whose operator's own pod waits."""


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
    gang = {pod.name for pod in stuck if pod.spec.get("schedulerName") in SCHEDULERS}
    for pod in stuck:
        key = (pod.role, pod.said)
        if key not in known:
            # A PyTorchJob's master and nine equal workers are ten such pods.
            alike = sum(role.pods for role in job.shape.roles if role.asks == pod.asks) or len(stuck)
            waits = sum(other.asks == pod.asks for other in stuck)
            pending = pending_pod(pod.spec, pod.role, alike, waits, gang=pod.name in gang)
            known[key] = cause_of(pending, snapshot, pod.said)
    found = [Waiting(pod.name, pod.said, known[pod.role, pod.said], SCHEDULER) for pod in stuck]
    if gang and (group := waiting_pod_group(job.plane.client, job.shape.namespace)):
        why = next((each.cause for each in found if each.pod in gang and each.cause.id != SCHEDULER_SAYS), _GANG)
        found = [Waiting(each.pod, group.said, why, "Volcano") if each.pod in gang else each for each in found]
    if job.refusal and not (stuck and _LEADER_WAITS in job.refusal.said):
        why = _not_enqueued(job, snapshot) if job.refusal.pending else _refused(job)
        found.append(Waiting(job.shape.name, job.refusal.said, why, job.refusal.who))
    return (*found, *queued)


def _not_enqueued(job: JobRun, snapshot: ClusterSnapshot) -> Cause:
    """The cause of a job that Volcano does not admit to its queue: the nodes, or else the queue."""
    for role in job.shape.roles:
        # EKS adds the tolerations of devices to pods (ExtendedResourceToleration), and there are no pods yet.
        added = [{"key": each, "operator": "Exists"} for each in role.asks if is_device(each)]
        spec = {**role.spec, "tolerations": [*(role.spec.get("tolerations") or ()), *added]}
        pods = pending_pod(spec, role.name, role.pods, role.needed, gang=True)
        if (cause := cause_of(pods, snapshot, "not enqueued")).id != SCHEDULER_SAYS:
            return cause
    return _GANG


def pods_without_node(job: JobRun) -> tuple[PendingPod, ...]:
    """The job's pods that the scheduler refused, sorted by name."""
    waiting = (pod for pod in job.now if pod.said and not pod.running and not pod.ending and not is_gated(pod.spec))
    return tuple(pending_pod(pod.spec, pod.role, 1) for pod in waiting)


def _queued(cluster: PlannedCluster, job: JobRun) -> tuple[Waiting, ...]:
    """The pods that Kueue does not admit, or the job if it has no pods yet, with the conditions of its Workloads."""
    kept = [each for each in job.workloads if not each.admitted]
    known = next((each.kept_out for each in kept if each.kept_out), _NOT_EVALUATED)
    found = []
    for workload in kept:
        condition = workload.kept_out or known  # of equal Workloads, only one has a condition
        cause = _queue_cause(cluster, job, workload.queue, condition.reason)
        pods = [pod.name for pod in job.now if pod.uid in workload.owners and is_gated(pod.spec)]
        found += [Waiting(each, condition.message, cause, "Kueue") for each in pods or [job.shape.name]]
    return (*found, *(Waiting(pod.name, "", _NO_WORKLOAD) for pod in job.without_workload))


def _queue_cause(cluster: PlannedCluster, job: JobRun, name: str, reason: str) -> Cause:
    """The cause of a job that Kueue does not admit from its queue; Kueue's message has the reason."""
    own = getattr(cluster.blueprint.described.addons.chosen.get("kueue"), "queues", {})
    queue = cluster_queue_of(job.plane.client, job.shape.namespace, name)
    cause = _BY_REASON.get(reason, _NOT_ADMITTED)
    where = f"addons.kueue.queues.{queue}" if queue in own else ""
    return replace(cause, said=cause.said.format(name), where=where)


def dns_pending(cluster: PlannedCluster) -> str:
    """Why pods could not resolve names: CoreDNS waits; empty if it runs."""
    waits = cluster.dns_waits()
    if waits is None:
        return ""
    message, spec = waits
    cause = cause_of(pending_pod(spec, "dns", 1), cluster.scene(), message)
    return f"CoreDNS does not run, so pods cannot resolve each other's names: {cause.said}; {cause.remedy}"


def pending_pod(spec: PodSpec, role: str, alike: int, waiting: int = 1, *, gang: bool = False) -> PendingPod:
    """A pod that waits: its spec, its role, the number of equal pods, how many of them wait, and whether as a gang."""
    requests = {resource: number for resource, number in pod_requests(spec).items() if number}
    return PendingPod(spec, {**requests, "pods": 1}, role, alike, waiting, gang)


def _refused(job: JobRun) -> Cause:
    assert job.refusal is not None
    kind, who = job.shape.kind, job.refusal.who
    said = f"{who} rejects the {kind} or its pods"
    if not job.refusal.said:
        said = f"{who} created fewer pods than the {kind} requests, and gave no reason"
    remedy = "fix the job according to this message; put objects that the cluster has into the job's file"
    return Cause("refused", said, remedy)


def waiting_operator(cluster: PlannedCluster, job: JobRun, addons: Collection[str]) -> Cause | None:
    """The cause if an operator that the job needs does not run; None if all run.

    Args:
        cluster: the cluster.
        job: the job.
        addons: the add-ons that install its operators: its controller, its scheduler, Kueue.
    """
    runner = cluster.installed.runner(job.shape.api_version, job.shape.kind)
    others = [each for each in cluster.installed.addons if each is not runner and each.addon.name in addons]
    operators = [runner, *others] if runner else others
    return next(filter(None, (_operator_pending(cluster, each) for each in operators)), None)


def _operator_pending(cluster: PlannedCluster, installed: InstalledAddon) -> Cause | None:
    """The cause if a Deployment of an operator waits."""
    waits = next(filter(None, map(cluster.deployment_waits, installed.deployments)), None)
    if waits is None:
        return None
    message, spec = waits
    name = installed.addon.name
    cause = cause_of(pending_pod(spec, "operator", 1), cluster.scene(), message)
    return Cause(
        OPERATOR_WAITS,
        f"the pod of {name}, which the job needs, is itself waiting: {cause.said}",
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
    changed, (*above, last) = deepcopy(job), place
    value_at(changed, *above)[last] = False
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
        return cls.GOVERNANCE if hyperpod.ADDON in blueprint.described.addons.chosen else cls.NOTHING


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
    return next((place for place in _PLACES if value_at(job, *place) is True), None)
