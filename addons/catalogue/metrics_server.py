"""The metrics server: CPU and memory of nodes and pods, for `kubectl top` and autoscalers. A community EKS add-on.

Two replicas, as clusters that have the add-on show; their requests are those of the project's own chart
(kubernetes-sigs/ metrics-server: 100m, 200Mi), whose values EKS's build takes: inferred, as is that it tolerates
nothing by itself.
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, EksAddon, Json, system_taints_tolerated
from muster.addons.values import over_defaults
from muster.addons.workload import Placement, Workload

_NAME = "metrics-server"
_NAMESPACE = "kube-system"


_DEFAULTS: Json = {
    "replicas": 2,
    "resources": {"requests": {"cpu": "100m", "memory": "200Mi"}},
}


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    return (Workload.deployment(_NAME, _NAMESPACE, values, Placement.of(values, "system-cluster-critical")),)


ADDON = Addon(
    name=_NAME,
    namespace=_NAMESPACE,
    source=EksAddon(_NAME, system_taints_tolerated),
    reason="`kubectl top` and autoscalers read CPU and memory usage from it",
    workloads=_workloads,
)
