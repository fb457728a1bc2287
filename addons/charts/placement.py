"""On which groups the pods of rendered objects may be, and faults in that. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from muster.addons.addon import Addon
from muster.addons.context import AddonContext
from muster.addons.image_names import PLUGIN_IMAGES
from muster.addons.values import at
from muster.addons.workload import Workload
from muster.scheduling.constraints import MalformedConstraints, PodConstraints
from muster.scheduling.fit import obstacles
from muster.scheduling.node import KubernetesNode
from muster.scheduling.reason_text import reason_text

Json = dict[str, Any]

_POD_AT: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("DaemonSet", "Deployment", "StatefulSet", "ReplicaSet", "Job"), ("spec", "template")),
    "CronJob": ("spec", "jobTemplate", "spec", "template"),
    "Pod": (),
}
"""Kind -> the place of its pod template. Operators make pods of custom resources, which are not looked at."""

_DEVICE_PLUGINS = "/var/lib/kubelet/device-plugins"
"""A device plugin registers with the kubelet in this folder (Kubernetes, "Device Plugins")."""

_HOOK = "helm.sh/hook"


class PlannedNode(Protocol):
    """A planned node."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def group(self) -> str:
        """Its group's name."""

    @property
    def manifest(self) -> Json:
        """The Node object."""


@dataclass(frozen=True, slots=True)
class WorkloadPlacement:
    """One workload, and the groups that its pods may be on."""

    kind: str
    namespace: str
    name: str
    obstacles: Mapping[str, tuple[str, ...]]
    """Group -> for each of its nodes why it accepts no such pod; an empty text if it does."""
    hook: bool
    """Whether it is a Helm hook."""
    registers: bool
    """Whether it mounts the kubelet's folder for device plugins."""
    images: tuple[str, ...]
    has_pods: bool = True
    """Whether it has any: a Deployment of no replicas needs no node."""

    @property
    def display_name(self) -> str:
        """``DaemonSet kube-system/nvidia-device-plugin``."""
        return f"{self.kind} {self.namespace}/{self.name}"

    @property
    def groups(self) -> tuple[str, ...]:
        """The groups of which a node takes its pods."""
        return tuple(group for group, each in self.obstacles.items() if "" in each)

    def obstacle(self, group: str) -> str:
        """Why some node of a group does not take its pods; empty where all do."""
        return next(filter(None, self.obstacles[group]), "")


