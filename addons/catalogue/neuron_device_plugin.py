"""The Neuron device plugin: its values and workloads. See `neuron_device_plugin.toml`."""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Json
from muster.addons.catalogue.hyperpod import monitored_without_gpus
from muster.addons.context import HEALTH_TAINT, AddonContext, instance_types, system_tolerations, tolerations
from muster.addons.sheet import addon, defaults
from muster.addons.values import at, over_defaults
from muster.addons.workload import Placement, Workload, full_name
from muster.blueprint.labels import INSTANCE_TYPE
from muster.config.description.addons import NeuronOptions
from muster.versions import KUBE_SCHEDULERS, NEURON_SCHEDULER_IMAGE, Image

_NAME = "neuron-device-plugin"
_CHART = "neuron-helm-chart"
_NAMESPACE = "kube-system"  # where the chart puts the plugin in any case
_RESOURCE = "aws.amazon.com/neuron"

SCHEDULER = "my-scheduler"
"""The `schedulerName` of a pod that takes a part of a node's devices."""


def _values(context: AddonContext) -> dict[str, Any]:
    options = context.chosen[_NAME]
    assert isinstance(options, NeuronOptions)
    nodes = context.offering(_RESOURCE)
    # HyperPod's own plugin has the same name and is off, so this one is for HyperPod's nodes, described or not.
    hyperpods = context.has("hyperpod") and not any(each.hyperpod for each in nodes)
    listed = sorted({*instance_types(nodes), *monitored_without_gpus()}) if hyperpods else instance_types(nodes)
    health = [{"key": HEALTH_TAINT, "operator": "Exists"}] if hyperpods else []
    return {
        "neuronInstances": listed,
        "devicePlugin": {
            "enabled": True,
            "tolerations": [{"key": "CriticalAddonsOnly", "operator": "Exists"}, *tolerations(nodes), *health],
        },
        "scheduler": _scheduler(context) if options.scheduler else {"enabled": False},
        "npd": {"enabled": False},
        "draDriver": {"enabled": False},
    }


def _scheduler(context: AddonContext) -> Json:
    listed = system_tolerations(context)
    # None for a version that EKS does not run; a rule refuses that.
    tag = KUBE_SCHEDULERS.get(context.kubernetes)
    return {
        "enabled": True,
        "tolerations": listed,
        "customScheduler": {
            "enabled": True,
            "fullnameOverride": SCHEDULER,
            "tolerations": listed,
            **({"image": {"tag": tag}} if tag else {}),
        },
        # It configures the control plane's scheduler, which EKS runs.
        "defaultScheduler": {"enabled": False},
    }


def _images(context: AddonContext) -> tuple[Image, ...]:
    options = context.chosen[_NAME]
    if not isinstance(options, NeuronOptions) or not options.scheduler:
        return ()
    tag = KUBE_SCHEDULERS.get(context.kubernetes)
    beside = (Image(f"public.ecr.aws/eks-distro/kubernetes/kube-scheduler:{tag}"),) if tag else ()
    return (NEURON_SCHEDULER_IMAGE, *beside)


_KEY, _TYPES = "__INSTANCE_TYPE_KEY__", "__NEURON_INSTANCES__"
"""Placeholders in an affinity, which the chart's template fills."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(defaults(_NAME), given)
    return (*_plugin(values), *_schedulers(values.get("scheduler") or {}))


def _plugin(values: Mapping[str, Any]) -> tuple[Workload, ...]:
    if not at(values, "devicePlugin", "enabled"):
        return ()
    plugin = values["devicePlugin"]
    return (
        Workload(
            "DaemonSet",
            full_name(_CHART, plugin),
            plugin.get("namespaceOverride") or _NAMESPACE,
            Placement(
                plugin.get("tolerations") or [],
                _filled(plugin.get("affinity") or {}, values.get("neuronInstances")),
                plugin.get("nodeSelector") or {},
                plugin.get("priorityClassName"),
            ),
            plugin.get("resources") or {},
            serves=_RESOURCE,
        ),
    )


def _schedulers(values: Mapping[str, Any]) -> tuple[Workload, ...]:
    """The extension, and the scheduler that calls it."""
    if not values.get("enabled"):
        return ()
    own = values.get("customScheduler") or {}
    extension = _deployment(values, values.get("priorityClassName"))
    return (extension, _deployment(own, None)) if own.get("enabled") else (extension,)


def _deployment(values: Mapping[str, Any], priority: str | None) -> Workload:
    namespace = values.get("namespaceOverride") or _NAMESPACE
    placement = Placement.of(values, priority)
    return Workload.deployment(full_name(_CHART, values), namespace, values, placement, replicas="replicaCount")


def _filled(affinity: Any, types: Any) -> Any:
    if isinstance(affinity, dict):
        return {key: _filled(value, types) for key, value in affinity.items()}
    if isinstance(affinity, list):
        return [_filled(each, types) for each in affinity]
    return {_KEY: INSTANCE_TYPE, _TYPES: types}.get(affinity, affinity) if isinstance(affinity, str) else affinity


ADDON = addon(_NAME, values=_values, workloads=_workloads, more_images=_images)
