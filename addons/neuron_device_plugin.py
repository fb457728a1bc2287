"""The Neuron device plugin: offers aws.amazon.com/neuron, and the cores of each device as aws.amazon.com/neuroncore.

Chart 1.9.0, aws-neuron/neuron-helm-charts: an OCI artefact, in no index. `neuronInstances` replaces its list of 23
types, from which its affinity is made; `devicePlugin.tolerations` replaces its own. Only the plugin is wanted: the node
problem detector, on by default, needs a namespace and a ClusterRole that the chart does not make; the scheduler
extension is for pods that take a part of a node's devices, which training does not.
"""

from typing import Any

from addons.addon import Addon, Chart, Nodes, instances, tolerations


def _values(nodes: tuple[Nodes, ...]) -> dict[str, Any]:
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


ADDON = Addon(
    name="neuron-device-plugin",
    namespace="kube-system",  # where the chart puts the plugin anyway: the release stands beside it
    source=Chart("oci://public.ecr.aws/neuron", "neuron-helm-chart", _values),
    reason="Trainium and Inferentia nodes offer no aws.amazon.com/neuron without it",
    serves="aws.amazon.com/neuron",
)
