"""Checks of device plugins and operators: present, ready, on every node that they serve, and without duplicates.
Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from muster.addons.image_names import PLUGIN_IMAGES
from muster.finding import Level
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import obstacles
from muster.scheduling.reason_text import reason_text
from muster.verify.checks import Deviation
from muster.verify.expected import NVIDIA, Expectations, ExpectedGroup, ExpectedWorkload
from muster.verify.observed import Json, ObservedCluster, ObservedNode, ObservedPod, plain_environment

_MOFED = "MOFED_ENABLED"
_MOFED_BY_DEFAULT = frozenset({"v0.19.0", "v0.19.1", "v0.19.2"})
"""NVIDIA's plugin mounts /dev/infiniband into every GPU pod by default (k8s-device-plugin#1692, fixed in 0.19.3)."""
_OFF = frozenset({"false", "0", ""})

_BESIDE = ("gpu-feature-discovery", "mps-control-daemon")
_NO_PLUGIN = (*_BESIDE, "config-manager")
"""Other programs in the plugin's image: feature discovery and the MPS daemon, in separate DaemonSets, and their common
sidecar (k8s-device-plugin, `deployments/helm/nvidia-device-plugin/templates`; the GPU Operator's assets). They serve no
devices."""


@dataclass(frozen=True, slots=True)
class PluginState:
    """The observed state of one plugin of the description."""

    plugin: ExpectedWorkload
    daemon_sets: Mapping[str, Json]
    """Name -> the `spec` of its pods."""
    missing: Mapping[str, str]
    """Node that it should serve, but does not -> the reason."""


def plugin_states(expected: Expectations, seen: ObservedCluster) -> tuple[PluginState, ...]:
    """Every plugin of the description. Nodes that are not ready are left out, because they have their own finding."""
    return tuple(_state(plugin, seen) for plugin in expected.plugins)


def unserved_devices(states: Iterable[PluginState]) -> dict[str, frozenset[str]]:
    """Node -> the resources that it does not offer because their plugin does not run."""
    found: dict[str, frozenset[str]] = {}
    for state in states:
        for node in state.missing:
            found[node] = found.get(node, frozenset()) | {state.plugin.serves}
    return found


def _state(plugin: ExpectedWorkload, seen: ObservedCluster) -> PluginState:
    sets = _sets(seen, plugin.serves, plugin.called)
    wanted = [node for node in seen.nodes if node.group in plugin.groups and node.ready]
    pods = _pods(seen, sets)
    missing = {node.name: _why(node, pods.get(node.name, []), sets) for node in wanted}
    return PluginState(plugin, sets, {node: why for node, why in missing.items() if why})


def _sets(seen: ObservedCluster, serves: str, own: str = "") -> dict[str, Json]:
    """The plugin's DaemonSets: by name, or by their containers."""
    image = PLUGIN_IMAGES.get(serves)
    return {name: spec for name, spec in seen.daemon_sets.items() if name == own or _serves(name, spec, image)}


def _serves(daemon_set: str, spec: Json, image: str | None) -> bool:
    """Whether the plugin of that image runs in it, and not only another program of the image. If a script starts it
    (the GPU Operator's entry point), the names decide."""
    if any(name in daemon_set.partition("/")[2] for name in _BESIDE):
        return False
    return any(
        _basename(_image(each)) == image and not any(name in word for name in _NO_PLUGIN for word in _words(each))
        for each in spec.get("containers", ())
    )


def _image(container: Json) -> str:
    return str(container.get("image") or "")


def _words(container: Json) -> Iterator[str]:
    """The name of a container, its command and its arguments."""
    yield str(container.get("name") or "")
    yield from map(str, (*(container.get("command") or ()), *(container.get("args") or ())))


def _basename(image: str) -> str:
    return image.rpartition("/")[2].partition("@")[0].partition(":")[0]


def _pods(seen: ObservedCluster, sets: Mapping[str, Json]) -> dict[str, list[ObservedPod]]:
    """Node -> the pods of these DaemonSets there."""
    found: dict[str, list[ObservedPod]] = {}
    for pod in seen.pods:
        if pod.owner[0] == "DaemonSet" and pod.owner[1] in sets:
            found.setdefault(pod.node, []).append(pod)
    return found


