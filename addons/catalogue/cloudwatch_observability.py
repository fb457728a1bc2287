"""CloudWatch Container Insights: the EKS add-on amazon-cloudwatch-observability.

Its agents run on every Linux node, whatever its taints; its controller tolerates nothing by itself. Metrics of GPUs and
of Neuron devices come from a DaemonSet each, which it makes for instance types that it lists, `x` and `ml.x`; here they
are made where the cluster has such devices. `dcgmExporter`, `neuronMonitor` and `manager` are keys of the add-on's
schema (awslabs/global-capacity-orchestrator-on-aws, `tests`, has an excerpt for v6.6.0).

The workloads by the add-on's chart (aws-observability/helm-charts 71a298f, chart 6.4.0), rendered by Helm 3.19; the
controller makes the agents of custom resources in it, with the requests that those say. The role has
CloudWatchAgentServerPolicy, as CloudWatch's guide wants. The EKS guide names AWSXrayWriteOnlyAccess, too, for traces of
Application Signals; their actions are in the former (AWS managed policy reference).
"""

from collections.abc import Mapping
from typing import Any

from addons.addon import Addon, EksAddon, Json, Permissions
from addons.context import AddonContext, system_tolerations
from addons.values import at, over_defaults
from addons.workload import LINUX, Placement, Workload, among, none_of, of_hyperpod, on_nodes, types
from muster.blueprint.labels import INSTANCE_TYPE

_NAMESPACE = "amazon-cloudwatch"


def _values(site: AddonContext) -> Json:
    listed = system_tolerations(site)
    return {
        "dcgmExporter": {"enabled": bool(site.having("nvidia.com/gpu"))},
        "neuronMonitor": {"enabled": bool(site.having("aws.amazon.com/neuron"))},
        **({"manager": {"tolerations": listed}} if listed else {}),
    }


_G = "2xlarge 4xlarge 8xlarge 12xlarge 16xlarge 24xlarge 48xlarge xlarge"
_GPUS = types(
    g3="4xlarge 8xlarge 16xlarge",
    g3s="xlarge",
    g4ad="2xlarge 4xlarge 8xlarge 16xlarge xlarge",
    g4dn="2xlarge 4xlarge 8xlarge 12xlarge 16xlarge metal xlarge",
    g5=_G,
    g5g="2xlarge 4xlarge 8xlarge 16xlarge metal xlarge",
    g6=_G,
    g6e=_G,
    gr6="4xlarge 8xlarge",
    p2="8xlarge 16xlarge xlarge",
    p3="2xlarge 8xlarge 16xlarge",
    p3dn="24xlarge",
    p4d="24xlarge",
    p4de="24xlarge",
    p5="48xlarge",
    p5e="48xlarge",
    p5en="48xlarge",
    p6_b200="48xlarge",
    p6_b300="48xlarge",
    p6e_gb200="36xlarge",
)
_INF1, _INF2 = "xlarge 2xlarge 6xlarge 24xlarge", "xlarge 8xlarge 24xlarge 48xlarge"
_TRN1 = types(trn1="2xlarge 32xlarge", trn1n="32xlarge")
_TRN2 = types(trn2="3xlarge 48xlarge", trn2a="48xlarge", trn2n="48xlarge", trn2u="48xlarge")
_INF = types(inf1=_INF1, inf2=_INF2)
_ON_GPUS = [*_GPUS, *of_hyperpod(each for each in _GPUS if not each.startswith("p6-b300"))]
_ON_NEURON = [*_TRN1, *_TRN2, *_INF, *of_hyperpod([*_TRN1, *_INF])]

_NOT_FARGATE = none_of("eks.amazonaws.com/compute-type", "fargate")


def _asked(cpu: str, memory: str, most_cpu: str, most_memory: str) -> Json:
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
        "dcgm-exporter": (_ON_GPUS, _asked("250m", "128Mi", "500m", "750Mi"), "dcgmExporter"),
        "neuron-monitor": (_ON_NEURON, _asked("256m", "128Mi", "500m", "500Mi"), "neuronMonitor"),
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
            _asked("250m", "128Mi", "500m", "512Mi"),
        ),
    ]
    if at(values, "containerLogs", "enabled"):
        asked = _asked("50m", "25Mi", "500m", "250Mi")
        made.append(
            Workload("DaemonSet", "fluent-bit", _NAMESPACE, Placement(listed, anywhere, LINUX, critical), asked)
        )
    for name, (on, asked, key) in devices.items():
        if at(values, key, "enabled"):
            where = on_nodes(among(INSTANCE_TYPE, on), _NOT_FARGATE)
            made.append(Workload("DaemonSet", name, _NAMESPACE, Placement(listed, where, LINUX), asked))
    return tuple(made)


ADDON = Addon(
    name="cloudwatch-observability",
    namespace=_NAMESPACE,
    source=EksAddon("amazon-cloudwatch-observability", _values),
    reason="Container Insights have no metrics and logs of the nodes without it",
    workloads=_workloads,
    needs={"eks-pod-identity-agent": "the agents have their rights in CloudWatch from it"},
    permissions=lambda _: (Permissions(_NAMESPACE, "cloudwatch-agent", managed=("CloudWatchAgentServerPolicy",)),),
)
