"""Kubernetes objects with pods in them as judged things, whatever their kind: pods are found by their structure.

What Muster's own installer registers is not read here: it is judged as the add-on that it belongs to.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.fleet.resources.eks import PodOwner, PodTemplate
from muster.policies.views.view import Properties, View
from muster.unknown import UNKNOWN, UnknownType
from muster.whole_number import whole_number

KUBERNETES = "kubernetes:"
_INSTALLER = "muster:addons:Addons$"
_NO_PODS = frozenset({"CustomResourceDefinition", "ConfigMap", "Secret", "Release", "Chart", "Provider"})
_PODS = frozenset(
    {"Pod", "Deployment", "DaemonSet", "StatefulSet", "ReplicaSet", "ReplicationController", "Job", "CronJob"}
)
"""Kubernetes' own kinds that have pods, whatever is known about them."""
_NUMBERS = ("replicas", "parallelism", "numNodes", "numOfHosts")
"""Keys with the number of copies of the template beside or below them; without such a key there is one."""
_OF_GROUPS = "leaderWorkerTemplate"
"""A key of a LeaderWorkerSet. Its replicas are groups of `size` pods, and each group is a job."""


def pod_owner(of: Properties) -> PodOwner[UnknownType] | None:
    """Reads the pod templates of an object; None if it has none."""
    kind = of.resource.type.rpartition(":")[2]
    if _INSTALLER in of.resource.urn or kind in _NO_PODS:
        return None
    found = list(_templates(of.values, ""))
    if not found and kind in _PODS:
        found = [PodTemplate("spec", UNKNOWN)]
    return _pod_owner(of, kind=kind, templates=tuple(found)) if found else None


_pod_owner = View(PodOwner, name="metadata.name")


def _templates(value: Any, path: str, pods: int | UnknownType = 1) -> Iterator[PodTemplate[UnknownType]]:
    """Pod specs below a value: everything that has a list of containers, even one that is not known. For a TrainJob,
    what it requests for each node, which replaces the requests of its runtime."""
    if isinstance(value, Mapping):
        containers = value.get("containers")
        if containers is UNKNOWN or isinstance(containers, list):
            yield PodTemplate(path, UNKNOWN if containers is UNKNOWN else value, pods)
            return
        together = pods if _OF_GROUPS in value else _times(pods, *(value.get(name) for name in _NUMBERS))
        for key, each in value.items():
            below = f"{path}.{key}" if path else str(key)
            if key == "resourcesPerNode" and isinstance(each, Mapping):
                yield PodTemplate(below, {"containers": [{"name": "node", "resources": each}]}, together)
            else:
                yield from _templates(each, below, _of_group(value, key) if "workerTemplate" in value else together)
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _templates(each, f"{path}[{index}]", pods)


def _of_group(group: Mapping[str, Any], key: str) -> int | UnknownType:
    """The number of pods of one template in a group of a LeaderWorkerSet. The group has `size` pods. One of them is the
    leader, from the leader template if there is one."""
    size = _times(1, group.get("size"))
    if "leaderTemplate" not in group or size is UNKNOWN:
        return size
    return 1 if key == "leaderTemplate" else size - 1


def _times(pods: int | UnknownType, *numbers: Any) -> int | UnknownType:
    """The product of pods and numbers; unknown if one of them is unknown. A value that is not a number, which the API
    server refuses, counts as 1."""
    for each in numbers:
        if each is UNKNOWN or pods is UNKNOWN:
            return UNKNOWN
        number = whole_number(each, 0)
        pods *= 1 if number is None else number
    return pods
