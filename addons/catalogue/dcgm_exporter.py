"""NVIDIA's DCGM exporter: metrics of GPUs for Prometheus.

Chart 4.8.2 (NVIDIA/dcgm-exporter 691c927, `deployment`): by default it runs on every node, also without a GPU,
tolerates no taint of GPU nodes, and makes a ServiceMonitor, a kind that exists only with the Prometheus operator. Nodes
are selected by type and group, as for the device plugin; Bottlerocket's images, which contain the device plugin, have
no exporter, so it also runs on their nodes.

`_workloads` compared with the chart rendered by Helm 3.19 (`tests/addons/test_real_charts.py`).
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, Chart, Json
from muster.addons.context import AddonContext, group_names, instance_types, tolerations
from muster.addons.values import over_defaults
from muster.addons.workload import Placement, Workload, full_name, on_groups
from muster.blueprint.gpu_sharing import GPU
from muster.config.description.addons import DcgmExporterOptions

_NAME = "dcgm-exporter"
_NAMESPACE = "monitoring"


def _values(context: AddonContext) -> Json:
    options = context.chosen[_NAME]
    assert isinstance(options, DcgmExporterOptions)
    nodes = context.having(GPU)
    return {
        "affinity": on_groups(instance_types(nodes), group_names(nodes)),
        "tolerations": tolerations(nodes),
        "serviceMonitor": {"enabled": options.service_monitor},
        # Else the metrics do not name the pods that claim GPUs.
        **({"kubernetesDRA": {"enabled": True}} if context.driven(GPU) else {}),
    }


def _mirrored(registry: str) -> Json:
    return {"image": {"repository": f"{registry}/nvidia/k8s/dcgm-exporter"}}


_DEFAULTS: Json = {
    "priorityClassName": "system-node-critical",
    "tolerations": [{"key": "node-role.kubernetes.io/control-plane", "operator": "Exists", "effect": "NoSchedule"}],
    "resources": {
        "requests": {"cpu": "100m", "memory": "128Mi"},
        "limits": {"cpu": "200m", "memory": "512Mi"},
    },
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    return (
        Workload(
            "DaemonSet",
            full_name(_NAME, values),
            values.get("namespaceOverride") or _NAMESPACE,
            Placement.of(values, values.get("priorityClassName")),
            values.get("resources") or {},
        ),
    )


ADDON = Addon(
    name=_NAME,
    namespace=_NAMESPACE,
    source=Chart("https://nvidia.github.io/dcgm-exporter/helm-charts", _NAME, _values, mirrored=_mirrored),
    reason="Prometheus gets GPU metrics from it",
    workloads=_workloads,
    exports=GPU,
)
