"""Karpenter: its values, and its placement. See `karpenter.toml`."""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Json, system_taints_tolerated
from muster.addons.context import AddonContext
from muster.addons.sheet import addon
from muster.addons.values import over_defaults
from muster.addons.workload import LINUX, Placement, Workload, full_name
from muster.blueprint.karpenter import NAMESPACE, NODE_POOL_LABEL
from muster.blueprint.node import HUGE_PAGES_RESOURCE

_CHART = "karpenter"
_CRITICAL = {"key": "CriticalAddonsOnly", "operator": "Exists"}
_REQUESTED = {"cpu": "1", "memory": "1Gi"}


def _values(context: AddonContext) -> Json:
    pages = any(HUGE_PAGES_RESOURCE in each.offers for each in context.nodes)
    return {
        "settings": {
            "clusterName": context.cluster,
            "interruptionQueue": context.cluster,
            **({"featureGates": {"nodeOverlay": True}} if pages else {}),
        },
        "controller": {"resources": {"requests": _REQUESTED, "limits": _REQUESTED}},
        # Each of its pods needs another node.
        **({"replicas": 1} if sum(each.most for each in context.system) == 1 else {}),
        **system_taints_tolerated(context),
    }


_NOT_ITS_OWN = {"matchExpressions": [{"key": NODE_POOL_LABEL, "operator": "DoesNotExist"}]}
_DEFAULTS: Json = {
    "replicas": 2,
    "priorityClassName": "system-cluster-critical",
    "nodeSelector": LINUX,
    "affinity": {
        "nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [_NOT_ITS_OWN]}},
        "podAntiAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "kubernetes.io/hostname"}]
        },
    },
    "tolerations": [_CRITICAL],
    "controller": {"resources": {}},
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    labels = {
        "app.kubernetes.io/instance": _CHART,
        "app.kubernetes.io/name": values.get("nameOverride") or _CHART,
    }
    placement = Placement.of({**values, "affinity": _patched(values.get("affinity"), labels)}, _priority(values))
    resources = (values.get("controller") or {}).get("resources") or {}
    replicas = values.get("replicas") or 0
    return (
        Workload(
            "Deployment", full_name(_CHART, values), NAMESPACE, placement, resources, replicas=replicas, labels=labels
        ),
    )


def _priority(values: Mapping[str, Any]) -> str | None:
    return values.get("priorityClassName") or None


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
