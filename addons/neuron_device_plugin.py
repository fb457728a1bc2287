"""The Neuron device plugin: offers aws.amazon.com/neuron, and the cores of each device as aws.amazon.com/neuroncore.

Chart 1.9.0, aws-neuron/neuron-helm-charts: an OCI artefact, in no index. `neuronInstances` replaces its list of 23
types, from which its affinity is made; `devicePlugin.tolerations` replaces its own. Only the plugin is wanted: the node
problem detector, on by default, needs a namespace and a ClusterRole that the chart does not make; the scheduler
extension is for pods that take a part of a node's devices, which training does not. What of them a user turns on is no
workload here.

`_workloads` compared with what Helm 3.19 renders (`tests/addons/test_real_charts.py`) of the plugin's templates (read
at 7324cd0) with the values of chart 1.9.0 (b77a6f9); its archive was not at hand. Compared were the DaemonSet's name,
namespace, priority class, node selector, affinity, tolerations and requests; for the chart's defaults, our values, and
values that replace, extend and delete each of them. With no types at all the chart's template gives no YAML.
"""

from collections.abc import Mapping
from typing import Any

from addons.addon import Addon, Chart
from addons.site import Site, instances, tolerations
from addons.values import at, over_defaults
from addons.workload import Placement, Workload, full_name
from muster.fleet.labels import INSTANCE_TYPE

_CHART = "neuron-helm-chart"
_NAMESPACE = "kube-system"  # where the chart puts the plugin anyway: the release stands beside it
_RESOURCE = "aws.amazon.com/neuron"


def _values(site: Site) -> dict[str, Any]:
    nodes = site.offering(_RESOURCE)
    return {
        "neuronInstances": instances(nodes),
        "devicePlugin": {
            "enabled": True,
            "tolerations": [{"key": "CriticalAddonsOnly", "operator": "Exists"}, *tolerations(nodes)],
        },
        "scheduler": {"enabled": False},
        "npd": {"enabled": False},
        "draDriver": {"enabled": False},
    }


_KEY, _TYPES = "__INSTANCE_TYPE_KEY__", "__NEURON_INSTANCES__"
"""What the chart's template fills in an affinity, its own as a user's."""

_DEFAULTS: dict[str, Any] = {
    "neuronInstances": [
        *("trn1.2xlarge", "trn1.32xlarge", "trn1n.32xlarge", "trn2.3xlarge", "trn2.48xlarge", "trn2u.48xlarge"),
        *("trn3.48xlarge", "trn3e.24xlarge", "inf1.xlarge", "inf1.2xlarge", "inf1.6xlarge", "inf1.24xlarge"),
        *("inf2.xlarge", "inf2.8xlarge", "inf2.24xlarge", "inf2.48xlarge", "ml.inf2.xlarge", "ml.inf2.8xlarge"),
        *("ml.inf2.24xlarge", "ml.inf2.48xlarge", "ml.trn1.2xlarge", "ml.trn1.32xlarge", "ml.trn1n.32xlarge"),
    ],
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
}
"""The chart's own, as far as they decide where its pods run."""


def _workloads(given: Mapping[str, Any]) -> tuple[Workload, ...]:
    values = over_defaults(_DEFAULTS, given)
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


def _filled(affinity: Any, types: Any) -> Any:
    if isinstance(affinity, dict):
        return {key: _filled(value, types) for key, value in affinity.items()}
    if isinstance(affinity, list):
        return [_filled(each, types) for each in affinity]
    return {_KEY: INSTANCE_TYPE, _TYPES: types}.get(affinity, affinity) if isinstance(affinity, str) else affinity


ADDON = Addon(
    name="neuron-device-plugin",
    namespace=_NAMESPACE,
    source=Chart("oci://public.ecr.aws/neuron", _CHART, _values),
    reason="Trainium and Inferentia nodes offer no aws.amazon.com/neuron without it",
    workloads=_workloads,
    serves=_RESOURCE,
)
