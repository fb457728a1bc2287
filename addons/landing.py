"""On which groups the pods of rendered objects land. Pure.

Only labels and taints are asked, and only those that a node has as it joins: not room, nor what pods want of each
other.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from addons.values import at
from muster.fleet.matching import taints
from muster.fleet.obstacle import daemon_pods, obstacle
from muster.fleet.resources import Taint

Json = dict[str, Any]

_POD_AT: Mapping[str, tuple[str, ...]] = {
    "DaemonSet": ("spec", "template"),
    "Deployment": ("spec", "template"),
    "StatefulSet": ("spec", "template"),
    "ReplicaSet": ("spec", "template"),
    "Job": ("spec", "template"),
    "CronJob": ("spec", "jobTemplate", "spec", "template"),
    "Pod": (),
}
"""What Kubernetes makes pods of -> where it has them. Custom resources are their operators' own."""

_DEVICE_PLUGINS = "/var/lib/kubelet/device-plugins"
"""Whoever offers a device tells the kubelet so in this folder (Kubernetes, "Device Plugins")."""

_HOOK = "helm.sh/hook"

_UNREADABLE = "its placement has no form that Kubernetes takes"


class Node(Protocol):
    """A node that is to join."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def group(self) -> str:
        """Its group's."""

    @property
    def manifest(self) -> Json:
        """As it joins: labels and taints."""


@dataclass(frozen=True, slots=True)
class Landing:
    """One workload, and where its pods may be."""

    kind: str
    namespace: str
    name: str
    obstacles: Mapping[str, tuple[str, ...]]
    """Group -> why a node of it takes no such pod, of each of its nodes; empty where one does."""
    hook: bool
    """Whether Helm runs it beside the installation."""
    registers: bool
    """Whether it can offer a device to the kubelet."""
    images: tuple[str, ...]
    wanted: bool = True
    """Whether there are to be pods: a Deployment of none needs no place."""

    @property
    def called(self) -> str:
        """``DaemonSet kube-system/nvidia-device-plugin``."""
        return f"{self.kind} {self.namespace}/{self.name}"

    @property
    def groups(self) -> tuple[str, ...]:
        """Those of which a node takes its pods."""
        return tuple(group for group, each in self.obstacles.items() if "" in each)

    def obstacle(self, group: str) -> str:
        """Why not every node of a group takes its pods; empty where every one does."""
        return next(filter(None, self.obstacles[group]), "")


def landings(objects: Iterable[Json], nodes: Iterable[Node]) -> tuple[Landing, ...]:
    """Every workload of rendered objects, in their order.

    Args:
        objects: what an installation puts on a cluster, hooks among them.
        nodes: at least one of each group, and of each zone that it is in.
    """
    every = tuple(_Seen(each) for each in nodes)
    return tuple(_landing(each, every) for each in objects if each["kind"] in _POD_AT)


@dataclass(frozen=True, slots=True)
class _Seen:
    """A node, as `obstacle` asks it."""

    node: Node

    @property
    def name(self) -> str:
        return self.node.name

    @property
    def labels(self) -> Mapping[str, str]:
        return self.node.manifest["metadata"].get("labels") or {}

    @property
    def taints(self) -> tuple[Taint, ...]:
        return taints(self.node.manifest["spec"])


def _landing(thing: Json, nodes: Iterable[_Seen]) -> Landing:
    kind, metadata = thing["kind"], thing["metadata"]
    found = at(thing, *_POD_AT[kind], "spec")
    pods = found if isinstance(found, dict) else {}
    obstacles: dict[str, tuple[str, ...]] = {}
    for each in nodes:
        obstacles[each.node.group] = (*obstacles.get(each.node.group, ()), _obstacle(each, pods, kind))
    return Landing(
        kind,
        str(metadata.get("namespace") or ""),
        metadata["name"],
        obstacles,
        at(metadata, "annotations", _HOOK) is not None,
        any(_is_device_folder(path) for path in _host_paths(pods)),
        tuple(str(each.get("image")) for each in pods.get("containers") or () if isinstance(each, dict)),
        at(thing, "spec", "replicas") != 0,
    )


def _obstacle(node: _Seen, pods: Json, kind: str) -> str:
    try:
        return obstacle(node, daemon_pods(pods) if kind == "DaemonSet" else pods)
    except (AttributeError, KeyError, TypeError, ValueError):
        # Values can put anything there; the API server would refuse it.
        return _UNREADABLE


def _host_paths(pods: Json) -> Iterator[str]:
    for volume in pods.get("volumes") or ():
        path = at(volume, "hostPath", "path")
        if isinstance(path, str):
            yield path


def _is_device_folder(path: str) -> bool:
    return path.rstrip("/") == _DEVICE_PLUGINS
