"""Proposes values for a manifest's variables that fit a cluster, by the key that has the variable, else by its name."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from muster.blueprint.kubernetes import Blueprint, KubernetesGroup
from muster.blueprint.labels import INSTANCE_TYPE
from muster.blueprint.node import DEVICE_CLASSES
from muster.config.description.node_group import Purpose
from muster.jobs.job_metadata import DEFAULT_NAMESPACE
from muster.jobs.pod_roles import DEFAULT_SCHEDULER, QUEUE_LABEL
from muster.jobs.template import VariablePlace
from muster.kubernetes_quantity import MIB, Quantity
from muster.rehearsal.kubernetes import nodes
from muster.rehearsal.kubernetes.nodes import PlannedNode

_COUNTS = frozenset({"replicas", "maxReplicas", "parallelism", "completions", "numNodes", "minAvailable", "minMember"})
_PROCESSES = frozenset({"slotsPerWorker", "nprocPerNode", "numProcPerNode"})
_ONE_POD = frozenset({"Launcher", "Master", "launcher", "master", "headGroupSpec"})
_GIB = 1024 * MIB
_LEFT = 10
"""A tenth of a node's CPU and memory is left for DaemonSets."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """Values that fit a cluster."""

    group: str
    """The group whose nodes the values fit; empty if the cluster has no groups."""
    values: Mapping[str, str]
    """Variable -> value; without the variables that have no known value."""


def propose_values(blueprint: Blueprint, wanted: Mapping[str, Iterable[VariablePlace]]) -> Proposals:
    """Values for variables, by the keys that contain them.

    Args:
        blueprint: the cluster.
        wanted: variable -> its places.
    """
    places = {name: tuple(each) for name, each in wanted.items()}
    group = _group(blueprint, {place.key for each in places.values() for place in each})
    if group is None:
        return Proposals("", {})
    count = max(1, group.described.nodes.start)
    node = next(each for each in nodes.planned_nodes(blueprint, {group.name: 1}) if each.group == group.name)
    sized = _Sized(blueprint, group, node, count)
    found = {name: next(filter(None, sized.values(name, each)), "") for name, each in places.items()}
    # Each variable with the name of a node names another node.
    every = nodes.planned_nodes(blueprint, {group.name: count})
    hosts = iter([each.name for each in every if each.group == group.name])
    found = {name: next(hosts, "") if value == node.name else value for name, value in sorted(found.items())}
    return Proposals(group.name, {name: value for name, value in found.items() if value})


def _group(blueprint: Blueprint, keys: set[str]) -> KubernetesGroup | None:
    """The training group whose nodes offer most of the manifest's resources; the first of several."""
    training = [each for each in blueprint.groups if each.described.purpose is Purpose.TRAINING]
    every = training or list(blueprint.groups)
    return max(every, key=lambda each: len(keys & each.node.offers.keys()), default=None)


