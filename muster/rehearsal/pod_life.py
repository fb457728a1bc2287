"""What KWOK does with pods: a bound pod starts at once and runs until it is deleted.

Those of DaemonSets live elsewhere (`daemon_pods`).

After KWOK's own fast stages (sigs.k8s.io/kwok, `kustomize/stage/pod/fast`), without the one that lets a Job's pod
succeed as soon as it runs: whether a job's pods run together is what a rehearsal is to find out.
"""

from collections.abc import Mapping
from typing import Any


def runs(pod: Mapping[str, Any]) -> bool:
    """Whether a pod runs and is ready, and nobody ends it."""
    if pod["metadata"].get("deletionTimestamp") or pod.get("status", {}).get("phase") != "Running":
        return False
    conditions = pod["status"].get("conditions", ())
    return any(each["type"] == "Ready" and each["status"] == "True" for each in conditions)


def unscheduled(pod: Mapping[str, Any]) -> str:
    """The scheduler's words on why a pod is nowhere; empty while it has said nothing."""
    for each in pod.get("status", {}).get("conditions", ()):
        if each["type"] == "PodScheduled" and each["status"] == "False":
            return str(each.get("message", ""))
    return ""


STAGES = """\
apiVersion: config.kwok.x-k8s.io/v1alpha1
kind: KwokConfiguration
metadata: {name: rehearsal}
# No number has a default here: what is left out is none.
options:
  podPlayStageParallelism: 16
  podsOnNodeSyncParallelism: 2
  nodePlayStageParallelism: 1
---
# For no node: KWOK minds the pods of nodes, and minds nodes only where there is a stage for them. By a label, because
# that is all it then looks at when a node changes.
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
