"""CloudWatch Container Insights: the EKS add-on amazon-cloudwatch-observability.

Its agents run on every Linux node, whatever its taints; its controller tolerates nothing by itself. Metrics of GPUs and
of Neuron devices come from a DaemonSet each, which it makes for instance types that it lists, `x` and `ml.x`; here they
are made where the cluster has such devices. `dcgmExporter`, `neuronMonitor` and `manager` are keys of the add-on's
schema (awslabs/global-capacity-orchestrator-on-aws, `tests`, has an excerpt for v6.6.0).

The workloads by the add-on's chart (aws-observability/helm-charts 71a298f, chart 6.4.0), rendered by Helm 3.19; the
controller makes the agents of custom resources in it, with the requests that those set. The role has
CloudWatchAgentServerPolicy, as CloudWatch's guide requires. The EKS guide also lists AWSXrayWriteOnlyAccess, for traces
of Application Signals; its actions are in the former (AWS managed policy reference).
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, EksAddon, Json, Permissions
from muster.addons.chart_instance_types import chart_instance_types
from muster.addons.context import AddonContext, system_tolerations
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


ADDON = Addon(
    name="cloudwatch-observability",
    namespace=_NAMESPACE,
    source=EksAddon(_CHART, _values),
    reason="CloudWatch Container Insights gets metrics and logs of the nodes from it",
    workloads=_workloads,
    needs={"eks-pod-identity-agent": "the agents get their CloudWatch permissions from it"},
    permissions=lambda _: (Permissions(_NAMESPACE, "cloudwatch-agent", managed=("CloudWatchAgentServerPolicy",)),),
)
