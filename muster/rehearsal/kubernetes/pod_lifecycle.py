"""Pods start and run: those of DaemonSets are updated here, all others by KWOK's stages."""

import contextlib
import queue
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from muster.rehearsal.kubernetes.background_threads import BackgroundThreads
from muster.rehearsal.kubernetes.client import WORKERS, Client, Conflict, Event, JsonObject, NotFound

LABEL = "pod-template-generation"
"""The label of the pods that the DaemonSet controller creates, and only of these. KWOK ignores such pods."""

_READY = ("PodReadyToStartContainers", "Initialized", "ContainersReady", "Ready")


class DaemonPods:
    """Starts and ends the pods of DaemonSets, for the duration of a `with` block."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._work: queue.SimpleQueue[str] = queue.SimpleQueue()
        """The uids of pods that must start or end. A uid is there once for each event of its pod."""
        self._due: dict[str, JsonObject] = {}
        """Uid -> the pod in its last reported state."""
        self._threads = BackgroundThreads("the rehearsal cannot run pods of DaemonSets any longer")

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
        """Checks whether it still works.

        Raises:
            RehearsalError: it does not.
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

    def _step(self, pod: JsonObject) -> None:
        meta = pod["metadata"]
        path = f"/api/v1/namespaces/{meta['namespace']}/pods/{meta['name']}"
        # It may have changed meanwhile: then the watch reports it again.
        with contextlib.suppress(Conflict, NotFound):
            if "deletionTimestamp" in meta:
                self._client.delete(path, gracePeriodSeconds=0, preconditions={"uid": meta["uid"]})
            else:
                self._client.replace(f"{path}/status", running(pod, datetime.now(UTC)))


def running(pod: JsonObject, now: datetime) -> JsonObject:
    """The pod as its kubelet would report it right after the start.

    Its spec and the record of which client set which field (`managedFields`) are left out: the server ignores both in
    the status, and they would be most of the request.
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


def _container(container: JsonObject, state: JsonObject) -> JsonObject:
    return {
        "name": container["name"],
        "image": container["image"],
        "imageID": "",
        "ready": True,
        "restartCount": 0,
        **state,
    }


def _started(time: str) -> JsonObject:
    return {"started": True, "state": {"running": {"startedAt": time}}}


def _ended(time: str) -> JsonObject:
    ended = {"exitCode": 0, "reason": "Completed", "startedAt": time, "finishedAt": time}
    return {"state": {"terminated": ended}}


def is_running(pod: Mapping[str, Any]) -> bool:
    """Whether a pod runs, is ready, and is not being deleted."""
    if pod["metadata"].get("deletionTimestamp") or pod.get("status", {}).get("phase") != "Running":
        return False
    conditions = pod["status"].get("conditions", ())
    return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)


def scheduler_message(pod: Mapping[str, Any]) -> str:
    """The scheduler's message on why a pod has no node; empty while there is none."""
    for each in pod.get("status", {}).get("conditions", ()):
        if each["type"] == "PodScheduled" and each["status"] == "False":
            return str(each.get("message", ""))
    return ""


STAGES = """\
apiVersion: config.kwok.x-k8s.io/v1alpha1
kind: KwokConfiguration
metadata: {name: rehearsal}
# No number has a default: a missing number is 0.
options:
  podPlayStageParallelism: 16
  podsOnNodeSyncParallelism: 2
  nodePlayStageParallelism: 1
---
# Matches no node. KWOK manages the pods of a node only if it manages nodes, and manages nodes only if they have a
# stage. The selector is a label, because KWOK then reads nothing else when a node changes.
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: node-stays}
spec:
  resourceRef: {apiGroup: v1, kind: Node}
  selector:
    matchLabels: {muster/stage: none}
  next: {}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-runs}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: .metadata.deletionTimestamp, operator: DoesNotExist}
    - {key: .status.phase, operator: In, values: [Pending]}
  next:
    statusTemplate: |
      {{ $now := Now }}
      {{ $ended := printf "exitCode: 0, reason: Completed, startedAt: %q, finishedAt: %q" $now $now }}
      phase: Running
      startTime: {{ $now | Quote }}
      conditions:
      {{ range $type := list "PodReadyToStartContainers" "Initialized" "ContainersReady" "Ready" }}
      - {type: {{ $type }}, status: "True", lastTransitionTime: {{ $now | Quote }}}
      {{ end }}
      {{ range .spec.readinessGates }}
      - {type: {{ .conditionType | Quote }}, status: "True", lastTransitionTime: {{ $now | Quote }}}
      {{ end }}
      containerStatuses:
      {{ range .spec.containers }}
      - name: {{ .name | Quote }}
        image: {{ .image | Quote }}
        ready: true
        started: true
        restartCount: 0
        state: {running: {startedAt: {{ $now | Quote }}}}
      {{ end }}
      {{ with .spec.initContainers }}
      initContainerStatuses:
      {{ range . }}
      - name: {{ .name | Quote }}
        image: {{ .image | Quote }}
        ready: true
        restartCount: 0
        {{ if eq .restartPolicy "Always" }}
        started: true
        state: {running: {startedAt: {{ $now | Quote }}}}
        {{ else }}
        state: {terminated: { {{ $ended }} }}
        {{ end }}
      {{ end }}
      {{ end }}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: Stage
metadata: {name: pod-goes}
spec:
  resourceRef: {apiGroup: v1, kind: Pod}
  selector:
    matchExpressions:
    - {key: .metadata.deletionTimestamp, operator: Exists}
  next:
    delete: true
"""
