"""What changes cost on HyperPod."""

from muster.config.change_costs import ChangeCosts, stated_cost
from muster.config.description.base import Change, StrictModel
from muster.config.description.kubernetes_cluster import ExistingControlPlane


def _cost(part: type[StrictModel], name: str) -> str:
    """The HyperPod cluster has the security group of the control plane, and its network cannot change."""
    return Change.REPLACES if (part, name) == (ExistingControlPlane, "security_group") else stated_cost(part, name)


COSTS = ChangeCosts(_cost)
