"""Volcano: its workloads, and the described queues. See `volcano.toml`."""

from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from typing import Any

from muster.addons.addon import Json
from muster.addons.context import AddonContext
from muster.addons.sheet import addon, defaults
from muster.addons.values import over_defaults
from muster.addons.workload import Placement, Workload
from muster.config.description.addon_queues import VolcanoQueue
from muster.config.description.addons import VolcanoOptions

_CHART = "volcano"
_NAMESPACE = "volcano-system"
_DEPLOYMENTS = {"admission": "admission", "controller": "controllers", "scheduler": "scheduler"}
"""Name in the values -> end of the Deployment's name."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(defaults(_CHART), given).get("custom") or {}
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


ADDON = addon(_CHART, workloads=_workloads, objects=_queues)
