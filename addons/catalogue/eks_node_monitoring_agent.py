"""EKS's node monitoring agent: its values. See `eks_node_monitoring_agent.toml`."""

from muster.addons.addon import Json
from muster.addons.context import AddonContext, tolerations
from muster.addons.sheet import addon


def _values(context: AddonContext) -> Json:
    listed = tolerations(each for each in context.having("nvidia.com/gpu") if not each.hyperpod)
    return {"dcgmAgent": {"tolerations": listed}} if listed else {}


ADDON = addon("eks-node-monitoring-agent", values=_values)
