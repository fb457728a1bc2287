"""The EFA DRA driver (DRANET): its values, and its placement. See `efa_dra_driver.toml`."""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Json
from muster.addons.catalogue.efa_device_plugin import instance_terms
from muster.addons.context import AddonContext, group_names, tolerations
from muster.addons.sheet import addon
from muster.addons.values import over_defaults
from muster.addons.workload import Placement, Workload, full_name
from muster.blueprint.labels import GROUP, INSTANCE_TYPE
from muster.blueprint.node import EFA_RESOURCE

_CHART = "aws-dranet"
_NAMESPACE = "kube-system"


def _values(context: AddonContext) -> Json:
    nodes = context.driven(EFA_RESOURCE)
    chosen = {"keys": [GROUP], "values": group_names(nodes)}
    return {"supportedInstanceLabels": chosen, "tolerations": tolerations(nodes)}


_DEFAULTS: Json = {
    "supportedInstanceLabels": {"keys": [INSTANCE_TYPE]},
    "priorityClassName": "system-node-critical",
    "resources": {
        "requests": {"cpu": "100m", "memory": "50Mi"},
        "limits": {"cpu": "500m", "memory": "256Mi"},
    },
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    terms = list(instance_terms(values))
    driver = Workload(
        "DaemonSet",
        full_name(_CHART, values),
        _NAMESPACE,
        Placement(
            [{"key": "CriticalAddonsOnly", "operator": "Exists"}, *(values.get("tolerations") or ())],
            {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": terms}}},
            values.get("nodeSelector") or {},
            values.get("priorityClassName"),
        ),
        values.get("resources") or {},
    )
    return (driver,)


ADDON = addon("efa-dra-driver", values=_values, workloads=_workloads)
