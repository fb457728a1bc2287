"""JobSet: runs jobset.x-k8s.io/v1alpha2, for users and for Kubeflow Trainer.

Chart 0.12.0, kubernetes-sigs/jobset `charts/jobset` at v0.12.0 (f22e565). In its git tree the image is a staging one;
the published chart is rewritten to registry.k8s.io (`hack/helm-chart-package.sh`). Its CRD is in `crds/`: Helm neither
upgrades nor deletes it. Its webhooks fail closed, on JobSets and on their pods; it creates the certificates itself.

`_workloads` compared with that chart rendered by Helm 3.19 (`tests/addons/test_real_charts.py`): the controller's name,
namespace, replicas, priority class, node selector, affinity, tolerations and requests; for the chart's defaults, our
values, and values that replace, extend and delete each of them.
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, Chart, Json, SwitchedNeed
from muster.addons.context import AddonContext, system_tolerations
from muster.addons.values import over_defaults
from muster.addons.workload import JobKind, Workload, full_name

_CHART = "jobset"
_NAMESPACE = "jobset-system"

DEFAULTS: dict[str, Any] = {
    "controller": {
        "replicas": 1,
        "resources": {"requests": {"cpu": "500m", "memory": "128Mi"}, "limits": {"cpu": 2, "memory": "4Gi"}},
    }
}
"""The chart's own, as far as they decide where its pods run."""

CERTIFICATE = "its webhooks then get their certificate from it"

KIND = JobKind("jobset.x-k8s.io/v1alpha2", "JobSet")


def _values(context: AddonContext) -> Json:
    return {"controller": {"tolerations": system_tolerations(context)}}


def mirrored(registry: str) -> Json:
    """Values that take its image from a registry."""
    return {"image": {"repository": f"{registry}/jobset/jobset"}}


def controller(name: str, namespace: str, values: Mapping[str, Any]) -> Workload:
    """The chart's workload, by itself or as a sub-chart.

    Args:
        name: the name that the chart derives from the release's (`jobset.fullname`).
        namespace: the release's.
        values: of the chart, its defaults included.
    """
    return Workload.deployment(f"{name}-controller", namespace, values.get("controller") or {})


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(DEFAULTS, given)
    return (controller(full_name(_CHART, values), _NAMESPACE, values),)


ADDON = Addon(
    name="jobset",
    namespace=_NAMESPACE,
    source=Chart("oci://registry.k8s.io/jobset/charts", _CHART, _values, mirrored),
    reason="it runs JobSets; Kubeflow Trainer creates one for every TrainJob",
    workloads=_workloads,
    needs_if=(SwitchedNeed(("certManager", "enable"), "cert-manager", CERTIFICATE),),
    runs=(KIND,),
)
