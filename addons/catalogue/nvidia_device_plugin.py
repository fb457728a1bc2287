"""The NVIDIA device plugin: offers nvidia.com/gpu.

Chart 0.20.0, `deployments/helm/nvidia-device-plugin/values.yaml`: its default affinity asks for a label that AL2023
sets only from kubelet 1.35 on, so on older nodes it runs nowhere, without any error; `affinity` and `tolerations`
given in values replace the defaults. Bottlerocket has the plugin built in, and may run beside AL2023 on the same type:
so nodes are also selected by their group.

Beside the plugin the chart always makes a second DaemonSet, for MPS, which wants a label that only the plugin's own
feature discovery sets. The workloads of `gfd` and `nfd`, which a user may turn on, are left out here: they offer no
devices, and the labels that they set come from the hardware.

`_workloads` compared with chart 0.20.0 rendered by Helm 3.19 (`tests/addons/test_real_charts.py`): both DaemonSets'
name, namespace, priority class, node selector, affinity, tolerations and requests; for the chart's defaults, our
values, and values that replace, extend and delete each of them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from muster.addons.addon import Addon, Chart, Json
from muster.addons.context import AddonContext, group_names, instance_types, tolerations
from muster.addons.values import at, over_defaults
from muster.addons.workload import Placement, Workload, among, full_name, on_groups, shortened

_CHART = "nvidia-device-plugin"
_NAMESPACE = "kube-system"  # the chart refuses `default`; its priority class wants a system namespace
_RESOURCE = "nvidia.com/gpu"


def _values(context: AddonContext) -> dict[str, Any]:
    nodes = context.offering(_RESOURCE)
    return {
        "affinity": on_groups(instance_types(nodes), group_names(nodes)),
        "tolerations": [{"key": "CriticalAddonsOnly", "operator": "Exists"}, *tolerations(nodes)],
        # On by default in 0.19.0 to 0.19.2: mounts /dev/infiniband into GPU pods, against the EFA plugin
        # (k8s-device-plugin#1692).
        "mofedEnabled": False,
        "gfd": {"enabled": False},
        "nfd": {"enabled": False},
    }


def _mirrored(registry: str) -> Json:
    """Feature discovery runs from the plugin's image; NFD, if a user enables it, has another image."""
    return {
        "image": {"repository": f"{registry}/nvidia/k8s-device-plugin"},
        "nfd": {"image": {"repository": f"{registry}/nfd/node-feature-discovery"}},
    }


def _present(label: str, value: str) -> Json:
    return {"matchExpressions": [among(label, [value])]}


_DEFAULTS: dict[str, Any] = {
    "devicePlugin": {"enabled": True},
    "priorityClassName": "system-node-critical",
    "affinity": {
        "nodeAffinity": {
            "requiredDuringSchedulingIgnoredDuringExecution": {
                "nodeSelectorTerms": [
                    _present("feature.node.kubernetes.io/pci-10de.present", "true"),
                    _present("feature.node.kubernetes.io/cpu-model.vendor_id", "NVIDIA"),
                    _present("nvidia.com/gpu.present", "true"),
                ]
            }
        }
    },
    "tolerations": [
        {"key": "CriticalAddonsOnly", "operator": "Exists"},
        {"key": _RESOURCE, "operator": "Exists", "effect": "NoSchedule"},
    ],
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    return daemon_sets(full_name(_CHART, values), values) if at(values, "devicePlugin", "enabled") else ()


def daemon_sets(name: str, values: Mapping[str, Any]) -> tuple[Workload, Workload]:
    """The chart's two DaemonSets: the plugin, and the daemon for MPS.

    Args:
        name: the plugin's.
        values: of the chart, or of the sub-chart in another chart; its defaults included.
    """
    plugin = Workload(
        "DaemonSet",
        name,
        values.get("namespaceOverride") or _NAMESPACE,
        Placement.of(values, values.get("priorityClassName")),
        values.get("resources") or {},
        serves=_RESOURCE,
    )
    selected = {"nvidia.com/mps.capable": "true", **plugin.placement.node_selector}
    sharing = replace(
        plugin,
        name=shortened(f"{name}-mps-control-daemon"),
        placement=replace(plugin.placement, node_selector=selected),
        serves=None,
    )
    return plugin, sharing


ADDON = Addon(
    name="nvidia-device-plugin",
    namespace=_NAMESPACE,
    source=Chart("https://nvidia.github.io/k8s-device-plugin", _CHART, _values, mirrored=_mirrored),
    reason="GPU nodes need it to offer nvidia.com/gpu",
    workloads=_workloads,
    serves=_RESOURCE,
)
