"""The pods of DaemonSets live here; all others live in KWOK (`pod_life`). The lives are the same.

Every DaemonSet has a pod on every node: with ten add-ons they are ten of eleven pods. KWOK takes 3 to 5 ms of processor
time for each, this loop less than one: it needs no expressions, no templates and no second look. And whenever a busy
API server hangs up on KWOK, KWOK has every pod sent to it anew.
"""

import contextlib
import queue
from datetime import UTC, datetime
from types import TracebackType
from typing import Self

from muster.rehearsal.client import WORKERS, Client, Conflict, Event, Json, NotFound
from muster.rehearsal.threads import Threads

LABEL = "pod-template-generation"
"""On every pod that the DaemonSet controller makes, and on no other. KWOK leaves such pods alone."""

_READY = ("PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready")


class DaemonPods:
    """The loop, for as long as a `with` block."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._work: queue.SimpleQueue[str] = queue.SimpleQueue()
        """The uids of pods that are to start or to end, as often as anything was heard of them."""
        self._due: dict[str, Json] = {}
        """Those pods, as they were heard of last."""
        self._threads = Threads("pods of DaemonSets no longer run")

    def __enter__(self) -> Self:
        self._threads.start(self._follow, *(self._live for _ in range(WORKERS)))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.end()
        for _ in range(WORKERS):
            self._work.put("")

    def check(self) -> None:
        """Sees whether it still works.

        Raises:
            RehearsalFault: it does not.
        """
        self._threads.check()

    def _follow(self) -> None:
        for event in self._client.follow("/api/v1/pods", labelSelector=LABEL, fieldSelector="spec.nodeName!="):
            if self._threads.over:
                return
            self._take(event)

    def _take(self, event: Event) -> None:
        for pod in event.object["items"] if event.type == "SYNCED" else (event.object,):
            uid, ends = pod["metadata"]["uid"], "deletionTimestamp" in pod["metadata"]
            if event.type != "DELETED" and (ends or pod["status"].get("phase") == "Pending"):
                self._due[uid] = pod
                self._work.put(uid)
            else:
                self._due.pop(uid, None)

    def _live(self) -> None:
        while (uid := self._work.get()) and not self._threads.over:
            if (pod := self._due.pop(uid, None)) is not None:
                self._step(pod)

    def _step(self, pod: Json) -> None:
        meta = pod["metadata"]
        path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}"
        # It may have changed meanwhile: then the watch tells, and it comes again.
        with contextlib.suppress(Conflict, NotFound):
            if "deletionTimestamp" in meta:
                self._client.delete(path, gracePeriodSeconds=0, preconditions={"uid": meta["uid"]})
            else:
                self._client.replace(f"{path}/status", running(pod, datetime.now(UTC)))


def running(pod: Json, now: datetime) -> Json:
    """The pod as its kubelet would tell it right after it started.

    Without its spec and the record of who set which field (`managedFields`): the server takes neither through the
    status, and they are most of what would be sent.
    """
    time, spec = now.strftime("%Y-%m-%dT%H:%M:%SZ"), pod["spec"]
    kept = [each for each in pod["status"].get("conditions", ()) if each["type"] not in _READY]
    gates = [each["conditionType"] for each in spec.get("readinessGates", ())]
    status = {
        **pod["status"],
        "phase": "Running",
        "startTime": time,
        "conditions": [
            *kept,
            *({"type": each, "status": "True", "lastTransitionTime": time} for each in (*_READY, *gates)),
        ],
        "containerStatuses": [_container(each, _started(time)) for each in spec["containers"]],
    }
    if "initContainers" in spec:
        status["initContainerStatuses"] = [
            _container(each, _started(time) if each.get("restartPolicy") == "Always" else _ended(time))
            for each in spec["initContainers"]
        ]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {key: value for key, value in pod["metadata"].items() if key != "managedFields"},
        "status": status,
    }


def _container(container: Json, state: Json) -> Json:
    return {
        "name": container["name"],
        "image": container["image"],
        "imageID": "",
        "ready": True,
        "restartCount": 0,
        **state,
    }


def _started(time: str) -> Json:
    return {"started": True, "state": {"running": {"startedAt": time}}}


def _ended(time: str) -> Json:
    ended = {"exitCode": 0, "reason": "Completed", "startedAt": time, "finishedAt": time}
    return {"state": {"terminated": ended}}
