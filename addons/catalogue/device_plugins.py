"""The plugins for EFA interfaces and Neuron devices, and EFA's DRA driver (DRANET): their placement, which their charts
compute. See their sheets."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.addons.addon import Workloads
from muster.addons.context import HEALTH_TAINT, AddonContext, instance_types, tolerations
from muster.addons.sheet import addon, chart_instance_types, defaults, workloads
from muster.addons.values import at, over_defaults
from muster.addons.workload import Workload
from muster.blueprint.labels import INSTANCE_TYPE
from muster.plain_data import with_texts


def _placed_by_labels(name: str) -> Workloads:
    """The workloads of a chart with `supportedInstanceLabels`, which makes their whole affinity."""

    def workloads_of(given: Mapping[str, Any]) -> tuple[Workload, ...]:
        values = over_defaults(defaults(name), given)
        tolerations = [{"key": "CriticalAddonsOnly", "operator": "Exists"}, *(values.get("tolerations") or ())]
        terms = {"nodeSelectorTerms": list(_instance_terms(values))}
        affinity = {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
        return workloads(name, {**values, "tolerations": tolerations, "affinity": affinity})

    return workloads_of


def _instance_terms(values: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The terms of the affinity that the chart makes of `supportedInstanceLabels`, as aws-dranet's does: one for each
    label that may name the type. Only the last keeps off Auto Mode's nodes: so the chart has it."""
    keys = at(values, "supportedInstanceLabels", "keys") or []
    types = at(values, "supportedInstanceLabels", "values")
    for number, key in enumerate(keys, start=1):
        of_type = {"key": key, "operator": "In", **({} if types is None else {"values": types})}
        not_auto = {"key": "eks.amazonaws.com/compute-type", "operator": "NotIn", "values": ["auto"]}
        yield {"matchExpressions": [of_type, not_auto] if number == len(keys) else [of_type]}


EFA, EFA_DRA = (addon(name, workloads=_placed_by_labels(name)) for name in ("efa-device-plugin", "efa-dra-driver"))


MONITORED_WITHOUT_GPUS = tuple(chart_instance_types("hyperpod-helm-chart", "health-monitoring-agent-non-nvidia"))
"""The types without NVIDIA GPUs that HyperPod's monitoring agent is for: those with Neuron devices."""

_NEURON = "neuron-device-plugin"
_RESOURCE = "aws.amazon.com/neuron"


def _neuron_values(context: AddonContext) -> dict[str, Any]:
    nodes = context.offering(_RESOURCE)
    # HyperPod's own plugin has the same name and is off, so this one is for HyperPod's nodes, described or not.
    hyperpods = context.has("hyperpod") and not any(each.hyperpod for each in nodes)
    listed = sorted({*instance_types(nodes), *MONITORED_WITHOUT_GPUS}) if hyperpods else instance_types(nodes)
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


def _neuron_workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(defaults(_NEURON), given)
    plugin = values.get("devicePlugin") or {}
    names = {_KEY: INSTANCE_TYPE, _TYPES: values.get("neuronInstances")}
    placed = {**plugin, "affinity": with_texts(plugin.get("affinity") or {}, lambda each: names.get(each, each))}
    return workloads(_NEURON, {**values, "devicePlugin": placed})


NEURON = addon(_NEURON, values=_neuron_values, workloads=_neuron_workloads)
