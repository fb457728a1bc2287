"""EKS add-ons, and the device plugins that eksctl installs.

From pkg/actions/addon/tasks.go (`CreateAddonTasks`), pkg/eks/tasks.go (`ClusterTasksForNodeGroups`) and
pkg/addons/assets of eksctl 0.231.
"""

from collections.abc import Callable, Mapping
from typing import Any

from muster.addons.sheet import chart_instance_types
from muster.fleet.resources.ref import ADDON
from muster.hardware.catalogue import Accelerator
from muster.sources.eksctl.group import Group, groups_of
from muster.sources.eksctl.resources import OWN_DAEMON_SETS, Resources, block, is_on, items
from muster.unknown import UNKNOWN

_RELEASE = "kubernetes:helm.sh/v3:Release"
_DEFAULT = ("vpc-cni", "kube-proxy", "coredns", "metrics-server")
_WITH_AUTO_MODE = ("metrics-server",)
_NEWEST = "latest"


def add_addons(resources: Resources, cluster: str) -> None:
    """Adds the EKS add-ons of the file, and the default ones that it does not name."""
    config = resources.config
    listed = config.get("addons")
    if listed is UNKNOWN:
        resources.missing(("addons",), "the add-ons, because the file has a placeholder")
        return
    named = set()
    for index, each in enumerate(listed or []):
        if each is UNKNOWN:
            continue
        name = each.get("name", UNKNOWN)
        named.add(str(name).lower())
        version = each.get("version")
        inputs = {
            "clusterName": resources.name,
            "addonName": name,
            "addonVersion": None if version == _NEWEST else version,  # EKS's newest for the cluster
            "configurationValues": each.get("configurationValues"),
        }
        shown = name if isinstance(name, str) else f"addons[{index}]"
        resources.add(ADDON, shown, inputs, ("addons", index), uses={"clusterName": (cluster,)})
    if is_on(block(config, "addonsConfig").get("disableDefaultAddons")):
        return
    has_auto_mode = is_on(block(config, "autoModeConfig").get("enabled"))
    for name in _WITH_AUTO_MODE if has_auto_mode else _DEFAULT:
        if name not in named:
            # The default version for the Kubernetes version.
            inputs = {"clusterName": resources.name, "addonName": name}
            resources.add(ADDON, name, inputs, ("metadata",), uses={"clusterName": (cluster,)})


_CRITICAL = {"key": "CriticalAddonsOnly", "operator": "Exists"}


def _nvidia_values(config: Mapping[str, Any]) -> dict[str, Any]:
    """The plugin's pods tolerate the taints of all groups with GPUs (`SetTolerations`). Their effect is not set, so
    they tolerate each effect."""
    tolerations: list[Any] = [{"key": "nvidia.com/gpu", "operator": "Exists", "effect": "NoSchedule"}]
    for group in groups_of(config):
        for taint in items(group.values, "taints") if group.has_gpu else []:
            if taint is not UNKNOWN and taint.get("key") not in [each["key"] for each in tolerations]:
                tolerations.append({"key": taint.get("key"), "value": taint.get("value", "")})
    return {"affinity": None, "tolerations": tolerations}


def _efa_values(_: Mapping[str, Any]) -> dict[str, Any]:
    tolerations = [_CRITICAL, {"key": "aws.amazon.com/efa", "operator": "Exists", "effect": "NoSchedule"}]
    return {"tolerations": tolerations, "supportedInstanceLabels": {"values": chart_instance_types("eksctl", _EFA)}}


def _neuron_values(_: Mapping[str, Any]) -> dict[str, Any]:
    taint = {"key": "aws.amazon.com/neuron", "operator": "Exists", "effect": "NoSchedule"}
    listed = chart_instance_types("eksctl", _NEURON)
    return {"neuronInstances": listed, "devicePlugin": {"tolerations": [_CRITICAL, taint]}}


_Values = Callable[[Mapping[str, Any]], dict[str, Any]]
_EFA, _NEURON, _TYPE = "aws-efa-k8s-device-plugin", "neuron-device-plugin", "instanceType"
_PLUGINS: Mapping[str, tuple[str, str, Callable[[Group], bool], _Values]] = {
    "nvidia-device-plugin": ("nvidia-device-plugin-daemonset", _TYPE, lambda group: group.has_gpu, _nvidia_values),
    _EFA: (_EFA, "efaEnabled", lambda group: is_on(group.efa), _efa_values),
    "neuron-helm-chart": (_NEURON, _TYPE, lambda group: group.has(Accelerator.NEURON), _neuron_values),
}
"""The chart that has the same plugin -> the name of eksctl's DaemonSet, the key of a group that asks for it, whether
the group does, and the values with which the chart's pods run where those of the DaemonSet run."""


def add_device_plugins(resources: Resources) -> None:
    """Adds the device plugins that eksctl installs with the groups, as the charts of the same plugins. Their versions
    are those of the eksctl that reads the file."""
    for chart, (name, key, wants, values) in _PLUGINS.items():
        path = next(((*group.path, key) for group in groups_of(resources.config) if wants(group)), None)
        if path is not None:
            inputs = {"chart": chart, "version": UNKNOWN, "values": values(resources.config)}
            resources.add(_RELEASE, f"{OWN_DAEMON_SETS}{name}", inputs, path)
