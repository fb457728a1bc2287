"""A job on the control plane, and its pods, followed as they change."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from muster.jobs.catalogue import pods_of
from muster.jobs.pod_requests import pod_requests
from muster.jobs.pod_roles import DEFAULT_SCHEDULER, ROLE_LABEL, Controller, JobRoles, Role
from muster.rehearsal.kubernetes import claim_stand_ins
from muster.rehearsal.kubernetes.background_threads import BackgroundThreads
from muster.rehearsal.kubernetes.claim_stand_ins import bind_claims
from muster.rehearsal.kubernetes.client import ApiError, Client, Event, JsonObject, NotFound
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.pod_lifecycle import is_running, scheduler_message
from muster.rehearsal.outcome import Cause, StandIn

_ROLE_LABELS = ("muster/role", "training.kubeflow.org/replica-type")


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
    """The scheduler's words on why it waits; empty while it has said nothing."""
    owner: tuple[str, str, str] = ("", "", "")
    """Kind, name and uid of what made it."""
    ending: bool = False
    """Somebody has deleted it, and it is still there."""

    @property
    def asks(self) -> dict[str, int]:
        """What it asks of its node."""
        return pod_requests(self.spec)


class PodWatch:
    """The pods of a namespace, for as long as a `with` block."""

    def __init__(self, client: Client, namespace: str) -> None:
        self._client, self._namespace = client, namespace
        self._path = f"/api/v1/namespaces/{namespace}/pods"
        self._now: dict[str, JobPod] = {}
        self._ran: dict[str, float] = {}
        self._news = threading.Condition()
        self._changed = time.monotonic()
        self._threads = BackgroundThreads("the job's pods can no longer be followed")

    def __enter__(self) -> Self:
        self._threads.start(self._follow)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.end()

    @property
    def now(self) -> tuple[JobPod, ...]:
        """Those that are there, by name.

        Raises:
            RehearsalError: they can no longer be followed.
        """
        self._threads.check()
        with self._news:
            return tuple(self._now[name] for name in sorted(self._now))

    @property
    def ran(self) -> Mapping[str, float]:
        """When pods began to run, by uid."""
        with self._news:
            return dict(self._ran)

    def quiet(self) -> float:
        """Seconds since anything changed."""
        with self._news:
            return time.monotonic() - self._changed

    def restart_quiet(self) -> None:
        """Says that something was just changed: quiet begins anew."""
        with self._news:
            self._changed = time.monotonic()

    def _follow(self) -> None:
        for event in self._client.follow(self._path):
            if self._threads.over:
                return
            with self._news:
                self._take(event)

    def _take(self, event: Event) -> None:
        if event.type == "SYNCED":
            new = {each["metadata"]["name"]: _pod(each) for each in event.object["items"]}
            changed = new != self._now
            self._now = new
        else:
            name = event.object["metadata"]["name"]
            seen = None if event.type == "DELETED" else _pod(event.object)
            changed = self._now.get(name) != seen
            if seen:
                self._now[name] = seen
            else:
                self._now.pop(name, None)
        if changed:
            self._changed = time.monotonic()
            for pod in self._now.values() if event.type == "SYNCED" else filter(None, (seen,)):
                if pod.running:
                    self._ran.setdefault(pod.uid, self._changed)


def _pod(seen: JsonObject) -> JobPod:
    meta = seen["metadata"]
    labels = meta.get("labels") or {}
    return JobPod(
        name=meta["name"],
        uid=meta["uid"],
        role=next((labels[key] for key in _ROLE_LABELS if key in labels), "pod"),
        spec=seen["spec"],
        node=seen["spec"].get("nodeName"),
        running=is_running(seen),
        said=scheduler_message(seen),
        owner=next((_named(each) for each in meta.get("ownerReferences", ())), ("", "", "")),
        ending="deletionTimestamp" in meta,
    )


def _named(owner: JsonObject) -> tuple[str, str, str]:
    return owner["kind"], owner["name"], owner["uid"]


