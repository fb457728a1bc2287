"""A job on the control plane, followed until it has settled."""

import contextlib
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from muster.jobs.kinds import ray
from muster.jobs.kinds.catalogue import pods_of
from muster.jobs.pod_roles import DEFAULT_SCHEDULER, Controller, JobRoles, Role
from muster.rehearsal.kubernetes.client import ApiError, JsonObject, NotFound
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.job_prerequisites import bind_claims, unbound_claims
from muster.rehearsal.kubernetes.kueue import Workload, is_gated, workloads_of
from muster.rehearsal.kubernetes.pods import JobPod, JobPods, age_of_reading
from muster.rehearsal.kubernetes.volcano import waiting_pod_group
from muster.rehearsal.outcome import SimulatedPart


def as_rehearsed(document: Any, schedulers: Collection[str] = ()) -> Any:
    """A job, or a runtime, whose pods name no scheduler but these, and whose replicated jobs wait until others run:
    nothing completes in a rehearsal."""
    if isinstance(document, list):
        return [as_rehearsed(each, schedulers) for each in document]
    if not isinstance(document, Mapping):
        return document
    elsewhere = "containers" in document and document.get("schedulerName") not in schedulers
    left_out = {"schedulerName"} if elsewhere else frozenset[str]()
    made = {key: as_rehearsed(each, schedulers) for key, each in document.items() if key not in left_out}
    if isinstance(waits := made.get("dependsOn"), list):
        made["dependsOn"] = [
            {**each, "status": "Ready"} if isinstance(each, Mapping) and each.get("status") == "Complete" else each
            for each in waits
        ]
    return made


_QUIET = 1.5
"""Seconds without a change after which a waiting pod counts as waiting forever: the scheduler retries within 1 s."""
_SILENT = 6.0
"""Seconds without a change after which missing pods count as never created."""
_JOB_BACKOFF = 10.0
"""Seconds until the Job controller recreates a failed pod, doubled for each further one
(`DefaultJobPodFailureBackOff`)."""
_MOST_DOUBLED = 3
_OF_JOBS = ("Job", "JobSet", "MPIJob", "TrainJob", "RayJob")
"""Kinds for which the Job controller creates some pods."""
_NO_NODES = "no nodes available to schedule pods"
"""The scheduler's message if the cluster has no nodes (`ErrNoNodesAvailable`)."""
_UNBOUND = "unbound immediate PersistentVolumeClaims"
"""A part of the scheduler's message on a pod whose claim has no volume (`volumebinding.PreFilter`)."""
_FAILED = frozenset({"Failed", "FailureTarget", "Aborted", "Terminated"})
"""Conditions of a job, or phases of a Volcano job, that mean permanent failure."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The message of the API server or of a controller on why pods were not created."""

    who: str
    said: str
    pending: bool = False
    """Whether the job waits without pods although nothing rejected it: Volcano has not admitted it to its queue."""


