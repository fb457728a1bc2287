"""The Neuron device plugin: offers aws.amazon.com/neuron, and the cores of each device as aws.amazon.com/neuroncore.

Chart 1.9.0, aws-neuron/neuron-helm-charts: an OCI artefact, in no index. `neuronInstances` replaces its list of 23
types, from which its affinity is made; `devicePlugin.tolerations` replaces its own. The node problem detector, on by
default, needs a namespace and a ClusterRole that the chart does not make, and is off; what of it a user turns on is no
workload here.

The scheduler extension is for pods that take a part of a node's devices: it gives them devices that are connected; on
trn1.32xlarge and trn1n.32xlarge 1, 4, 8 or 16 of them and no other number (Neuron guide, "Neuron scheduler extension").
EKS's scheduler cannot be configured, so the chart has a second one, which pods select by `schedulerName`. Its name is
the chart's, as in Neuron's guide; the extension's address is fixed in that scheduler's configuration. That scheduler
has the cluster's Kubernetes version, not the chart's.

`_workloads` compared with what Helm 3.19 renders (`tests/addons/test_real_charts.py`) of the plugin's templates (read
at 7324cd0) with the values of chart 1.9.0 (b77a6f9); its archive was not available. Compared were the DaemonSet's name,
namespace, priority class, node selector, affinity, tolerations and requests; for the chart's defaults, our values, and
values that replace, extend and delete each of them. With no types at all the chart's template gives no YAML.
"""

from collections.abc import Mapping
from typing import Any

from muster.addons.addon import Addon, Chart, Json
from muster.addons.catalogue.hyperpod import monitored_without_gpus
from muster.addons.chart_instance_types import chart_instance_types
from muster.addons.context import HEALTH_TAINT, AddonContext, instance_types, system_tolerations, tolerations
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


def _mirrored(registry: str) -> Json:
    return {
        "devicePlugin": {"image": {"repository": f"{registry}/neuron/neuron-device-plugin"}},
        "scheduler": {
            "image": {"repository": f"{registry}/neuron/neuron-scheduler"},
            "customScheduler": {"image": {"repository": f"{registry}/eks-distro/kubernetes/kube-scheduler"}},
        },
    }


_KEY, _TYPES = "__INSTANCE_TYPE_KEY__", "__NEURON_INSTANCES__"
"""Placeholders in an affinity, which the chart's template fills."""

_DEFAULTS: dict[str, Any] = {
    "neuronInstances": chart_instance_types(_CHART, _NAME),
    "devicePlugin": {
        "enabled": True,
        "nameOverride": "neuron-device-plugin",
        "namespaceOverride": _NAMESPACE,
        "fullnameOverride": "neuron-device-plugin",
        "priorityClassName": "system-node-critical",
        "tolerations": [
            {"key": "CriticalAddonsOnly", "operator": "Exists"},
            {"key": _RESOURCE, "operator": "Exists", "effect": "NoSchedule"},
            {
                "key": "sagemaker.amazonaws.com/node-health-status",
                "operator": "Equal",
                "value": "Unschedulable",
                "effect": "NoSchedule",
            },
        ],
        "affinity": {
            "nodeAffinity": {
                "requiredDuringSchedulingIgnoredDuringExecution": {
                    "nodeSelectorTerms": [
                        {
                            "matchExpressions": [
                                {"key": _KEY, "operator": "In", "values": _TYPES},
                                {
                                    "key": "eks.amazonaws.com/compute-type",
                                    "operator": "NotIn",
                                    "values": ["fargate", "hybrid", "auto"],
                                },
                            ]
                        }
                    ]
                }
            }
        },
    },
    "scheduler": {
        "enabled": False,
        "nameOverride": "neuron-scheduler",
        "namespaceOverride": _NAMESPACE,
        "fullnameOverride": "k8s-neuron-scheduler",
        "priorityClassName": "system-node-critical",
        "replicaCount": 1,
        "customScheduler": {
            "enabled": True,
            "namespaceOverride": _NAMESPACE,
            "fullnameOverride": SCHEDULER,
            "replicaCount": 1,
            "resources": {"requests": {"cpu": "0.1"}},
        },
    },
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
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


ADDON = Addon(
    name=_NAME,
    namespace=_NAMESPACE,
    source=Chart("oci://public.ecr.aws/neuron", _CHART, _values, mirrored=_mirrored),
    reason="Trainium and Inferentia nodes need it to offer aws.amazon.com/neuron",
    workloads=_workloads,
    serves=_RESOURCE,
    more_images=_images,
)
