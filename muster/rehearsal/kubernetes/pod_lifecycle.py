"""The life of simulated pods: KWOK's stages, and what the status of a pod says."""

from collections.abc import Mapping
from typing import Any


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