def _why(node: ObservedNode, pods: list[ObservedPod], sets: Mapping[str, Json]) -> str:
    """Why no plugin serves the node; empty if one does."""
    if any(pod.ready for pod in pods):
        return ""
    if pods:
        return pods[0].waiting or f"its pod is {pods[0].phase}, but not ready"
    if not sets:
        return "the DaemonSet does not exist"
    found = (obstacle for spec in sets.values() for obstacle in obstacles(PodConstraints.of_daemon_set(spec), node))
    unmade = "its DaemonSet has created no pod for the node: see `kubectl describe daemonset`"
    return next(map(reason_text, found), unmade)


def plugin_deviations(
    expected: Expectations, seen: ObservedCluster, states: Iterable[PluginState]
) -> Iterator[Deviation]:
    """All deviations of plugins and operators."""
    for state in states:
        yield from _missing(state)
    for group in expected.groups:
        yield from _nvidia_twice(group, seen)
        yield from _takes_efa(group, seen)
    for operator in expected.operators:
        yield from _operator(operator, seen)


def _missing(state: PluginState) -> Iterator[Deviation]:
    plugin = state.plugin
    if not state.daemon_sets:
        what = f"the DaemonSet {plugin.called} is missing, so no node offers {plugin.serves}"
        yield Deviation("plugin-ready", Level.MANDATORY, plugin.where, what)
        return
    called = ", ".join(state.daemon_sets)
    for node, why in state.missing.items():
        what = f"no ready pod of {called}, so {plugin.serves} is not offered: {why}"
        yield Deviation("plugin-ready", Level.MANDATORY, plugin.where, what, node)


def _nvidia_twice(group: ExpectedGroup, seen: ObservedCluster) -> Iterator[Deviation]:
    if NVIDIA not in group.node.devices:
        return
    pods = _pods(seen, _sets(seen, NVIDIA))
    for node in seen.of_group(group.name):
        sets = {pod.owner[1] for pod in pods.get(node.name, ())}
        served = sorted(sets) + (["the plugin in the image"] if NVIDIA in group.built_in else [])
        if sets and len(served) > 1:
            what = f"has {len(served)} NVIDIA device plugins: {' and '.join(served)}"
            yield Deviation("one-nvidia-plugin", Level.MANDATORY, group.where, what, node.name)


def _takes_efa(group: ExpectedGroup, seen: ObservedCluster) -> Iterator[Deviation]:
    if not group.node.efa or NVIDIA not in group.node.devices:
        return
    taking = {name: spec for name, spec in _sets(seen, NVIDIA).items() if _mounts_infiniband(spec)}
    pods = _pods(seen, taking)
    for node in seen.of_group(group.name):
        for pod in pods.get(node.name, ()):
            what = f"{pod.owner[1]} mounts all of /dev/infiniband into GPU pods ({_MOFED})"
            yield Deviation("efa-left-to-its-plugin", Level.MANDATORY, group.where, what, node.name)


def _mounts_infiniband(spec: Json) -> bool:
    containers = spec.get("containers", ())
    given = plain_environment(containers).get(_MOFED)
    if given is not None:
        return given.lower() not in _OFF
    images = {image for image in map(_image, containers) if _basename(image) == PLUGIN_IMAGES[NVIDIA]}
    tags = {image.rpartition(":")[2] for image in images}
    return bool(tags & _MOFED_BY_DEFAULT)


def _operator(operator: ExpectedWorkload, seen: ObservedCluster) -> Iterator[Deviation]:
    called = operator.called
    found = seen.deployments.get(called)
    if found is None or not found.get("readyReplicas"):
        waiting = (pod.waiting for pod in seen.pods if pod.waiting and pod.owner[1].startswith(f"{called}-"))
        unmet = (each for each in (found or {}).get("conditions") or () if each["type"] == "Available")
        said = next((each.get("message", "") for each in unmet if each["status"] != "True"), "")
        why = "it is missing" if found is None else next(waiting, said)
        what = f"no pod of the Deployment {called} is ready{f': {why}' if why else ''}"
        yield Deviation("operator-ready", Level.MANDATORY, operator.where, what)
