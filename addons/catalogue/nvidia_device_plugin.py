"""The NVIDIA device plugin: its values. See `nvidia_device_plugin.toml`."""

from typing import Any

from muster.addons.context import AddonContext, group_names, instance_types, tolerations
from muster.addons.sheet import addon
from muster.addons.workload import on_groups

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


ADDON = addon("nvidia-device-plugin", values=_values)
