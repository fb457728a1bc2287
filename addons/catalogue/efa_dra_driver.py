"""The EFA DRA driver (DRANET): pods claim interfaces of the DeviceClass efa.networking.k8s.aws.

Chart aws-dranet 1.0.0, aws/eks-charts (5239609): its template places the DaemonSet as that of the EFA device plugin
does. It tolerates no GPU taint by itself (tolerations given are appended to CriticalAddonsOnly), and
`supportedInstanceLabels` makes its whole affinity: ours has the label of the group. Its pods use the network of the
node, and are not privileged.

`_workloads` compared with the chart rendered by Helm (`tests/addons/test_real_charts.py`).
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, Chart, Json
from muster.addons.catalogue.efa_device_plugin import instance_terms
from muster.addons.context import AddonContext, group_names, tolerations
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


def _mirrored(registry: str) -> Json:
    return {"image": {"repository": f"{registry}/eks/dranet"}}


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


ADDON = Addon(
    name="efa-dra-driver",
    namespace=_NAMESPACE,
    source=Chart("https://aws.github.io/eks-charts", _CHART, _values, mirrored=_mirrored),
    reason="pods claim EFA interfaces of the DeviceClass efa.networking.k8s.aws",
    workloads=_workloads,
)
