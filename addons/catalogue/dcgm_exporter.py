"""NVIDIA's DCGM exporter: its values. See `dcgm_exporter.toml`."""

from muster.addons.addon import Json
from muster.addons.context import AddonContext, group_names, instance_types, tolerations
from muster.addons.sheet import addon
from muster.addons.workload import on_groups
from muster.blueprint.gpu_sharing import GPU
from muster.config.description.addons import DcgmExporterOptions

_NAME = "dcgm-exporter"


def _values(context: AddonContext) -> Json:
    options = context.chosen[_NAME]
    assert isinstance(options, DcgmExporterOptions)
    nodes = context.having(GPU)
    return {
        "affinity": on_groups(instance_types(nodes), group_names(nodes)),
        "tolerations": tolerations(nodes),
        "serviceMonitor": {"enabled": options.service_monitor},
        # Else the metrics do not name the pods that claim GPUs.
        **({"kubernetesDRA": {"enabled": True}} if context.driven(GPU) else {}),
    }


ADDON = addon(_NAME, values=_values)
