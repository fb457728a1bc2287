"""Karpenter: its values, and its placement. See `karpenter.toml`."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from muster.addons.addon import Json, system_taints_tolerated
from muster.addons.context import AddonContext
from muster.addons.sheet import addon, defaults, workloads
from muster.addons.values import over_defaults
from muster.addons.workload import Workload
from muster.blueprint.node import HUGE_PAGES_RESOURCE

_CHART = "karpenter"
_REQUESTED = {"cpu": "1", "memory": "1Gi"}


def _values(context: AddonContext) -> Json:
    needed = {
        "nodeOverlay": any(HUGE_PAGES_RESOURCE in each.offers for each in context.nodes),
        "reservedCapacity": any(each.reserved for each in context.nodes),
    }
    gates = {name: True for name, needs in needed.items() if needs}
    return {
        "settings": {
            "clusterName": context.cluster,
            "interruptionQueue": context.cluster,
            **({"featureGates": gates} if gates else {}),
        },
        "controller": {"resources": {"requests": _REQUESTED, "limits": _REQUESTED}},
        # Each of its pods needs another node.
        **({"replicas": 1} if sum(each.most for each in context.system) == 1 else {}),
        **system_taints_tolerated(context),
    }


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(defaults(_CHART), given)
    labels = {
        "app.kubernetes.io/instance": _CHART,
        "app.kubernetes.io/name": values.get("nameOverride") or _CHART,
    }
    (made,) = workloads(_CHART, {"replicas": 0, **values, "affinity": _patched(values.get("affinity"), labels)})
    return (replace(made, labels=labels),)


def _patched(affinity: Any, labels: Mapping[str, str]) -> Any:
    """The affinity with the selector that the chart adds to each term about pods that has none."""
    if not isinstance(affinity, dict):
        return affinity
    return {kind: _with_selector(each, labels) if kind.startswith("pod") else each for kind, each in affinity.items()}


def _with_selector(rules: Any, labels: Mapping[str, str]) -> Any:
    required = "requiredDuringSchedulingIgnoredDuringExecution"
    if not isinstance(rules, dict) or not isinstance(rules.get(required), list):
        return rules
    selector = {"labelSelector": {"matchLabels": dict(labels)}}
    return {**rules, required: [{**selector, **each} for each in rules[required]]}


ADDON = addon("karpenter", values=_values, workloads=_workloads)