@dataclass(slots=True)
class JobRun:
    """One run of a job. Its controllers create the pods, or the rehearsal simulates them."""

    plane: ControlPlane
    shape: JobRoles
    document: JsonObject
    pods: JobPods
    refusal: Refusal | None = None
    simulated_parts: list[SimulatedPart] = field(default_factory=list)
    """Volumes that were created for its claims."""
    began: float = field(default_factory=time.monotonic)
    _path: str = ""
    """The API path of the job; empty if only its pods, or no objects of it, are on the control plane."""
    _uid: str = ""
    _made: dict[str, JsonObject] = field(default_factory=dict)
    """Name -> pod, of those that the rehearsal creates in place of a controller."""
    _owned: dict[str, bool] = field(default_factory=dict)
    """Uid of an object -> whether it belongs to the job."""
    _silence: float = _SILENT
    _sent: bool = False
    """Whether the API server has accepted it."""

    @property
    def seconds(self) -> float:
        """Seconds since the job was submitted."""
        return time.monotonic() - self.began

    @property
    def now(self) -> tuple[JobPod, ...]:
        """The job's pods, sorted by name."""
        return tuple(pod for pod in self.pods.now if self._mine(pod))

    def send(self) -> None:
        """Submits the job as kubectl does, with strict field validation, which rejects unknown fields. An error of the
        API server or of a webhook becomes `refusal`."""
        client, self.began = self.plane.client, time.monotonic()
        self.pods.restart_quiet()
        if self.shape.controller is Controller.REHEARSAL:
            self._made = {pod["metadata"]["name"]: pod for pod in pods_of(self.document)}
            with self._refused():
                client.each(partial(client.create, strict=True), self._made.values())
                self._sent = True
            return
        with self._refused():
            sent = client.create(self.document, strict=True)
            self._uid, self._path, self._sent = sent["metadata"]["uid"], client.path(sent), True

    @property
    def workloads(self) -> tuple[Workload, ...]:
        """Kueue's Workloads of the job; none if Kueue does not run, or does not manage it."""
        if not self.plane.runs_kueue:
            return ()
        owners = {pod.uid for pod in self.now} | {self._uid}
        return workloads_of(self.plane.client, self.shape.namespace, owners)

    @property
    def gated(self) -> tuple[JobPod, ...]:
        """Its pods that wait for Kueue."""
        return tuple(pod for pod in self.now if is_gated(pod.spec))

    @property
    def without_workload(self) -> tuple[JobPod, ...]:
        """The gated pods for which Kueue has created no Workload."""
        gated = self.gated
        owners = {uid for each in self.workloads for uid in each.owners} if gated else set[str]()
        return () if self._uid in owners else tuple(pod for pod in gated if pod.uid not in owners)

    def settle(self, timeout: float) -> None:
        """Waits until every pod runs, or the other pods count as waiting forever.

        Raises:
            RehearsalError: pods still change after the timeout, or a component died.
        """
        if not self._sent:
            return
        self.refusal = None
        look = age_of_reading(self.shape.pods)
        self.plane.wait_until(self._settled, f"{self.shape.name} did not settle", timeout, look)

    def role_of(self, pod: JobPod) -> str:
        """The name of the pod's role. Built-in controllers do not label pods with it: their jobs have one role, and for
        a RayJob they create the submitter."""
        if self.shape.kind == ray.JOB and pod.owner.get("kind") == "Job":
            return ray.SUBMITTER
        return self.shape.roles[0].name if len(self.shape.roles) == 1 else pod.role

    def missing(self, pods: Iterable[JobPod]) -> Iterator[tuple[Role, int]]:
        """The roles of which these pods are not all, and how many each lacks."""
        there = self._count(pod for pod in pods if not pod.ending)
        for role in self.shape.roles:
            if role.pods > there[role.name]:
                yield role, role.pods - there[role.name]

    def running(self) -> int:
        """The number of its pods that run."""
        return sum(pod.running for pod in self.now)

    def goes_on(self) -> bool:
        """Whether the number of running pods is enough for the job."""
        return self.shape.goes_on(self._count(pod for pod in self.now if pod.running))

    def recreate_pods(self, lost: int) -> tuple[str, ...]:
        """Recreates lost pods if the rehearsal creates them; else their controller does. Returns the names of the
        pods that the rehearsal created.

        Args:
            lost: the number of lost pods; each makes Kubernetes' Job controller wait longer.
        """
        if self.shape.kind in _OF_JOBS and self.shape.controller is not Controller.VOLCANO:
            self._silence = _SILENT + _JOB_BACKOFF * 2 ** min(max(lost - 1, 0), _MOST_DOUBLED)
        there = {pod.name for pod in self.now}
        gone = tuple(name for name in self._made if name not in there)
        self.pods.restart_quiet()
        self.plane.client.each(self.plane.client.create, [self._made[name] for name in gone])
        return gone

    def delete_pods(self) -> None:
        """Deletes all its pods at once, as HyperPod's auto-resume does before the operator recreates them.

        Raises:
            RehearsalError: pods are not deleted in time.
        """
        ended = {pod.uid: pod.name for pod in self.now}
        path = f"/api/v1/namespaces/{self.shape.namespace}/pods"
        self.pods.restart_quiet()
        self.plane.client.each(
            lambda uid: self.plane.client.delete(
                f"{path}/{ended[uid]}", gracePeriodSeconds=0, preconditions={"uid": uid}
            ),
            ended,
        )
        self.plane.wait_until(
            lambda: ended.keys().isdisjoint(pod.uid for pod in self.now), f"pods of {self.shape.name} were not deleted"
        )

    def failed(self) -> str:
        """Reason and message of the job's failure condition; empty while it has none, or only its pods exist."""
        if not self._path:
            return ""
        with contextlib.suppress(ApiError):
            status = self.plane.client.get(self._path).get("status") or {}
            state = status.get("state")
            if isinstance(state, Mapping) and state.get("phase") in _FAILED:  # Volcano
                return f"{state['phase']}: {state.get('reason') or ''} {state.get('message') or ''}".strip(": ")
            for each in status.get("conditions") or ():
                if each.get("type") in _FAILED and each["status"] == "True":
                    return f"{each.get('reason', 'Failed')}: {each.get('message', '')}".strip(": ")
        return ""

    @contextlib.contextmanager
    def _refused(self) -> Iterator[None]:
        try:
            yield
        except ApiError as fault:
            self.refusal = Refusal("the API server", str(fault))

    def _settled(self) -> bool:
        pods, workloads = self.now, self.workloads
        self.pods.note(workloads)
        # Of one reading: pods that come meanwhile neither wait nor are missing.
        waiting, missing = [pod for pod in pods if not pod.running], any(self.missing(pods))
        unbound = any(_UNBOUND in pod.said for pod in waiting)
        gated = {pod.uid for pod in waiting if is_gated(pod.spec)}
        admitted = {uid for each in workloads if each.admitted for uid in each.owners}
        # Kueue removes gates, or decides again.
        acts = bool(gated and admitted & {self._uid, *gated}) or any(each.undecided for each in workloads)
        if acts or any(pod.ending for pod in pods) or (unbound and self._all_bound()):
            return False
        if not (waiting or missing):
            return True
        # Of equal Workloads, Kueue evaluates one, and of a strict queue the first: the others get no condition.
        if kept := [each for each in workloads if not each.admitted]:
            known = any(each.kept_out for each in kept)
            return self.pods.quiet() > (_QUIET if known else _SILENT) and self._decided(waiting)
        if missing and self.shape.controller is not Controller.REHEARSAL:
            return self._not_made(waiting)
        if gated:  # Kueue may still create a Workload
            return self.pods.quiet() > _SILENT and bool(self.without_workload)
        return self.pods.quiet() > _QUIET and self._decided(waiting)

    def _decided(self, waiting: list[JobPod]) -> bool:
        """Whether each pod has a message of the scheduler, waits for Kueue, or has a scheduler that does not run."""
        return all(is_gated(pod.spec) or self._has_verdict(pod) or self._is_ignored(pod) for pod in waiting)

    def _has_verdict(self, pod: JobPod) -> bool:
        """Whether the scheduler has reported on the pod since nodes exist. It is slow to retry a pod that it reported
        while there were no nodes."""
        return bool(pod.said) and not (pod.said == _NO_NODES and self.plane.client.items("/api/v1/nodes"))

    def _is_ignored(self, pod: JobPod) -> bool:
        """Whether no scheduler of the rehearsal handles the pod: it sets another scheduler, or a node that does not
        exist."""
        if pod.spec.get("schedulerName", DEFAULT_SCHEDULER) not in {DEFAULT_SCHEDULER, *self.plane.schedulers}:
            return True
        if pod.node is None:
            return False
        try:
            self.plane.client.get(f"/api/v1/nodes/{pod.node}")
        except NotFound:
            return True
        return False

    def _all_bound(self) -> bool:
        """Binds the volume claims that were created with its pods. Returns whether all are bound now: then the
        scheduler has yet to retry the pods that it reported before."""
        if new := bind_claims(self.plane, self.shape.namespace):
            self.simulated_parts += new
            self.pods.restart_quiet()
        return not unbound_claims(self.plane.client, self.shape.namespace)

    def _not_made(self, waiting: list[JobPod]) -> bool:
        """Handles missing pods of a controller: it never creates them, or only once the waiting ones run (a
        StatefulSet). Returns whether the job is settled."""
        if self.pods.quiet() < _QUIET:
            return False
        if words := self._not_enqueued():
            self.refusal = Refusal(self.shape.runs_by, words, pending=True)
            return True
        if self.pods.quiet() < self._silence and not self.failed():
            return False
        why = self._why_not_made()
        self.refusal = None if (waiting or self.goes_on()) and not why.said else why
        return self._decided(waiting)

    def _not_enqueued(self) -> str:
        """Volcano's message on why it does not admit the job to its queue; empty if it does, and for other jobs. Before
        the admission, it creates no pods."""
        if self.shape.controller is not Controller.VOLCANO or self.now:
            return ""
        group = waiting_pod_group(self.plane.client, self.shape.namespace)
        return "" if group is None or group.enqueued else group.said

    def _why_not_made(self) -> Refusal:
        """The job's failure, else the newest warning event of its controller on pods that it could not create."""
        if failure := self.failed():
            return Refusal(self.shape.runs_by, failure)
        path = f"/api/v1/namespaces/{self.shape.namespace}/events"
        warnings = self.plane.client.items(path, fieldSelector="type=Warning")
        made = (each for each in warnings if "Create" in each.get("reason", ""))
        # A controller tries to create an object again if its cache does not have the first one yet.
        real = (each for each in made if not each["message"].endswith("already exists"))
        own = [each for each in real if self._owns(each["involvedObject"])]
        newest = max(own, key=lambda each: str(each.get("lastTimestamp") or ""), default={"message": ""})
        return Refusal(self.shape.runs_by, newest["message"])

    def _mine(self, pod: JobPod) -> bool:
        if self.shape.controller is Controller.REHEARSAL:
            return pod.name in self._made
        return pod.uid == self._uid or self._owns(pod.owner)

    def _owns(self, reference: JsonObject) -> bool:
        """Whether an object is the job, or belongs to it: its owner is the job, or the job owns that owner. Pods of a
        TrainJob belong to a Job of its JobSet, those of a RayJob to its RayCluster."""
        uid = reference.get("uid")
        if not uid or uid == self._uid:
            return bool(uid)
        if uid not in self._owned:
            self._owned[uid] = any(map(self._owns, self._owners(reference)))
        return self._owned[uid]

    def _owners(self, reference: JsonObject) -> list[JsonObject]:
        client = self.plane.client
        if not client.knows(reference["apiVersion"], reference["kind"]):
            return []
        named = {"name": reference["name"], "namespace": self.shape.namespace}
        try:
            found = client.get(client.path({**reference, "metadata": named}))
        except NotFound:
            return []
        owners: list[JsonObject] = found["metadata"].get("ownerReferences", [])
        return owners

    def _count(self, pods: Iterable[JobPod]) -> Counter[str]:
        return Counter(map(self.role_of, pods))
