"""EKS's node monitoring agent: reads faults from a node's logs and devices, and sets node conditions.

If it is not installed, node repair only detects whether the kubelet of a node answers. The agent also reports broken
GPUs (`AcceleratedHardwareReady`), Neuron devices, network and disks (EKS user guide, "Node health"). It queries GPUs
through a second DaemonSet, `dcgm-server`, which by default has no tolerations and so does not run on tainted nodes with
GPUs: Muster sets its tolerations. The agent itself tolerates everything. Neither runs on HyperPod's nodes, which have
their own agent.

The EKS add-on, which takes these values by `charts/configuration.schema.json` (aws/eks-node-monitoring-agent v1.6.7).
`_workloads` by its chart of that version, compared with what Helm 3.19 renders (`tests/addons/test_real_charts.py`).
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, EksAddon, Json
from muster.addons.chart_instance_types import chart_instance_types
from muster.addons.context import AddonContext, tolerations
from muster.addons.values import over_defaults
from muster.addons.workload import LINUX, Placement, Workload, among, none_of, on_nodes
from muster.blueprint.labels import INSTANCE_TYPE

_NAME = "eks-node-monitoring-agent"
_NAMESPACE = "kube-system"


def _values(context: AddonContext) -> Json:
    listed = tolerations(each for each in context.having("nvidia.com/gpu") if not each.hyperpod)
    return {"dcgmAgent": {"tolerations": listed}} if listed else {}


_NOT_THERE = (
    none_of("eks.amazonaws.com/compute-type", "fargate", "auto", "hybrid"),
    none_of("sagemaker.amazonaws.com/compute-type", "hyperpod"),
)
_ARCH = "kubernetes.io/arch"

_DEFAULTS: Json = {
    "nodeAgent": {
        "affinity": on_nodes(*_NOT_THERE, among(_ARCH, ["amd64", "arm64"])),
        "tolerations": [{"operator": "Exists"}],
        "resources": {
            "requests": {"cpu": "10m", "memory": "30Mi"},
            "limits": {"cpu": "250m", "memory": "200Mi"},
        },
    },
    "dcgmAgent": {
        "affinity": on_nodes(
            among(INSTANCE_TYPE, chart_instance_types(_NAME, "dcgm-server")), *_NOT_THERE, among(_ARCH, ["amd64"])
        ),
        "tolerations": [],
        "resources": {},
    },
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    return tuple(
        _daemon(name, values.get(key) or {}) for name, key in ((_NAME, "nodeAgent"), ("dcgm-server", "dcgmAgent"))
    )


def _daemon(name: str, values: Mapping[str, Any]) -> Workload:
    placement = Placement.of(values, "system-node-critical", LINUX)
    return Workload("DaemonSet", name, _NAMESPACE, placement, values.get("resources") or {})


ADDON = Addon(
    name=_NAME,
    namespace=_NAMESPACE,
    source=EksAddon(_NAME, _values),
    reason="node repair needs it to detect faults of GPUs, network and disks",
    workloads=_workloads,
)
