"""A job that is sent to the control plane, and what becomes of its pods."""

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from muster.jobs import pods_of
from muster.jobs.pod import ROLE_LABEL
from muster.jobs.shape import Controller, Role, Shape
from muster.rehearsal.client import ApiError, Json
from muster.rehearsal.control_plane import ControlPlane
from muster.rehearsal.pods import Pod, Pods

_LOOK, _LOOK_A_POD = 0.02, 0.0002
"""Seconds between two looks at the pods: a look at a thousand takes a while itself."""
_QUIET = 1.5
"""Seconds without a change until a pod that waits is taken to wait for ever: the scheduler tries again within one."""
_SILENT = 6.0
"""Seconds without a change until pods that nobody made are taken to be never made."""
_SILENT_AFTER_LOSS = 15.0
"""The same of pods that have failed: the Job controller makes one again after 10 s (`DefaultJobPodFailureBackOff`)."""
_FAILED = frozenset({"Failed", "FailureTarget"})


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why pods were not made, in the words of who would have made them."""

    who: str
    said: str


@dataclass(slots=True)
class SentJob:
    """The job on its way: its controllers make the pods, or we do in their stead."""

    plane: ControlPlane
    shape: Shape
    document: Json
    pods: Pods
    beside: tuple[Json, ...] = ()
    """What goes with it: a runtime that its pods come from."""
    refusal: Refusal | None = None
    began: float = field(default_factory=time.monotonic)
    _made: dict[str, Json] = field(default_factory=dict)
    """The pods that we make in a controller's stead, by name."""
    _silence: float = _SILENT
    _begun: set[str] = field(default_factory=set)
    """The roles whose pods we have made."""

    @property
    def seconds(self) -> float:
        """Since it was sent."""
        return time.monotonic() - self.began

    def send(self) -> None:
        """Sends it; what the API server or a webhook refuses becomes the refusal."""
        self.began = time.monotonic()
        self.pods.stir()
        if self.shape.controller is Controller.STAND_IN:
            self._made = {pod["metadata"]["name"]: pod for pod in pods_of(self.document, self.beside)}
            with self._refused("the API server"):
                self._make()
            return
        with self._refused("the API server"):
            self.plane.client.create(self.document)

    def settle(self, patience: float) -> None:
        """Waits until every pod runs, or those that do not will not.

        Raises:
            RehearsalFault: it goes on changing beyond the patience, or a component died.
        """
        if self.refusal is None:
            look = _LOOK + _LOOK_A_POD * self.shape.pods
            self.plane.wait_until(self._settled, f"{self.shape.name} did not come to rest", patience, look)

    def missing(self) -> Iterator[tuple[Role, int]]:
        """How many pods of each role are not there."""
        there = self._count(lambda _: True)
        for role in self.shape.roles:
            if role.pods > there.get(role.name, 0):
                yield role, role.pods - there.get(role.name, 0)

    def goes_on(self) -> bool:
        """Whether as many pods run as the job needs."""
        return self.shape.goes_on(self._count(lambda pod: pod.running))

    def make_again(self) -> tuple[str, ...]:
        """Has the pods that are gone made again: by their controller, or by us where we stand in for it. The names of
        those that we made."""
        self.refusal, self._silence = None, _SILENT_AFTER_LOSS
        there = {pod.name for pod in self.pods.now}
        gone = tuple(
            name
            for name, pod in self._made.items()
            if name not in there and pod["metadata"]["labels"][ROLE_LABEL] in self._begun
        )
        self.pods.stir()
        self.plane.client.create_all(self._made[name] for name in gone)
        return gone

    def failed(self) -> str:
        """In what words the job has failed; empty while it has not, or nobody would say."""
        if self.shape.controller is Controller.STAND_IN:
            return ""
        with contextlib.suppress(ApiError):
            status = self.plane.client.get(self.plane.client.path(self.document)).get("status") or {}
            for each in status.get("conditions") or ():
                if each["type"] in _FAILED and each["status"] == "True":
                    return f"{each.get('reason', 'Failed')}: {each.get('message', '')}".strip(": ")
        return ""

    def _make(self) -> bool:
        """Makes the pods of every role that may start and was not made yet; whether there was any."""
        running = self._count(lambda pod: pod.running)
        due = {
            role.name
            for role in self.shape.roles
            if role.name not in self._begun and self.shape.may_start(role, running)
        }
        self._begun |= due
        pods = [pod for pod in self._made.values() if pod["metadata"]["labels"][ROLE_LABEL] in due]
        if pods:
            self.pods.stir()
            self.plane.client.create_all(pods)
        return bool(pods)

    @contextlib.contextmanager
    def _refused(self, who: str) -> Iterator[None]:
        try:
            yield
        except ApiError as fault:
            self.refusal = Refusal(who, str(fault))

    def _settled(self) -> bool:
        waiting = [pod for pod in self.pods.now if not pod.running]
        missing = tuple(self.missing())
        if not waiting and not missing:
            return True
        if missing and self.shape.controller is Controller.STAND_IN:
            with self._refused("the API server"):
                if self._make():
                    return False
            if self.refusal:
                return True
        elif missing:
            if self.pods.quiet() < self._silence and not self.failed():
                return False
            self.refusal = self._why_not_made()
            return True
        return self.pods.quiet() > _QUIET and all(pod.said for pod in waiting)

    def _why_not_made(self) -> Refusal:
        """What the controller said of the pods it could not make."""
        if said := self.failed():
            return Refusal(self.shape.runs_by, said)
        namespace, name = self.shape.namespace, self.shape.name
        events = self.plane.client.items(f"/api/v1/namespaces/{namespace}/events")
        for each in reversed(events):
            about = each.get("involvedObject", {})
            if each.get("type") == "Warning" and str(about.get("name", "")).startswith(name):
                return Refusal(self.shape.runs_by, str(each.get("message", "")))
        return Refusal(self.shape.runs_by, "")

    def _count(self, which: Callable[[Pod], bool]) -> Mapping[str, int]:
        found: dict[str, int] = {}
        only = self.shape.roles[0].name if len(self.shape.roles) == 1 else None
        for pod in self.pods.now:
            if which(pod):
                role = only or pod.role
                found[role] = found.get(role, 0) + 1
        return found
