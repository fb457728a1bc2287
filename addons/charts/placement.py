"""On which groups the pods of rendered objects are scheduled, and what is wrong with it. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from addons.addon import Addon
from addons.context import AddonContext
from addons.image_names import PLUGIN_IMAGES
from addons.values import at
from addons.workload import Workload
from muster.scheduling.constraints import MalformedConstraints, PodConstraints
from muster.scheduling.fit import obstacles
from muster.scheduling.node import KubernetesNode
from muster.scheduling.reason_text import reason_text

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


class JoiningNode(Protocol):
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
class WorkloadPlacement:
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


def workload_placements(objects: Iterable[Json], nodes: Iterable[JoiningNode]) -> tuple[WorkloadPlacement, ...]:
    """Every workload of rendered objects, in their order.

    Args:
        objects: what an installation puts on a cluster, hooks among them.
        nodes: at least one of each group, and of each zone that it is in.
    """
    every = tuple((each.group, KubernetesNode.of(each.manifest)) for each in nodes)
    return tuple(_workload_placement(each, every) for each in objects if each["kind"] in _POD_AT)


def _workload_placement(thing: Json, nodes: Iterable[tuple[str, KubernetesNode]]) -> WorkloadPlacement:
    kind, metadata = thing["kind"], thing["metadata"]
    found = at(thing, *_POD_AT[kind], "spec")
    pods = found if isinstance(found, dict) else {}
    reasons: dict[str, tuple[str, ...]] = {}
    for group, node in nodes:
        reasons[group] = (*reasons.get(group, ()), _why_not(node, pods, kind))
    return WorkloadPlacement(
        kind,
        str(metadata.get("namespace") or ""),
        metadata["name"],
        reasons,
        at(metadata, "annotations", _HOOK) is not None,
        any(_is_device_folder(path) for path in _host_paths(pods)),
        tuple(str(each.get("image")) for each in pods.get("containers") or () if isinstance(each, dict)),
        at(thing, "spec", "replicas") != 0,
    )


def _why_not(node: KubernetesNode, pod_spec: Json, kind: str) -> str:
    """Why a node takes no such pod; empty where it does."""
    read = PodConstraints.of_daemon_set if kind == "DaemonSet" else PodConstraints.of
    try:
        found = obstacles(read(pod_spec), node)
    except MalformedConstraints as fault:
        return str(fault)  # values can put anything there; the API server would refuse it
    return reason_text(found[0]) if found else ""


def _host_paths(pods: Json) -> Iterator[str]:
    for volume in pods.get("volumes") or ():
        path = at(volume, "hostPath", "path")
        if isinstance(path, str):
            yield path


def _is_device_folder(path: str) -> bool:
    return path.rstrip("/") == _DEVICE_PLUGINS


@dataclass(frozen=True, slots=True)
class Check:
    """One question."""

    id: str
    title: str
    source: str


_PLUGINS = "Kubernetes, Device Plugins"
_PLACES = "Kubernetes, Assigning Pods to Nodes"

RENDERS = "chart-renders"
SERVES = "plugin-lands-where-it-serves"
ELSEWHERE = "plugin-lands-nowhere-else"
ALONE = "one-plugin-for-a-device"
PLACE = "pods-have-a-place"
MIRROR = "images-come-from-the-mirror"

CHECKS = {
    each.id: each
    for each in (
        Check(RENDERS, "Helm renders a chart with our values and the user's", "Helm, helm template"),
        Check(SERVES, "A plugin's DaemonSet lands on every group that has its device", _PLUGINS),
        Check(ELSEWHERE, "No DaemonSet that can offer devices lands on another group", _PLUGINS),
        Check(ALONE, "No other plugin offers the device of a group", "EKS user guide, device-management-nvidia"),
        Check(PLACE, "Every Deployment, Job and hook has a group that takes its pods", _PLACES),
        Check(MIRROR, "Every image comes from the image mirror, where there is one", "Muster, image-mirror"),
    )
}


# What of rendered add-ons lands where it should not, or nowhere. Pure.
#
# Whose fault it is (the user's values, or ours) is not asked here: `addons.charts.cluster_rendering` does.

_OFFERS = {image: device for device, image in PLUGIN_IMAGES.items()}


@dataclass(frozen=True, slots=True, order=True)
class PlacementFault:
    """One thing that is wrong with one add-on."""

    check: str
    addon: str
    about: str
    """A device, an image, or what a workload is but for its name: with other values it may have another."""
    group: str
    """Where; empty where no group is meant."""
    got: str = field(compare=False)
    remedy: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class RenderedObjects:
    """An add-on, rendered."""

    addon: Addon
    workloads: tuple[Workload, ...]
    """What its values say it runs."""
    landings: tuple[WorkloadPlacement, ...]
    """What its chart gave."""
    images: tuple[str, ...] = ()

    def serving(self, landing: WorkloadPlacement) -> str | None:
        """The device that a workload offers: as we know it, or else by what runs in it."""
        if landing.kind != "DaemonSet":
            return None
        known = {each.name: each.serves for each in self.workloads if each.kind == landing.kind}
        if landing.name in known:
            return known[landing.name]
        if not landing.registers:
            # Feature discovery runs from the plugin's image, too.
            return None
        return next((_OFFERS[name] for name in map(_basename, landing.images) if name in _OFFERS), None)

    def meant(self, device: str, site: AddonContext) -> tuple[str, ...]:
        """The groups that it is to offer a device to."""
        only = all(each.of_hyperpod for each in self.workloads if each.serves == device)
        known = any(each.serves == device for each in self.workloads)
        return tuple(each.group for each in site.offering(device) if each.hyperpod or not (known and only))

    @property
    def devices(self) -> tuple[str, ...]:
        """What it is there to offer."""
        own = (self.addon.serves, *(each.serves for each in self.workloads))
        return tuple(dict.fromkeys(each for each in own if each))


def _basename(image: str) -> str:
    return image.partition("@")[0].rpartition("/")[2].partition(":")[0]


def misplaced(landed: RenderedObjects, site: AddonContext) -> Iterator[PlacementFault]:
    """What is wrong with one add-on by itself."""
    for device in landed.devices:
        yield from _served(landed, device, site)
    for each in landed.landings:
        yield from _elsewhere(landed, each, site)
        yield from _without_a_place(landed, each)
    if site.mirrors.images:
        yield from _not_mirrored(landed, site.mirrors.images)


def served_twice(every: Iterable[RenderedObjects], site: AddonContext) -> Iterator[PlacementFault]:
    """Devices of a group that several plugins offer, of whichever add-ons: told of the later ones."""
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for landed in every:
        for each in landed.landings:
            device = landed.serving(each)
            for group in each.groups if device else ():
                if device not in _nodes(site)[group]:
                    continue
                before = first.setdefault((str(device), group), (each.called, landed.addon.name))
                if before != (each.called, landed.addon.name):
                    yield PlacementFault(
                        ALONE,
                        landed.addon.name,
                        str(device),
                        group,
                        f"{each.called} offers {device} on group {group}, and so does {before[0]} of {before[1]}",
                        "keep one: two give the same device to two pods, and whichever goes takes all devices with it",
                    )


def _nodes(site: AddonContext) -> Mapping[str, frozenset[str]]:
    return {each.group: each.offers for each in site.nodes}


def _served(landed: RenderedObjects, device: str, site: AddonContext) -> Iterator[PlacementFault]:
    """Each group that has the device and needs a plugin for it, and where the plugin does not land."""
    serving = [each for each in landed.landings if landed.serving(each) == device]
    name = landed.addon.name
    for group in landed.meant(device, site):
        obstacles = [(each.called, each.obstacle(group)) for each in serving]
        if not serving:
            there = ", ".join(each.called for each in landed.landings if each.kind == "DaemonSet") or "none"
            got = f"no DaemonSet offers {device} to group {group} (there are: {there})"
            yield PlacementFault(SERVES, name, device, group, got, "leave the chart's plugin switched on")
        elif all(why for _, why in obstacles):
            called, why = obstacles[0]
            got = f"{called} keeps off group {group}, which has {device}: {why}"
            yield PlacementFault(SERVES, name, device, group, got, f"let it onto the nodes of group {group}")


def _elsewhere(landed: RenderedObjects, each: WorkloadPlacement, site: AddonContext) -> Iterator[PlacementFault]:
    """Where a DaemonSet lands that offers devices, or can, and none are to be offered by it."""
    if each.kind != "DaemonSet":
        return
    device = landed.serving(each)
    if device is None and not (each.registers and landed.devices):
        return
    wanted = (device,) if device else landed.devices
    meant = {group for one in wanted for group in landed.meant(one, site)}
    built_in = {nodes.group: nodes.built_in for nodes in site.nodes}
    for group in each.groups:
        if group in meant:
            continue
        own = built_in[group].intersection(wanted)
        why = f"whose image offers {', '.join(sorted(own))} itself" if own else f"which has no {' or '.join(wanted)}"
        got = f"{each.called} lands on group {group}, {why}"
        yield PlacementFault(ELSEWHERE, landed.addon.name, _kind(each), group, got, f"keep it off group {group}")


def _without_a_place(landed: RenderedObjects, each: WorkloadPlacement) -> Iterator[PlacementFault]:
    if each.kind == "DaemonSet" or not each.wanted or each.groups:
        return
    reasons = "; ".join(f"{group}: {each.obstacle(group)}" for group in each.obstacles)
    what = f"{each.called}, a hook," if each.hook else each.called
    got = f"{what} has no group that takes its pods: {reasons}"
    remedy = "tolerate the taints of a group for the system, or have one without taints"
    yield PlacementFault(PLACE, landed.addon.name, _kind(each), "", got, remedy)


def _kind(each: WorkloadPlacement) -> str:
    return " ".join((each.kind, *each.images))


def _not_mirrored(landed: RenderedObjects, mirror: str) -> Iterator[PlacementFault]:
    for image in landed.images:
        if not image.startswith(f"{mirror.rstrip('/')}/"):
            got = f"image {image} does not come from {mirror}"
            yield PlacementFault(MIRROR, landed.addon.name, image, "", got, "name it as it is called in the mirror")