def workload_placements(objects: Iterable[Json], nodes: Iterable[PlannedNode]) -> tuple[WorkloadPlacement, ...]:
    """Every workload of rendered objects, in their order.

    Args:
        objects: what an installation creates, hooks included.
        nodes: at least one of each group in each of its zones.
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
    """Why a node accepts no such pod; empty if it does."""
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
    """One check of rendered add-ons."""

    id: str
    title: str
    source: str


_PLUGINS = "Kubernetes, Device Plugins"
_PODS = "Kubernetes, Assigning Pods to Nodes"

RENDERS = "chart-renders"
SERVES = "plugin-lands-where-it-serves"
ELSEWHERE = "plugin-lands-nowhere-else"
ALONE = "one-plugin-for-a-device"
PLACE = "pods-have-a-place"
MIRROR = "images-come-from-the-mirror"

CHECKS = {
    each.id: each
    for each in (
        Check(RENDERS, "Helm renders a chart with the values of Muster and of the user", "Helm, helm template"),
        Check(SERVES, "A plugin's DaemonSet runs on every group that has its device", _PLUGINS),
        Check(ELSEWHERE, "No DaemonSet that can offer devices runs on another group", _PLUGINS),
        Check(ALONE, "No other plugin offers the device of a group", "EKS user guide, device-management-nvidia"),
        Check(PLACE, "Every Deployment, Job and hook has a group that accepts its pods", _PODS),
        Check(MIRROR, "Every image comes from the image mirror, if there is one", "Muster, image-mirror"),
    )
}

_DEVICE_OF_IMAGE = {image: device for device, image in PLUGIN_IMAGES.items()}


@dataclass(frozen=True, slots=True, order=True)
class PlacementFault:
    """One fault of one add-on. `muster.addons.charts.cluster_rendering` finds whether the user's values cause it."""

    check: str
    addon: str
    about: str
    """A device, an image, or the kind and images of a workload: with other values its name may differ."""
    group: str
    """Empty where it is about no group."""
    got: str = field(compare=False)
    remedy: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class RenderedObjects:
    """The workloads of one add-on, as rendered."""

    addon: Addon
    workloads: tuple[Workload, ...]
    """As Muster derives them from the values."""
    placements: tuple[WorkloadPlacement, ...]
    """As its chart renders them."""
    images: tuple[str, ...] = ()

    def device_of(self, placement: WorkloadPlacement) -> str | None:
        """The device that a workload offers, by Muster's data or by the workload's images; None if it offers none."""
        if placement.kind != "DaemonSet":
            return None
        known = {each.name: each.serves for each in self.workloads if each.kind == placement.kind}
        if placement.name in known:
            return known[placement.name]
        if not placement.registers:
            return None  # feature discovery also runs from the plugin's image
        images = map(_basename, placement.images)
        return next((_DEVICE_OF_IMAGE[name] for name in images if name in _DEVICE_OF_IMAGE), None)

    def groups_with(self, device: str, context: AddonContext) -> tuple[str, ...]:
        """The groups on which it has to offer a device."""
        serving = [each for each in self.workloads if each.serves == device]
        hyperpod_only = bool(serving) and all(each.of_hyperpod for each in serving)
        return tuple(each.group for each in context.offering(device) if each.hyperpod or not hyperpod_only)

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices that it offers."""
        own = (self.addon.serves, *(each.serves for each in self.workloads))
        return tuple(dict.fromkeys(each for each in own if each))


def _basename(image: str) -> str:
    return image.partition("@")[0].rpartition("/")[2].partition(":")[0]


def placement_faults(objects: RenderedObjects, context: AddonContext) -> Iterator[PlacementFault]:
    """The faults of one add-on, without those that need several."""
    for device in objects.devices:
        yield from _groups_without_plugin(objects, device, context)
    for each in objects.placements:
        yield from _groups_without_device(objects, each, context)
        yield from _no_group(objects, each)
    if context.mirrors.images:
        yield from _not_mirrored(objects, context.mirrors.images)


def devices_offered_twice(every: Iterable[RenderedObjects], context: AddonContext) -> Iterator[PlacementFault]:
    """A fault of each plugin that offers a device of a group which an earlier one offers."""
    offers = {each.group: each.offers for each in context.nodes}
    first: dict[tuple[str, str], tuple[str, str]] = {}
    for objects in every:
        for each in objects.placements:
            device = objects.device_of(each)
            for group in each.groups if device else ():
                if device not in offers[group]:
                    continue
                earlier = first.setdefault((str(device), group), (each.display_name, objects.addon.name))
                if earlier != (each.display_name, objects.addon.name):
                    yield PlacementFault(
                        ALONE,
                        objects.addon.name,
                        str(device),
                        group,
                        f"{each.display_name} offers {device} on group {group}, but {earlier[0]} of {earlier[1]} "
                        "already offers it",
                        "keep only one of them: two plugins give the same device to two pods, and removing either "
                        "removes all devices",
                    )


def _groups_without_plugin(objects: RenderedObjects, device: str, context: AddonContext) -> Iterator[PlacementFault]:
    serving = [each for each in objects.placements if objects.device_of(each) == device]
    name = objects.addon.name
    for group in objects.groups_with(device, context):
        if not serving:
            there = ", ".join(each.display_name for each in objects.placements if each.kind == "DaemonSet") or "none"
            got = f"no DaemonSet offers {device} to group {group} (there are: {there})"
            yield PlacementFault(SERVES, name, device, group, got, "keep the plugin of the chart enabled")
        elif all(each.obstacle(group) for each in serving):
            got = (
                f"{serving[0].display_name} does not run on group {group}, which has {device}: "
                f"{serving[0].obstacle(group)}"
            )
            yield PlacementFault(
                SERVES,
                name,
                device,
                group,
                got,
                f"change its values so that its pods can run on the nodes of group {group}",
            )


def _groups_without_device(
    objects: RenderedObjects, each: WorkloadPlacement, context: AddonContext
) -> Iterator[PlacementFault]:
    if each.kind != "DaemonSet":
        return
    device = objects.device_of(each)
    if device is None and not (each.registers and objects.devices):
        return
    devices = (device,) if device else objects.devices
    right = {group for one in devices for group in objects.groups_with(one, context)}
    built_in = {nodes.group: nodes.built_in for nodes in context.nodes}
    for group in each.groups:
        if group in right:
            continue
        own = built_in[group].intersection(devices)
        why = f"whose image already offers {', '.join(sorted(own))}" if own else f"which has no {' or '.join(devices)}"
        got = f"{each.display_name} runs on group {group}, {why}"
        yield PlacementFault(
            ELSEWHERE,
            objects.addon.name,
            _about(each),
            group,
            got,
            f"change its values so that its pods do not run on group {group}",
        )


def _no_group(objects: RenderedObjects, each: WorkloadPlacement) -> Iterator[PlacementFault]:
    if each.kind == "DaemonSet" or not each.has_pods or each.groups:
        return
    reasons = "; ".join(f"{group}: {each.obstacle(group)}" for group in each.obstacles)
    what = f"the hook {each.display_name}" if each.hook else each.display_name
    got = f"no group accepts the pods of {what}: {reasons}"
    remedy = "add tolerations for the taints of a system group, or add a group without taints"
    yield PlacementFault(PLACE, objects.addon.name, _about(each), "", got, remedy)


def _about(each: WorkloadPlacement) -> str:
    return " ".join((each.kind, *each.images))


def _not_mirrored(objects: RenderedObjects, mirror: str) -> Iterator[PlacementFault]:
    for image in objects.images:
        if not image.startswith(f"{mirror.rstrip('/')}/"):
            got = f"image {image} does not come from {mirror}"
            yield PlacementFault(
                MIRROR, objects.addon.name, image, "", got, "set the image to its address in the mirror"
            )
