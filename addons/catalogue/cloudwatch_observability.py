"""CloudWatch Container Insights: its values, workloads and role. See `cloudwatch_observability.toml`."""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Json, Permissions
from muster.addons.chart_instance_types import chart_instance_types
from muster.addons.context import AddonContext, system_tolerations
from muster.addons.sheet import addon
from muster.addons.values import at, over_defaults
from muster.addons.workload import LINUX, Placement, Workload, among, none_of, on_nodes
from muster.blueprint.labels import INSTANCE_TYPE

_CHART = "amazon-cloudwatch-observability"
_NAMESPACE = "amazon-cloudwatch"


def _values(context: AddonContext) -> Json:
    listed = system_tolerations(context)
    return {
        "dcgmExporter": {"enabled": bool(context.having("nvidia.com/gpu"))},
        "neuronMonitor": {"enabled": bool(context.having("aws.amazon.com/neuron"))},
        **({"manager": {"tolerations": listed}} if listed else {}),
    }


_NOT_FARGATE = none_of("eks.amazonaws.com/compute-type", "fargate")


def _requests_and_limits(cpu: str, memory: str, most_cpu: str, most_memory: str) -> Json:
    return {"requests": {"cpu": cpu, "memory": memory}, "limits": {"cpu": most_cpu, "memory": most_memory}}


_DEFAULTS: Json = {
    "tolerations": [{"operator": "Exists"}],
    "containerLogs": {"enabled": True},
    "dcgmExporter": {"enabled": True},
    "neuronMonitor": {"enabled": True},
    "manager": {"tolerations": []},
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    listed, own = values.get("tolerations") or [], at(values, "manager", "tolerations")
    anywhere, critical = on_nodes(_NOT_FARGATE), "system-node-critical"
    devices = {
        "dcgm-exporter": (_requests_and_limits("250m", "128Mi", "500m", "750Mi"), "dcgmExporter"),
        "neuron-monitor": (_requests_and_limits("256m", "128Mi", "500m", "500Mi"), "neuronMonitor"),
    }
    made = [
        Workload(
            "Deployment",
            "amazon-cloudwatch-observability-controller-manager",
            _NAMESPACE,
            Placement(listed if own is None else own, {}, LINUX),
            {"requests": {"cpu": "100m", "memory": "64Mi"}},
        ),
        Workload(
            "DaemonSet",
            "cloudwatch-agent",
            _NAMESPACE,
            Placement(listed, anywhere, LINUX, critical),
            _requests_and_limits("250m", "128Mi", "500m", "512Mi"),
        ),
    ]
    if at(values, "containerLogs", "enabled"):
        resources = _requests_and_limits("50m", "25Mi", "500m", "250Mi")
        made.append(
            Workload("DaemonSet", "fluent-bit", _NAMESPACE, Placement(listed, anywhere, LINUX, critical), resources)
        )
    for name, (resources, key) in devices.items():
        if at(values, key, "enabled"):
            where = on_nodes(among(INSTANCE_TYPE, chart_instance_types(_CHART, name)), _NOT_FARGATE)
            made.append(Workload("DaemonSet", name, _NAMESPACE, Placement(listed, where, LINUX), resources))
    return tuple(made)


def _permissions(_: AddonContext) -> tuple[Permissions, ...]:
    return (Permissions(_NAMESPACE, "cloudwatch-agent", managed=("CloudWatchAgentServerPolicy",)),)


ADDON = addon("cloudwatch-observability", values=_values, workloads=_workloads, permissions=_permissions)
