"""Pods as the API server reports them, and the pods of a job, read again and again as they change."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from muster.jobs.kinds import ray
from muster.jobs.pod_requests import pod_requests
from muster.jobs.pod_roles import DEFAULT_SCHEDULER
from muster.rehearsal.kubernetes.client import Client, JsonObject
from muster.rehearsal.kubernetes.kueue import Workload


def is_running(pod: Mapping[str, Any]) -> bool:
    """Whether a pod runs, is ready, and is not being deleted."""
    if pod["metadata"].get("deletionTimestamp") or pod.get("status", {}).get("phase") != "Running":
        return False
    conditions = pod["status"].get("conditions", ())
    return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)


def scheduler_message(pod: Mapping[str, Any]) -> str:
    """The scheduler's message on why a pod has no node; empty while there is none. The message about a scheduling gate
    stays after the gate is removed, until the scheduler has looked at the pod."""
    for each in pod.get("status", {}).get("conditions", ()):
        if each["type"] == "PodScheduled" and each["status"] == "False":
            stale = each.get("reason") == "SchedulingGated" and not pod["spec"].get("schedulingGates")
            return "" if stale else str(each.get("message", ""))
    return ""


_ROLE_LABELS = (
    "muster/role",
    "training.kubeflow.org/replica-type",
    "training.kubeflow.org/job-role",
    "jobset.sigs.k8s.io/replicatedjob-name",
    "volcano.sh/task-spec",
    "ray.io/group",
)
_ROLES = {"headgroup": ray.HEAD}
"""The role of pods whose label has another name."""


@dataclass(frozen=True, slots=True)
class JobPod:
    """One pod as it was last seen."""

    name: str
    uid: str
    role: str
    spec: Mapping[str, Any]
    node: str | None
    running: bool
    said: str
    """The scheduler's message with the reason why the pod waits; empty while there is none."""
    owner: JsonObject = field(default_factory=dict)
    """The reference to the object that owns it; empty if none does."""
    ending: bool = False
    """It is deleted (`deletionTimestamp`), and its object still exists."""

    @property
    def asks(self) -> dict[str, int]:
        """The resources that it requests from its node."""
        return pod_requests(self.spec)


class JobPods:
    """The pods of a namespace, read again whenever the last reading is too old."""

    def __init__(self, client: Client, namespace: str) -> None:
        self._client, self._path = client, f"/api/v1/namespaces/{namespace}/pods"
        self._now: dict[str, JobPod] = {}
        self._quiet = self._until = 0.0
        self._read_at = time.monotonic()
        self._workloads: tuple[Workload, ...] = ()
        self.ran: dict[str, float] = {}
        """Uid -> when the pod was first seen running (`time.monotonic`)."""

    @property
    def now(self) -> tuple[JobPod, ...]:
        """The pods that exist, sorted by name."""
        if time.monotonic() > self._until:
            self._read()
        return tuple(self._now[name] for name in sorted(self._now))

    def quiet(self) -> float:
        """Seconds since the last change, as far as readings followed each other at their usual pace: on an overloaded
        machine, those who would change the pods are late, too."""
        return self._quiet

    def note(self, workloads: tuple[Workload, ...]) -> None:
        """Notes the Workloads of the pods: their change is one too."""
        if workloads != self._workloads:
            self._workloads, self._quiet = workloads, 0.0

    def restart_quiet(self) -> None:
        """Sets the time of the last change to now; the pods are read again."""
        self._quiet, self._until, self._read_at = 0.0, 0.0, time.monotonic()

    def _read(self) -> None:
        found = {pod.name: pod for pod in map(_pod, self._client.items(self._path))}
        now, age = time.monotonic(), age_of_reading(len(found))
        changed = found.keys() != self._now.keys() or any(_differ(self._now[name], pod) for name, pod in found.items())
        self._quiet = 0.0 if changed else self._quiet + min(now - self._read_at, _USUAL_AGES * age)
        self._now, self._until, self._read_at = found, now + age, now
        for pod in found.values():
            if pod.running:
                self.ran.setdefault(pod.uid, now)


_AGE_SECONDS, _AGE_SECONDS_A_POD = 0.02, 0.001
"""How old a reading of the pods may be, and the addition for each pod: reading a thousand pods takes time itself."""
_USUAL_AGES = 3
"""The usual time from one reading to the next, at most, in ages of a reading."""


def age_of_reading(pods: int) -> float:
    """How many seconds old a reading of the pods may be."""
    return _AGE_SECONDS + _AGE_SECONDS_A_POD * pods


def _differ(before: JobPod, now: JobPod) -> bool:
    """Whether a pod has changed. In each cycle, Volcano's scheduler may set a different node for a pod of a gang that
    it does not start; this does not count."""
    if before.said and now.said and now.spec.get("schedulerName") != DEFAULT_SCHEDULER:
        return before != replace(now, said=before.said)
    return before != now


def _pod(seen: JsonObject) -> JobPod:
    meta = seen["metadata"]
    labels = meta.get("labels") or {}
    return JobPod(
        name=meta["name"],
        uid=meta["uid"],
        role=_role(labels),
        spec=seen["spec"],
        node=seen["spec"].get("nodeName"),
        running=is_running(seen),
        said=scheduler_message(seen),
        owner=next(iter(meta.get("ownerReferences", ())), {}),
        ending="deletionTimestamp" in meta,
    )


def _role(labels: Mapping[str, str]) -> str:
    found = next((labels[key] for key in _ROLE_LABELS if key in labels), "pod")
    return _ROLES.get(found, found)
