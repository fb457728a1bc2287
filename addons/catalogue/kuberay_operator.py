"""KubeRay's operator: runs RayCluster, RayJob and RayService, ray.io/v1.

Chart 1.7.0, ray-project/kuberay `helm-chart/kuberay-operator` at v1.7.0 (59d663a). Its CRDs are in `crds/`: Helm
neither upgrades nor deletes them. No webhook, no certificates. It leaves scheduling to Kubernetes; with
`batchScheduler.name` in values, volcano for one, it would have every cluster scheduled by that.

`_workloads` compared with that chart rendered by Helm 3.19 (`tests/addons/test_real_charts.py`): the operator's name,
namespace, replicas, priority class, node selector, affinity, tolerations and requests; for the chart's defaults, our
values, and values that replace, extend and delete each of them.
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, Chart, Json
from muster.addons.context import AddonContext, system_tolerations
from muster.addons.values import over_defaults
from muster.addons.workload import JobKind, Placement, Workload, full_name

_CHART = "kuberay-operator"
_NAMESPACE = "kuberay-operator"

_DEFAULTS: dict[str, Any] = {
    "nameOverride": "kuberay-operator",
    "fullnameOverride": "kuberay-operator",
    "replicas": 1,
    "resources": {"limits": {"cpu": "100m", "memory": "512Mi"}},
}
"""The chart's own, as far as they decide where its pods run."""


def _values(context: AddonContext) -> Json:
    return {"tolerations": system_tolerations(context)}


def _mirrored(registry: str) -> Json:
    return {"image": {"repository": f"{registry}/kuberay/operator"}}


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    placement = Placement.of(values, values.get("priorityClassName"))
    resources, replicas = values.get("resources") or {}, values.get("replicas") or 1
    return (Workload("Deployment", full_name(_CHART, values), _NAMESPACE, placement, resources, replicas=replicas),)


ADDON = Addon(
    name="kuberay-operator",
    namespace=_NAMESPACE,
    source=Chart("https://ray-project.github.io/kuberay-helm", _CHART, _values, _mirrored),
    reason="it runs RayClusters, RayJobs and RayServices",
    workloads=_workloads,
    runs=tuple(JobKind("ray.io/v1", kind) for kind in ("RayCluster", "RayJob", "RayService")),
)
