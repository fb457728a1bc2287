"""Simulated workloads of an add-on, for use where its chart is not available. Pure.

They have the placement, requests and names that the workloads of the chart have with these values. Roles,
configuration and namespaces are omitted: nothing in the pods runs.
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon
from muster.addons.values import workloads_of
from muster.addons.workload import Workload, shortened


def simulated_workloads(addon: Addon, values: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """The DaemonSets and Deployments of an add-on.

    Args:
        addon: the add-on.
        values: for its chart (`muster.addons.values.values_of`).
    """
    return tuple(manifest(each) for each in workloads_of(addon, values))


def manifest(workload: Workload) -> dict[str, Any]:
    """A DaemonSet or Deployment. Its images are never pulled."""
    labels = {"app.kubernetes.io/name": workload.name, **workload.labels}
    resources = (workload.resources, *workload.beside)
    pod = {
        **workload.placement.pod_spec,
        "automountServiceAccountToken": False,
        "containers": [_container(workload.name, number, each) for number, each in enumerate(resources)],
    }
    spec: dict[str, Any] = {
        "selector": {"matchLabels": labels},
        "template": {"metadata": {"labels": labels}, "spec": pod},
    }
    if workload.kind == "Deployment":
        spec["replicas"] = workload.replicas
    return {
        "apiVersion": "apps/v1",
        "kind": workload.kind,
        "metadata": {"name": workload.name, "namespace": workload.namespace, "labels": labels},
        "spec": spec,
    }


def _container(name: str, number: int, resources: Mapping[str, Any]) -> dict[str, Any]:
    own = shortened(f"{number}-{name}") if number else name
    container: dict[str, Any] = {"name": own, "image": name}
    return {**container, "resources": resources} if resources else container
