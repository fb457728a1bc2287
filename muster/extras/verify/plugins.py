"""Checks of device plugins and operators: present, ready, on every node that they serve, and without duplicates.
Pure."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from muster.addons.image_names import PLUGIN_IMAGES
from muster.blueprint.node import EFA_RESOURCE
from muster.extras.verify.checks import Deviation
from muster.extras.verify.expected import NVIDIA, Expectations, ExpectedGroup, ExpectedOperator, ExpectedPlugin
from muster.extras.verify.observed import DaemonSet, ObservedCluster, ObservedNode, ObservedPod
from muster.finding import Level
from muster.scheduling.constraints import PodConstraints
from muster.scheduling.fit import obstacles
from muster.scheduling.reason_text import reason_text

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

    plugin: ExpectedPlugin
    daemon_sets: tuple[DaemonSet, ...]
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


def _state(plugin: ExpectedPlugin, seen: ObservedCluster) -> PluginState:
    sets = _sets(seen, plugin.serves, (plugin.namespace, plugin.daemon_set))
    wanted = [node for node in seen.nodes if node.group in plugin.groups and node.ready]
    pods = _pods(seen, sets)
    missing = {node.name: _why(node, pods.get(node.name, []), sets) for node in wanted}
    return PluginState(plugin, sets, {node: why for node, why in missing.items() if why})


def _sets(seen: ObservedCluster, serves: str, name: tuple[str, str] | None = None) -> tuple[DaemonSet, ...]:
    """The plugin's DaemonSets: by namespace and name, or by their containers."""
    image = PLUGIN_IMAGES.get(serves)
    return tuple(each for each in seen.daemon_sets if (each.namespace, each.name) == name or _serves(each, image))


def _serves(daemon_set: DaemonSet, image: str | None) -> bool:
    """Whether the plugin of that image runs in it, and not only another program of the image. If a script starts it
    (the GPU Operator's entry point), the names decide."""
    if any(name in daemon_set.name for name in _BESIDE):
        return False
    return any(
        _basename(each.image) == image and not any(name in word for name in _NO_PLUGIN for word in each.words)
        for each in daemon_set.containers
    )


def _basename(image: str) -> str:
    return image.rpartition("/")[2].partition("@")[0].partition(":")[0]


def _pods(seen: ObservedCluster, sets: Iterable[DaemonSet]) -> dict[str, list[ObservedPod]]:
    """Node -> the pods of these DaemonSets there."""
    owners = {(each.namespace, each.name) for each in sets}
    found: dict[str, list[ObservedPod]] = {}
    for pod in seen.pods:
        if pod.owner[0] == "DaemonSet" and (pod.namespace, pod.owner[1]) in owners:
            found.setdefault(pod.node, []).append(pod)
    return found


def _why(node: ObservedNode, pods: list[ObservedPod], sets: tuple[DaemonSet, ...]) -> str:
    """Why no plugin serves the node; empty if one does."""
    if any(pod.ready for pod in pods):
        return ""
    if pods:
        return pods[0].waiting or f"its pod is {pods[0].phase}, but not ready"
    if not sets:
        return "the DaemonSet does not exist"
    found = (obstacle for each in sets for obstacle in obstacles(PodConstraints.of_daemon_set(each.template), node))
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
        what = f"the DaemonSet {plugin.namespace}/{plugin.daemon_set} is missing, so no node offers {plugin.serves}"
        yield Deviation("plugin-ready", Level.MANDATORY, plugin.where, what)
        return
    called = ", ".join(each.called for each in state.daemon_sets)
    for node, why in state.missing.items():
        what = f"no ready pod of {called}, so {plugin.serves} is not offered: {why}"
        yield Deviation("plugin-ready", Level.MANDATORY, plugin.where, what, node)


def _nvidia_twice(group: ExpectedGroup, seen: ObservedCluster) -> Iterator[Deviation]:
    if NVIDIA not in group.devices:
        return
    pods = _pods(seen, _sets(seen, NVIDIA))
    for node in seen.of_group(group.name):
        sets = {f"{pod.namespace}/{pod.owner[1]}" for pod in pods.get(node.name, ())}
        served = sorted(sets) + (["the plugin in the image"] if NVIDIA in group.built_in else [])
        if sets and len(served) > 1:
            what = f"has {len(served)} NVIDIA device plugins: {' and '.join(served)}"
            yield Deviation("one-nvidia-plugin", Level.MANDATORY, group.where, what, node.name)


def _takes_efa(group: ExpectedGroup, seen: ObservedCluster) -> Iterator[Deviation]:
    if not group.efa or NVIDIA not in group.devices:
        return
    taking = [each for each in _sets(seen, NVIDIA) if _mounts_infiniband(each)]
    pods = _pods(seen, taking)
    for node in seen.of_group(group.name):
        for pod in pods.get(node.name, ()):
            what = f"{pod.namespace}/{pod.owner[1]} mounts all of /dev/infiniband into GPU pods ({_MOFED})"
            yield Deviation("efa-left-to-its-plugin", Level.MANDATORY, group.where, what, node.name)


def _mounts_infiniband(plugin: DaemonSet) -> bool:
    given = plugin.environment.get(_MOFED)
    if given is not None:
        return given.lower() not in _OFF
    images = {each.image for each in plugin.containers if _basename(each.image) == PLUGIN_IMAGES[NVIDIA]}
    tags = {image.rpartition(":")[2] for image in images}
    return bool(tags & _MOFED_BY_DEFAULT)


def efa_plugin(states: Iterable[PluginState]) -> PluginState | None:
    """The state of the EFA plugin, if the description has it."""
    return next((state for state in states if state.plugin.serves == EFA_RESOURCE), None)


def _operator(operator: ExpectedOperator, seen: ObservedCluster) -> Iterator[Deviation]:
    called = f"{operator.namespace}/{operator.deployment}"
    found = next((each for each in seen.deployments if f"{each.namespace}/{each.name}" == called), None)
    if found is None or not found.ready:
        waiting = (pod.waiting for pod in seen.pods if pod.waiting and _is_of(pod, operator))
        why = "it is missing" if found is None else next(waiting, found.said)
        what = f"no pod of the Deployment {called} is ready{f': {why}' if why else ''}"
        yield Deviation("operator-ready", Level.MANDATORY, operator.where, what)


def _is_of(pod: ObservedPod, operator: ExpectedOperator) -> bool:
    return pod.namespace == operator.namespace and pod.owner[1].startswith(f"{operator.deployment}-")
