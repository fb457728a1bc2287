"""The EFA device plugin: its values, and its placement. See `efa_device_plugin.toml`."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.addons.addon import Workloads
from muster.addons.context import AddonContext, group_names, tolerations
from muster.addons.sheet import addon, defaults, workloads
from muster.addons.values import at, over_defaults
from muster.addons.workload import Workload
from muster.blueprint.labels import GROUP
from muster.blueprint.node import EFA_RESOURCE


def _values(context: AddonContext) -> dict[str, Any]:
    nodes = context.offering(EFA_RESOURCE)
    # By group, not by type: another group of the same type may have no EFA interfaces.
    chosen = {"keys": [GROUP], "values": group_names(nodes)}
    return {"supportedInstanceLabels": chosen, "tolerations": tolerations(nodes)}


def placed_by_labels(name: str) -> Workloads:
    """The workloads of a chart with `supportedInstanceLabels`, which makes their whole affinity."""

    def workloads_of(given: Mapping[str, Any]) -> tuple[Workload, ...]:
        values = over_defaults(defaults(name), given)
        tolerations = [{"key": "CriticalAddonsOnly", "operator": "Exists"}, *(values.get("tolerations") or ())]
        terms = {"nodeSelectorTerms": list(_instance_terms(values))}
        affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
        return workloads(name, {**values, "tolerations": tolerations, "affinity": affinity})

    return workloads_of


def _instance_terms(values: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The terms of the affinity that the chart makes of `supportedInstanceLabels`, as aws-dranet's does: one for each
    label that may name the type. Only the last keeps off Auto Mode's nodes: so the chart has it."""
    keys = at(values, "supportedInstanceLabels", "keys") or []
    types = at(values, "supportedInstanceLabels", "values")
    for number, key in enumerate(keys, start=1):
        of_type = {"key": key, "operator": "In", **({} if types is None else {"values": types})}
        not_auto = {"key": "eks.amazonaws.com/compute-type", "operator": "NotIn", "values": ["auto"]}
        yield {"matchExpressions": [of_type, not_auto] if number == len(keys) else [of_type]}


ADDON = addon("efa-device-plugin", values=_values, workloads=placed_by_labels("efa-device-plugin"))
