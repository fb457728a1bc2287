"""The EFA device plugin: its values, and its placement. See `efa_device_plugin.toml`."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.addons.context import AddonContext, group_names, tolerations
from muster.addons.sheet import addon
from muster.addons.values import at, over_defaults
from muster.addons.workload import Placement, Workload, full_name
from muster.blueprint.labels import GROUP, INSTANCE_TYPE
from muster.blueprint.node import EFA_RESOURCE

_CHART = "aws-efa-k8s-device-plugin"
_NAMESPACE = "kube-system"


def _values(context: AddonContext) -> dict[str, Any]:
    nodes = context.offering(EFA_RESOURCE)
    # By group, not by type: another group of the same type may have no EFA interfaces.
    chosen = {"keys": [GROUP], "values": group_names(nodes)}
    return {"supportedInstanceLabels": chosen, "tolerations": tolerations(nodes)}


_DEFAULTS: dict[str, Any] = {
    "supportedInstanceLabels": {"keys": [INSTANCE_TYPE]},
    "resources": {"requests": {"cpu": "10m", "memory": "20Mi"}},
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    terms = list(instance_terms(values))
    plugin = Workload(
        "DaemonSet",
        full_name(_CHART, values),
        _NAMESPACE,
        Placement(
            [{"key": "CriticalAddonsOnly", "operator": "Exists"}, *(values.get("tolerations") or ())],
            {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}},
            values.get("nodeSelector") or {},
            "system-node-critical",
        ),
        values.get("resources") or {},
        serves=EFA_RESOURCE,
    )
    return (plugin,)


def instance_terms(values: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The terms of the affinity that the chart makes of `supportedInstanceLabels`, as aws-dranet's does: one for each
    label that may name the type. Only the last keeps off Auto Mode's nodes: so the chart has it."""
    keys = at(values, "supportedInstanceLabels", "keys") or []
    types = at(values, "supportedInstanceLabels", "values")
    for number, key in enumerate(keys, start=1):
        of_type = {"key": key, "operator": "In", **({} if types is None else {"values": types})}
        not_auto = {"key": "eks.amazonaws.com/compute-type", "operator": "NotIn", "values": ["auto"]}
        yield {"matchExpressions": [of_type, not_auto] if number == len(keys) else [of_type]}


ADDON = addon("efa-device-plugin", values=_values, workloads=_workloads)
