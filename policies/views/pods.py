"""Kubernetes objects with pods in them as judged things, whatever their kind: pods are found by their form.

What Muster's own installer registers is none of them: it is judged as the add-on it belongs to.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.registration import Registration
from muster.fleet.resources import Place
from muster.fleet.resources.pods import PodOwner, PodTemplate
from muster.fleet.unknown import UNKNOWN
from policies.views.references import References

KUBERNETES = "kubernetes:"
_INSTALLER = "muster:addons:Addons$"
_NO_PODS = frozenset({"CustomResourceDefinition", "ConfigMap", "Secret", "Release", "Chart", "Provider"})
_PODS = frozenset(
    {"Pod", "Deployment", "DaemonSet", "StatefulSet", "ReplicaSet", "ReplicationController", "Job", "CronJob"}
)
"""Kubernetes' own kinds that have pods, whatever is known of them."""


def pod_owner(resource: Registration, references: References) -> PodOwner | None:
    """Reads the pod templates of an object; None where it has none."""
    kind = resource.type.rpartition(":")[2]
    if _INSTALLER in resource.urn or kind in _NO_PODS:
        return None
    found = list(_templates(resource.inputs, ""))
    if not found and kind in _PODS and resource.inputs.get("spec", UNKNOWN) is UNKNOWN:
        found = [PodTemplate("spec", UNKNOWN)]
    return PodOwner(references.ref(resource), kind, tuple(found), Place(resource.urn)) if found else None


def _templates(value: Any, path: str) -> Iterator[PodTemplate]:
    """Pod specs below a value: what has a list of containers. Of a TrainJob what it asks of each node, which stands in
    place of its runtime's own."""
    if isinstance(value, Mapping):
        if isinstance(value.get("containers"), list):
            yield PodTemplate(path, value)
            return
        for key, each in value.items():
            below = f"{path}.{key}" if path else str(key)
            if key == "resourcesPerNode" and isinstance(each, Mapping):
                yield PodTemplate(below, {"containers": [{"name": "node", "resources": each}]})
            else:
                yield from _templates(each, below)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _templates(each, f"{path}[{index}]")
