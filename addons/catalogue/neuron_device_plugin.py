"""The Neuron device plugin: its values and workloads. See `neuron_device_plugin.toml`."""

from collections.abc import Mapping
from typing import Any

from muster.addons.catalogue.hyperpod import monitored_without_gpus
from muster.addons.context import HEALTH_TAINT, AddonContext, instance_types, tolerations
from muster.addons.sheet import addon, defaults, workloads
from muster.addons.values import over_defaults
from muster.addons.workload import Workload
from muster.blueprint.labels import INSTANCE_TYPE

_NAME = "neuron-device-plugin"
_RESOURCE = "aws.amazon.com/neuron"


def _values(context: AddonContext) -> dict[str, Any]:
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
        "scheduler": {"enabled": False},
        "npd": {"enabled": False},
        "draDriver": {"enabled": False},
    }


_KEY, _TYPES = "__INSTANCE_TYPE_KEY__", "__NEURON_INSTANCES__"
"""Placeholders in an affinity, which the chart's template fills."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(defaults(_NAME), given)
    plugin = values.get("devicePlugin") or {}
    placed = {**plugin, "affinity": _filled(plugin.get("affinity") or {}, values.get("neuronInstances"))}
    return workloads(_NAME, {**values, "devicePlugin": placed})


def _filled(affinity: Any, types: Any) -> Any:
    if isinstance(affinity, dict):
        return {key: _filled(value, types) for key, value in affinity.items()}
    if isinstance(affinity, list):
        return [_filled(each, types) for each in affinity]
    return {_KEY: INSTANCE_TYPE, _TYPES: types}.get(affinity, affinity) if isinstance(affinity, str) else affinity


ADDON = addon(_NAME, values=_values, workloads=_workloads)
