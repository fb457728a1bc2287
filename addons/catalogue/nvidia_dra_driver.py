"""NVIDIA's DRA driver for GPUs: pods claim GPUs of the DeviceClass gpu.nvidia.com.

Chart 0.4.1 of kubernetes-sigs/dra-driver-nvidia-gpu (764900e, `deployments/helm/dra-driver-nvidia-gpu`):

- It refuses `resources.gpus.enabled`, its default, without `gpuResourcesEnabledOverride` (`templates/validation.yaml`):
  whoever sets this states that no device plugin runs on the nodes.
- Its default affinity requires a label of Node Feature Discovery, or one that AL2023 sets only from kubelet 1.35 on. A
  merge keeps the default for what the values do not set, and ours sets the whole term.
- `nvidiaDriverRoot` is `/` for a driver that the image contains, as EKS's do.
- ComputeDomains are for multi-node NVLink, which only the nodes of UltraServers have. On other clusters they are off:
  their controller would wait for nodes that the cluster does not have.

`_workloads` compared with the chart rendered by Helm (`tests/addons/test_real_charts.py`).
"""

from collections.abc import Container, Iterator, Mapping
from typing import Any

from muster.addons.addon import Addon, Chart, Json
from muster.addons.context import AddonContext, group_names, instance_types, system_tolerations, tolerations
from muster.addons.values import at, over_defaults
from muster.addons.workload import Placement, Workload, among, on_groups, shortened
from muster.blueprint.gpu_sharing import GPU
from muster.hardware.ultraservers import has_nvlink

_CHART = "dra-driver-nvidia-gpu"
_NAMESPACE = "dra-driver-nvidia-gpu"


def _values(context: AddonContext) -> Json:
    groups = getattr(context.chosen["nvidia-dra-driver"], "groups", None)
    # With GPUs off in the values, its pods still run there, for ComputeDomains.
    nodes = context.driven(GPU) or [each for each in context.having(GPU) if groups is None or each.group in groups]
    operators = system_tolerations(context)
    domains = any(has_nvlink(node.ec2_type) for node in nodes)
    return {
        "gpuResourcesEnabledOverride": True,
        "resources": {"gpus": {"enabled": True}, "computeDomains": {"enabled": domains}},
        "nvidiaDriverRoot": "/",
        "kubeletPlugin": {
            "affinity": on_groups(instance_types(nodes), group_names(nodes)),
            "tolerations": tolerations(nodes),
        },
        **({"controller": {"tolerations": operators}, "webhook": {"tolerations": operators}} if operators else {}),
    }


ONLY_COMPUTE_DOMAINS: Json = {"resources": {"gpus": {"enabled": False}}}
"""The values with which the driver offers no GPUs: a device plugin offers them."""


def for_compute_domains(chosen: Container[str]) -> str:
    """The entry of the driver in a description whose add-ons are `chosen`: without GPUs beside their device plugin."""
    with_plugin = "nvidia-device-plugin" in chosen
    return f"{ADDON.name}: {'{values: {resources: {gpus: {enabled: false}}}}' if with_plugin else '{}'}"


def _mirrored(registry: str) -> Json:
    return {"image": {"repository": f"{registry}/dra-driver-nvidia/dra-driver-nvidia-gpu"}}


def _present(label: str, value: str) -> Json:
    return {"matchExpressions": [among(label, [value])]}


_CONTROL_PLANE = [
    {"key": "node-role.kubernetes.io/control-plane", "operator": "Exists", "effect": "NoSchedule"},
    {"key": "node-role.kubernetes.io/master", "operator": "Exists", "effect": "NoSchedule"},
    {"key": "CriticalAddonsOnly", "operator": "Exists"},
]

_DEFAULTS: Json = {
    "resources": {"gpus": {"enabled": True}, "computeDomains": {"enabled": True}},
    "kubeletPlugin": {
        "priorityClassName": "system-node-critical",
        "tolerations": [{"key": GPU, "operator": "Exists", "effect": "NoSchedule"}],
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [
                        _present("feature.node.kubernetes.io/pci-10de.present", "true"),
                        _present("feature.node.kubernetes.io/pci-0302_10de.present", "true"),
                        _present("feature.node.kubernetes.io/pci-0300_10de.present", "true"),
                        _present("feature.node.kubernetes.io/cpu-model.vendor_id", "NVIDIA"),
                        _present("nvidia.com/gpu.present", "true"),
                    ]
                }
            }
        },
    },
    "controller": {
        "replicas": 1,
        "priorityClassName": "system-node-critical",
        "tolerations": _CONTROL_PLANE,
        "affinity": {
            "nodeAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [
                    {
                        "weight": 100,
                        "preference": {
                            "matchExpressions": [{"key": "node-role.kubernetes.io/control-plane", "operator": "Exists"}]
                        },
                    }
                ]
            },
            "podAntiAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [
                    {
                        "weight": 100,
                        "podAffinityTerm": {
                            "labelSelector": {"matchLabels": {"dra-driver-nvidia-gpu-component": "controller"}},
                            "topologyKey": "kubernetes.io/hostname",
                        },
                    }
                ]
            },
        },
    },
    "webhook": {
        "enabled": False,
        "replicas": 1,
        "priorityClassName": "system-cluster-critical",
        "tolerations": [{"key": "CriticalAddonsOnly", "operator": "Exists"}],
    },
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
    name = shortened(str(values.get("nameOverride") or _CHART))
    return tuple(_of_chart(name, values.get("namespaceOverride") or _NAMESPACE, values))


def _of_chart(name: str, namespace: str, values: Mapping[str, Any]) -> Iterator[Workload]:
    gpus, domains = (at(values, "resources", each, "enabled") for each in ("gpus", "computeDomains"))
    if gpus or domains:
        plugin = at(values, "kubeletPlugin") or {}
        containers = (("computeDomains", domains), ("gpus", gpus))
        requested = [at(plugin, "containers", each, "resources") or {} for each, runs in containers if runs]
        yield Workload(
            "DaemonSet",
            f"{name}-kubelet-plugin",
            namespace,
            Placement.of(plugin, plugin.get("priorityClassName")),
            requested[0],
            beside=tuple(requested[1:]),
        )
    if domains:
        yield _deployment(f"{name}-controller", namespace, at(values, "controller") or {}, "computeDomain")
    if at(values, "webhook", "enabled"):
        yield _deployment(f"{name}-webhook", namespace, values["webhook"], "webhook")


def _deployment(name: str, namespace: str, values: Mapping[str, Any], container: str) -> Workload:
    return Workload(
        "Deployment",
        name,
        namespace,
        Placement.of(values, values.get("priorityClassName")),
        at(values, "containers", container, "resources") or {},
        replicas=values.get("replicas", 1),
    )


ADDON = Addon(
    name="nvidia-dra-driver",
    namespace=_NAMESPACE,
    source=Chart("oci://registry.k8s.io/dra-driver-nvidia/charts", _CHART, _values, mirrored=_mirrored),
    reason="pods claim GPUs of the DeviceClass gpu.nvidia.com",
    workloads=_workloads,
)
