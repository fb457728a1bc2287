"""NVIDIA's DCGM exporter and EKS's node monitoring agent: their values. See their sheets."""

from muster.addons.addon import Json
from muster.addons.context import AddonContext, group_names, instance_types, tolerations
from muster.addons.sheet import addon
from muster.addons.workload import on_groups
from muster.blueprint.gpu_sharing import GPU
from muster.config.description.addons import DcgmExporterOptions

_NAME = "dcgm-exporter"


def _of_exporter(context: AddonContext) -> Json:
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


def _of_agent(context: AddonContext) -> Json:
    listed = tolerations(each for each in context.having(GPU) if not each.hyperpod)
    return {"dcgmAgent": {"tolerations": listed}} if listed else {}


DCGM_EXPORTER = addon(_NAME, values=_of_exporter)
NODE_MONITORING_AGENT = addon("eks-node-monitoring-agent", values=_of_agent)
