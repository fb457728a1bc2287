"""The EFA device plugin and DRA driver (DRANET): their placement. See their sheets."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.addons.addon import Workloads
from muster.addons.sheet import addon, defaults, workloads
from muster.addons.values import at, over_defaults
from muster.addons.workload import Workload


def _placed_by_labels(name: str) -> Workloads:
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


DEVICE_PLUGIN, DRA_DRIVER = (
    addon(name, workloads=_placed_by_labels(name)) for name in ("efa-device-plugin", "efa-dra-driver")
)
