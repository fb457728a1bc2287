"""Stand-ins: what of an add-on decides whether its pods run, for where its chart is not at hand. Pure.

They are placed as the chart's own workloads would be with these values, ask for the same, and bear the same names.
Roles, configuration and namespaces are not among them: nothing in the pods runs.
"""

from collections.abc import Mapping
from typing import Any

from addons.addon import Addon
from addons.values import workloads_of
from addons.workload import Workload, shortened


def stand_in(addon: Addon, values: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """The DaemonSets and Deployments of an add-on.

    Args:
        addon: the add-on.
        values: what its chart would be given (`addons.values.values_of`).
    """
    return tuple(manifest(each) for each in workloads_of(addon, values))


def manifest(workload: Workload) -> dict[str, Any]:
    """A DaemonSet or Deployment, whose images are there for their names only."""
    labels = {"app.kubernetes.io/name": workload.name, **workload.labels}
    asked = (workload.resources, *workload.beside)
    # Nothing in it runs, so nothing in it speaks to the API server.
    pod = {
        **workload.placement.pod_spec,
        "automountServiceAccountToken": False,
        "containers": [_container(workload.name, number, each) for number, each in enumerate(asked)],
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
    said: dict[str, Any] = {"name": own, "image": name}
    return {**said, "resources": resources} if resources else said
