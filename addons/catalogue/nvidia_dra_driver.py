"""NVIDIA's DRA driver for GPUs: its values and workloads. See `nvidia_dra_driver.toml`."""

from collections.abc import Container, Iterator, Mapping
from typing import Any

from muster.addons.addon import Json
from muster.addons.context import AddonContext, group_names, instance_types, system_tolerations, tolerations
from muster.addons.sheet import addon, defaults
from muster.addons.values import at, over_defaults
from muster.addons.workload import Placement, Workload, on_groups, shortened
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


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(defaults("nvidia-dra-driver"), given)
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


ADDON = addon("nvidia-dra-driver", values=_values, workloads=_workloads)
