"""Volcano: the described queues. See `volcano.toml`."""

from collections.abc import Iterator
from graphlib import TopologicalSorter
from typing import Any

from muster.addons.addon import Json
from muster.addons.context import AddonContext
from muster.addons.sheet import addon
from muster.config.description.addon_queues import VolcanoQueue
from muster.config.description.addons import VolcanoOptions

_CHART = "volcano"


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


ADDON = addon(_CHART, objects=_queues)