@dataclass(frozen=True, slots=True)
class _Sized:
    """The resources of a group's nodes."""

    blueprint: Blueprint
    group: KubernetesGroup
    node: PlannedNode
    count: int

    def values(self, name: str, places: Iterable[VariablePlace]) -> Iterator[str]:
        """The values that fit, the best first."""
        listed = tuple(places)
        if re.search(r"INSTANCE_?TYPE", name, re.IGNORECASE):
            yield str(self.node.manifest["metadata"]["labels"].get(INSTANCE_TYPE, ""))
        for place in listed:
            yield self._resource(place) or self._number(place) or self._label(place)
        if not any(map(_of_resources, listed)):  # a resource without a value is one that the nodes do not offer
            yield self._by_name(name)
        for place in listed:
            yield place.default or self._word(name, place)

    def _resource(self, place: VariablePlace) -> str:
        """The value for a key of ``limits`` or ``requests``, or for the number of a claim's request."""
        if not _of_resources(place):
            return ""
        resource = place.key
        name = _above(place, len(place.keys) - 1).get("deviceClassName") if resource == "count" else resource
        # The number is the same if pods must claim the devices: the rehearsal then reports the wrong request.
        if number := self.node.has(str(name)) or self.node.has(DEVICE_CLASSES.get(resource, "")):
            return str(number)
        amount: str | None = self.node.manifest["status"]["allocatable"].get(resource)
        if amount is None:
            return ""
        whole = Quantity.parse(amount)
        if resource == "cpu":
            return str(whole.milli // 1000 * (_LEFT - 1) // _LEFT)
        if not resource.startswith("hugepages-") and resource != "memory":
            return str(whole.whole)
        left = whole.whole if resource != "memory" else whole.whole * (_LEFT - 1) // _LEFT
        if place.text.endswith("Mi") or (left % _GIB and resource != "memory"):
            number, unit = left // MIB, "Mi"
        else:
            number, unit = left // _GIB, "Gi"
        return str(number) if place.text.endswith(unit) else f"{number}{unit}"

    def _number(self, place: VariablePlace) -> str:
        if place.key == "minReplicas" or (place.key == "--nnodes" and place.text.startswith(("$MIN", "${MIN"))):
            return "1"
        if place.key in _PROCESSES:
            return str(self.group.node.hardware.accelerators)
        if place.key not in _COUNTS:
            return ""
        if _ONE_POD & set(place.keys):
            return "1"
        return str(max(1, self.count - _masters(place)))

    def _label(self, place: VariablePlace) -> str:
        """The value for a node selector, or for the values of a node affinity."""
        key = place.key
        if key == "values":
            key = _expression_key(place)
        elif "nodeSelector" not in place.keys:
            return ""
        carried: str = self.node.manifest["metadata"]["labels"].get(key, "")
        return carried

    def _by_name(self, name: str) -> str:
        machine = self.group.node.hardware
        for words, number in (
            ("EFA", self.group.node.efa),
            ("GPU|NEURON|ACCELERATOR", machine.accelerators),
            (r"NUM_?(NODES|WORKERS)|(NODES|WORKERS|REPLICAS)$", self.count),
        ):
            if re.search(words, name, re.IGNORECASE):  # pattern: without repeats
                return str(number) if number else ""
        return ""

    def _word(self, name: str, place: VariablePlace) -> str:
        """The value for a name: an existing name if it must exist; otherwise any name that Kubernetes accepts."""
        queues = getattr(self.blueprint.described.addons.kueue, "queues", {})
        there = {
            "namespace": DEFAULT_NAMESPACE,
            "schedulerName": DEFAULT_SCHEDULER,
            "claimName": next((each.name for each in self.blueprint.storage), ""),
            "priorityClassName": "",
            QUEUE_LABEL: next(iter(queues), ""),
        }
        if place.key in there:
            return there[place.key]
        free = place.key in {"name", "groupName"} or {"metadata", "labels", "matchLabels"} & set(place.keys)
        return name.lower().replace("_", "-").strip("-") if free else ""


def _of_resources(place: VariablePlace) -> bool:
    return bool({"limits", "requests"} & set(place.keys))


def _masters(place: VariablePlace) -> int:
    """The number of nodes that a job's master uses, if the variable is the number of its workers."""
    if "Worker" not in place.keys:
        return 0
    return int("Master" in _above(place, place.keys.index("Worker")))


def _expression_key(place: VariablePlace) -> str:
    """The label of a node affinity's expression."""
    last = len(place.keys) - 1 - place.keys[::-1].index("values")
    found = _above(place, last).get("key")
    return found if isinstance(found, str) else ""


def _above(place: VariablePlace, index: int) -> Mapping[str, Any]:
    """The mapping that has the key of that index, on the path to the place."""
    here: Any = place.document
    for key in place.keys[:index]:
        here = here[key]
    return here if isinstance(here, Mapping) else {}
