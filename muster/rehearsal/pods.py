"""The job's pods on the control plane, followed as they change."""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from muster.jobs.asks import asks
from muster.rehearsal.client import Client, Event, Json
from muster.rehearsal.pod_life import runs, unscheduled
from muster.rehearsal.threads import Threads

_ROLE_LABELS = ("muster/role", "training.kubeflow.org/replica-type")


@dataclass(frozen=True, slots=True)
class Pod:
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
        return asks(self.spec)


class Pods:
    """The pods of a namespace, for as long as a `with` block."""

    def __init__(self, client: Client, namespace: str) -> None:
        self._client, self._namespace = client, namespace
        self._path = f"/api/v1/namespaces/{namespace}/pods"
        self._now: dict[str, Pod] = {}
        self._ran: dict[str, float] = {}
        self._news = threading.Condition()
        self._changed = time.monotonic()
        self._threads = Threads("the job's pods can no longer be followed")

    def __enter__(self) -> Self:
        self._threads.start(self._follow)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.end()

    @property
    def now(self) -> tuple[Pod, ...]:
        """Those that are there, by name.

        Raises:
            RehearsalFault: they can no longer be followed.
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

    def stir(self) -> None:
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


def _pod(seen: Json) -> Pod:
    meta = seen["metadata"]
    labels = meta.get("labels") or {}
    return Pod(
        name=meta["name"],
        uid=meta["uid"],
        role=next((labels[key] for key in _ROLE_LABELS if key in labels), "pod"),
        spec=seen["spec"],
        node=seen["spec"].get("nodeName"),
        running=runs(seen),
        said=unscheduled(seen),
        owner=next((_named(each) for each in meta.get("ownerReferences", ())), ("", "", "")),
        ending="deletionTimestamp" in meta,
    )


def _named(owner: Json) -> tuple[str, str, str]:
    return owner["kind"], owner["name"], owner["uid"]
