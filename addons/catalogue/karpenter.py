"""Karpenter: creates nodes for pods that wait, in groups with `provisioned-by: karpenter`.

Chart 1.14.1, aws/karpenter-provider-aws `charts/karpenter` at v1.14.1 (1d927085). Its CRDs are in `crds/`: Helm
installs them once, and neither upgrades nor deletes them. The role and the queue of its controller are in
`muster.infra.karpenter`, because they belong to the cluster's nodes.

- The chart keeps its pods off the nodes that Karpenter creates, and at most one of them on a node.
- It requests nothing by itself; the page "Getting started" gives it 1 CPU and 1 GiB.
- NodeOverlay is an alpha feature. Without it Karpenter creates no node for pods that request huge pages.

`_workloads` compared with that chart rendered by Helm 3.19 (`tests/addons/test_real_charts.py`).
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, Chart, Json, system_taints_tolerated
from muster.addons.context import AddonContext
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


def _mirrored(registry: str) -> Json:
    return {"controller": {"image": {"repository": f"{registry}/karpenter/controller"}}}


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


ADDON = Addon(
    name="karpenter",
    namespace=NAMESPACE,
    source=Chart("oci://public.ecr.aws/karpenter", _CHART, _values, _mirrored),
    reason="it creates nodes for pods that wait",
    workloads=_workloads,
    needs={"eks-pod-identity-agent": "its controller gets its AWS role from it"},
)
