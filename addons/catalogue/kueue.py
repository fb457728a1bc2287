"""Kueue: lets jobs in by quota, each when its whole share is free.

Chart 0.19.2, kubernetes-sigs/kueue `charts/kueue` at v0.19.2 (8eab687). In its git tree the image is a staging one; the
published chart is rewritten to registry.k8s.io (`hack/helm-chart-package.sh`).

- Its webhooks fail closed, on Jobs, Pods, Deployments and more, in every namespace but kube-system and its own: until
  its controller runs, nothing of the kind can be made. So it comes last.
- Its CRDs are in templates: uninstalling deletes them, and every queue.
- Which jobs it manages stands in a file of which values hold the whole text (`addons.kueue_configuration`).
- What is in its queues: `addons.kueue_queues`.

`_workloads` compared with that chart rendered by Helm 3.19 (`tests/addons/test_real_charts.py`): the controller's name,
namespace, replicas, priority class, node selector, tolerations and requests; for the chart's defaults, our values, and
values that replace, extend and delete each of them. The dashboard, off by default, is no workload here when a user
turns it on.
"""

from collections.abc import Mapping
from typing import Any

from addons.addon import Addon, Chart, Json
from addons.catalogue.kueue_configuration import configuration
from addons.catalogue.kueue_queues import queues
from addons.site import Site, system_tolerations
from addons.values import over_defaults
from addons.workload import Placement, Workload, full_name

_CHART = "kueue"
_NAMESPACE = "kueue-system"

WEBHOOKS = "until Kueue runs, its webhooks let nobody make pods, jobs and Deployments outside kube-system"
"""Why it comes last, whoever brings it."""

_DEFAULTS: dict[str, Any] = {
    "controllerManager": {
        "replicas": 1,
        "manager": {
            "resources": {"limits": {"cpu": "2", "memory": "512Mi"}, "requests": {"cpu": "500m", "memory": "512Mi"}}
        },
    }
}
"""The chart's own, as far as they decide where its pods run."""


def _values(site: Site) -> Json:
    return {
        "controllerManager": {"tolerations": system_tolerations(site)},
        "managerConfig": {"controllerManagerConfigYaml": configuration(site)},
    }


def _mirrored(registry: str) -> Json:
    def image(name: str) -> Json:
        return {"image": {"repository": f"{registry}/kueue/{name}"}}

    return {
        "controllerManager": {"manager": image("kueue")},
        "kueueViz": {"backend": image("kueueviz-backend"), "frontend": image("kueueviz-frontend")},
    }


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    said = values.get("controllerManager") or {}
    manager = said.get("manager") or {}
    placement = Placement(
        said.get("tolerations") or [], {}, said.get("nodeSelector") or {}, manager.get("priorityClassName") or None
    )
    name = f"{full_name(_CHART, values)}-controller-manager"
    resources, replicas = manager.get("resources") or {}, said.get("replicas", 1)
    return (Workload("Deployment", name, _NAMESPACE, placement, resources, replicas=replicas),)


ADDON = Addon(
    name=_CHART,
    namespace=_NAMESPACE,
    source=Chart("oci://registry.k8s.io/kueue/charts", _CHART, _values, _mirrored),
    reason="jobs wait in queues until their whole share of the nodes is free",
    workloads=_workloads,
    loses="every ClusterQueue, LocalQueue, ResourceFlavor and Workload of Kueue",
    last=WEBHOOKS,
    objects=queues,
)
