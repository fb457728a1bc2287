"""Volcano: a gang scheduler with its own jobs and queues; the only one that TorchX supports on Kubernetes.

Chart 1.15.0, volcano-sh/volcano `installer/helm/chart/volcano` at v1.15.0 (8fc394c). The tag v1.15.1 also has a chart,
which differs only in its image tag; the chart repository's index ends with 1.15.0 (volcano-sh/helm-charts
be34e95).

- The release is called `volcano`: the names of objects contain it, those of the webhooks do not.
- A Helm hook, a Job before the installation, makes the certificate that the admission Deployment mounts. It needs a
  node, so `default_tolerations` is set, which also applies to it. Webhooks fail closed until the Deployment runs.
- Its CRDs are in templates: uninstalling deletes them, and every Queue and Job.

`_workloads` compared with that chart rendered by Helm 3.19 (`tests/addons/test_real_charts.py`): the three Deployments'
name, namespace, replicas, priority class, node selector, affinity, tolerations and requests; for the chart's defaults,
our values, and values that replace, extend and delete each of them. The agent and the agent's scheduler, off by
default, are no workloads here when a user turns them on.
"""

from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from typing import Any

from muster.addons.addon import Addon, Chart, Json
from muster.addons.context import AddonContext, system_tolerations
from muster.addons.values import over_defaults
from muster.addons.workload import JobKind, Placement, Workload
from muster.config.description.addon_queues import VolcanoQueue
from muster.config.description.addons import VolcanoOptions

_CHART = "volcano"
_NAMESPACE = "volcano-system"
_DEPLOYMENTS = {"admission": "admission", "controller": "controllers", "scheduler": "scheduler"}
"""Name in the values -> end of the Deployment's name."""

_DEFAULTS: dict[str, Any] = {
    "custom": {f"{each}_enable": True for each in _DEPLOYMENTS} | {f"{each}_replicas": 1 for each in _DEPLOYMENTS}
}
"""The chart's own, as far as they decide where its pods run."""


def _values(context: AddonContext) -> Json:
    return {"custom": {"default_tolerations": system_tolerations(context)}}


def _mirrored(registry: str) -> Json:
    return {"basic": {"image_registry": registry}}


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given).get("custom") or {}
    return tuple(_deployment(each, values) for each in _DEPLOYMENTS if values.get(f"{each}_enable"))


def _deployment(name: str, values: Mapping[str, Any]) -> Workload:
    def own(what: str) -> Any:
        return values.get(f"{name}_{what}") or values.get(f"default_{what}")

    return Workload(
        "Deployment",
        f"{_CHART}-{_DEPLOYMENTS[name]}",
        _NAMESPACE,
        Placement(own("tolerations") or [], own("affinity") or {}, own("ns") or {}, "system-cluster-critical"),
        values.get(f"{name}_resources") or {},
        replicas=values.get(f"{name}_replicas", 1),
    )


def _queues(context: AddonContext) -> tuple[Json, ...]:
    """The described queues, each after its parent, which Volcano's webhook looks up."""
    options = context.chosen[_CHART]
    if not isinstance(options, VolcanoOptions):
        return ()
    every = options.queues
    parents = {name: [queue.parent] if queue.parent in every else [] for name, queue in every.items()}
    return tuple(_queue(name, every[name]) for name in TopologicalSorter(parents).static_order())


def _queue(name: str, queue: VolcanoQueue) -> Json:
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": name},
        "spec": dict(_spec(queue)),
    }


def _spec(queue: VolcanoQueue) -> Iterator[tuple[str, Any]]:
    yield "weight", queue.weight
    yield "reclaimable", queue.reclaimable
    if queue.capability:
        yield "capability", dict(queue.capability)
    if queue.parent:
        yield "parent", queue.parent


ADDON = Addon(
    name=_CHART,
    namespace=_NAMESPACE,
    source=Chart("https://volcano-sh.github.io/helm-charts", _CHART, _values, _mirrored),
    reason="it starts all pods of a job together; TorchX supports no other scheduler",
    workloads=_workloads,
    loses="every Queue, PodGroup and Job of Volcano",
    runs=(JobKind("batch.volcano.sh/v1alpha1", "Job"),),
    objects=_queues,
)
