"""The NVIDIA device plugin: offers nvidia.com/gpu.

Chart 0.20.0, `deployments/helm/nvidia-device-plugin/values.yaml`: its default affinity asks for a label that AL2023
sets only from kubelet 1.35 on, so on older nodes it lands nowhere and nothing says so; `affinity` and `tolerations`
given in values replace the defaults. Bottlerocket has the plugin built in, and may run beside AL2023 on the same type:
so nodes are chosen by their group, too.
"""

from typing import Any

from addons.addon import Addon, Chart, Nodes, groups, instances, tolerations
from muster.fleet.labels import GROUP, INSTANCE_TYPE


def _values(nodes: tuple[Nodes, ...]) -> dict[str, Any]:
    chosen = {INSTANCE_TYPE: instances(nodes), GROUP: groups(nodes)}
    term = {"matchExpressions": [{"key": key, "operator": "In", "values": values} for key, values in chosen.items()]}
    return {
        "affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [term]}}},
        "tolerations": [{"key": "CriticalAddonsOnly", "operator": "Exists"}, *tolerations(nodes)],
        # On by default in 0.19.0 to 0.19.2: mounts /dev/infiniband into GPU pods, against the EFA plugin
        # (k8s-device-plugin#1692).
        "mofedEnabled": False,
        "gfd": {"enabled": False},
        "nfd": {"enabled": False},
    }


ADDON = Addon(
    name="nvidia-device-plugin",
    namespace="kube-system",  # the chart refuses `default`; its priority class wants a system namespace
    source=Chart("https://nvidia.github.io/k8s-device-plugin", "nvidia-device-plugin", _values),
    reason="GPU nodes offer no nvidia.com/gpu without it",
    serves="nvidia.com/gpu",
)