_POLL_SECONDS, _POLL_SECONDS_A_POD = 0.02, 0.0002
"""Seconds between two looks at the pods: a look at a thousand takes a while itself."""
_QUIET = 1.5
"""Seconds without a change until a pod that waits is taken to wait for ever: the scheduler tries again within one."""
_SILENT = 6.0
"""Seconds without a change until pods that nobody made are taken to be never made."""
_JOB_BACKOFF = 10.0
"""Seconds until the Job controller makes a failed pod again, twice as many for each further one
(`DefaultJobPodFailureBackOff`)."""
_MOST_DOUBLED = 3
_NO_NODES = "no nodes available to schedule pods"
"""The scheduler's words where there is none (`ErrNoNodesAvailable`)."""
_FAILED = frozenset({"Failed", "FailureTarget"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why pods were not made, in the words of who would have made them."""

    who: str
    said: str


@dataclass(slots=True)
class JobRun:
    """The job on its way: its controllers make the pods, or we do in their stead."""

    plane: ControlPlane
    shape: JobRoles
    document: JsonObject
    pods: PodWatch
    beside: tuple[JsonObject, ...] = ()
    """What goes with it: a runtime that its pods come from."""
    unclaimed: Cause | None = None
    """Why those of its pods wait that name claims of devices which are not there."""
    refusal: Refusal | None = None
    stand_ins: list[StandIn] = field(default_factory=list)
    """Volumes that were made for its claims."""
    began: float = field(default_factory=time.monotonic)
    opened: bool = False
    """Whether its pods no longer wait for claims of devices that are not there."""
    resumed: int = 0
    """How often HyperPod's auto-resume was played on it."""
    _path: str = ""
    """Where it is on the control plane; empty where it is not, or its pods alone are."""
    _uid: str = ""
    _made: dict[str, JsonObject] = field(default_factory=dict)
    """The pods that we make in a controller's stead, by name."""
    _silence: float = _SILENT
    _begun: set[str] = field(default_factory=set)
    """The roles whose pods we have made."""

    @property
    def seconds(self) -> float:
        """Since it was sent."""
        return time.monotonic() - self.began

    @property
    def now(self) -> tuple[JobPod, ...]:
        """Its pods, by name."""
        return tuple(pod for pod in self.pods.now if self._mine(pod))

    def send(self) -> None:
        """Sends it, as kubectl does: with a field that nobody knows it is refused. What the API server or a webhook
        refuses becomes the refusal."""
        self.began = time.monotonic()
        self.pods.restart_quiet()
        if self.shape.controller is Controller.STAND_IN:
            self._made = {pod["metadata"]["name"]: pod for pod in pods_of(self.document, self.beside)}
            with self._refused():
                self._make()
            return
        with self._refused():
            sent = self.plane.client.create(self.document, strict=True)
            self._uid = sent["metadata"]["uid"]
            self._path = self.plane.client.path(sent)

    def settle(self, timeout: float) -> None:
        """Waits until every pod runs, or those that do not will not.

        Raises:
            RehearsalError: it goes on changing beyond the timeout, or a component died.
        """
        if self.refusal and not self._uid and not self._begun:
            return  # it was not even taken
        self.refusal = None
        look = _POLL_SECONDS + _POLL_SECONDS_A_POD * self.shape.pods
        self.plane.wait_until(self._settled, f"{self.shape.name} did not come to rest", timeout, look)

    def role_of(self, pod: JobPod) -> str:
        """The name of its role: built-in controllers do not write it on their pods, nor do they have several."""
        return self.shape.roles[0].name if len(self.shape.roles) == 1 else pod.role

    def missing(self) -> Iterator[tuple[Role, int]]:
        """How many pods of each role are not there."""
        there = self._count(lambda pod: not pod.ending)
        for role in self.shape.roles:
            if role.pods > there.get(role.name, 0):
                yield role, role.pods - there.get(role.name, 0)

    def running(self) -> int:
        """How many of its pods run."""
        return sum(pod.running for pod in self.now)

    def goes_on(self) -> bool:
        """Whether as many pods run as the job needs."""
        return self.shape.goes_on(self._count(lambda pod: pod.running))

    def recreate_pods(self, lost: int) -> tuple[str, ...]:
        """Has the pods that are gone made again: by their controller, or by us where we stand in for it. The names of
        those that we made.

        Args:
            lost: how many are gone, each of which makes Kubernetes' Job controller wait longer.
        """
        if self.shape.kind == "Job":
            self._silence = _SILENT + _JOB_BACKOFF * 2 ** min(max(lost - 1, 0), _MOST_DOUBLED)
        there = {pod.name for pod in self.now}
        gone = tuple(
            name
            for name, pod in self._made.items()
            if name not in there and pod["metadata"]["labels"][ROLE_LABEL] in self._begun
        )
        self.pods.restart_quiet()
        self.plane.client.create_all(self._made[name] for name in gone)
        return gone

    def delete_pods(self) -> None:
        """Ends all its pods at once, as HyperPod's auto-resume does before its operator makes them again.

        Raises:
            RehearsalError: they do not go.
        """
        ended = {pod.uid: pod.name for pod in self.now}
        path = f"/api/v1/namespaces/{self.shape.namespace}/pods"
        self.resumed += 1
        self.pods.restart_quiet()
        self.plane.client.each(
            lambda uid: self.plane.client.delete(
                f"{path}/{ended[uid]}", gracePeriodSeconds=0, preconditions={"uid": uid}
            ),
            ended,
        )
        self.plane.wait_until(
            lambda: ended.keys().isdisjoint(pod.uid for pod in self.now), f"pods of {self.shape.name} did not end"
        )

    def failed(self) -> str:
        """In what words the job has failed; empty while it has not, or nobody would say."""
        if not self._path:
            return ""
        with contextlib.suppress(ApiError):
            status = self.plane.client.get(self._path).get("status") or {}
            for each in status.get("conditions") or ():
                if each["type"] in _FAILED and each["status"] == "True":
                    return f"{each.get('reason', 'Failed')}: {each.get('message', '')}".strip(": ")
        return ""

    # What becomes of it.

    def _make(self) -> bool:
        """Makes the pods of every role that may start and was not made yet; whether there was any."""
        running = self._count(lambda pod: pod.running)
        due = {
            role.name
            for role in self.shape.roles
            if role.name not in self._begun and self.shape.may_start(role, running)
        }
        pods = [pod for pod in self._made.values() if pod["metadata"]["labels"][ROLE_LABEL] in due]
        if pods:
            self.pods.restart_quiet()
            self.plane.client.create_all(pods, strict=True)
        self._begun |= due
        return bool(pods)

    @contextlib.contextmanager
    def _refused(self) -> Iterator[None]:
        try:
            yield
        except ApiError as fault:
            self.refusal = Refusal("the API server", str(fault))

    def _settled(self) -> bool:
        pods = self.now
        if any(pod.ending for pod in pods):
            return False
        waiting, missing = [pod for pod in pods if not pod.running], any(True for _ in self.missing())
        if self.opened and self._open([pod for pod in waiting if claim_stand_ins.is_gated(pod.spec)]):
            return False
        if any("PersistentVolumeClaim" in pod.said for pod in waiting) and self._bound():
            return False
        if missing and self.shape.controller is not Controller.STAND_IN:
            return self._not_made(waiting)
        if missing:
            with self._refused():
                if self._make():
                    return False
        at_rest = self.pods.quiet() > _QUIET and self._decided(waiting)
        return bool(self.refusal) or at_rest or not (waiting or missing)

    def _decided(self, waiting: list[JobPod]) -> bool:
        """Whether somebody has said of each that it waits, or nobody ever will."""
        return all(self._said(pod) or self._nobodys(pod) for pod in waiting)

    def _said(self, pod: JobPod) -> bool:
        """Whether the scheduler has spoken of it since there are nodes: of a pod that found none at all it takes its
        time to speak again."""
        return bool(pod.said) and not (pod.said == _NO_NODES and self.plane.client.items("/api/v1/nodes"))

    def _nobodys(self, pod: JobPod) -> bool:
        """Whether no scheduler of ours looks at it: it asks for another one, or names a node that is not there."""
        if pod.spec.get("schedulerName", DEFAULT_SCHEDULER) != DEFAULT_SCHEDULER:
            return True
        if pod.node is None:
            return False
        try:
            self.plane.client.get(f"/api/v1/nodes/{pod.node}")
        except NotFound:
            return True
        return False

    def _open(self, gated: Iterable[JobPod]) -> bool:
        """Takes the gate off pods that wait for claims of devices; whether there were any."""
        pods = tuple(gated)
        for pod in pods:
            left = [each for each in pod.spec["schedulingGates"] if each["name"] != claim_stand_ins.GATE]
            path = f"/api/v1/namespaces/{self.shape.namespace}/pods/{pod.name}"
            self.plane.client.patch(path, {"spec": {"schedulingGates": left or None}})
        if pods:
            self.pods.restart_quiet()
        return bool(pods)

    def _bound(self) -> bool:
        """Binds claims that came with its pods; whether there were any."""
        new = bind_claims(self.plane, self.shape.namespace)
        if new:
            self.stand_ins += new
            self.pods.restart_quiet()
        return bool(new)

    def _not_made(self, waiting: list[JobPod]) -> bool:
        """Its controller makes fewer pods than it should: for ever, or only after those that wait (a StatefulSet)."""
        if self.pods.quiet() < self._silence and not self.failed():
            return False
        why = self._why_not_made()
        self.refusal = None if waiting and not why.said else why
        return self._decided(waiting)

    def _why_not_made(self) -> Refusal:
        """What the controller said of the pods it could not make."""
        if said := self.failed():
            return Refusal(self.shape.runs_by, said)
        path = f"/api/v1/namespaces/{self.shape.namespace}/events"
        warnings = self.plane.client.items(path, fieldSelector="type=Warning")
        made = (each for each in warnings if "Create" in each.get("reason", ""))
        about = [each for each in made if self._concerns(each["involvedObject"])]
        newest = max(about, key=lambda each: str(each.get("lastTimestamp") or ""), default=None)
        return Refusal(self.shape.runs_by, str(newest["message"]) if newest else "")

    def _concerns(self, thing: JsonObject) -> bool:
        """Whether an event's object is the job, or the ReplicaSet of a Deployment."""
        return thing.get("uid") == self._uid or (thing.get("kind"), self._of_deployment(thing)) == ("ReplicaSet", True)

    def _of_deployment(self, thing: JsonObject) -> bool:
        return self.shape.kind == "Deployment" and str(thing.get("name", "")).rpartition("-")[0] == self.shape.name

    def _mine(self, pod: JobPod) -> bool:
        if self.shape.controller is Controller.STAND_IN:
            return pod.name in self._made
        if self.shape.kind == "Pod":
            return pod.uid == self._uid
        kind, name, uid = pod.owner
        return uid == self._uid or (kind == "ReplicaSet" and self._of_deployment({"name": name}))

    def _count(self, which: Callable[[JobPod], bool]) -> Mapping[str, int]:
        found: dict[str, int] = {}
        for pod in self.now:
            if which(pod):
                role = self.role_of(pod)
                found[role] = found.get(role, 0) + 1
        return found
