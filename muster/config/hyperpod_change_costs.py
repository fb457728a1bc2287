"""What changes cost on HyperPod."""

from muster.config.change_costs import ChangeCosts, stated_cost
from muster.config.description.base import Change, StrictModel
from muster.config.description.kubernetes_cluster import ExistingControlPlane


def _cost(part: type[StrictModel], name: str) -> str:
    """The HyperPod cluster carries the control plane's security group, and its network is for good."""
    return Change.REPLACES if (part, name) == (ExistingControlPlane, "security_group") else stated_cost(part, name)


COSTS = ChangeCosts(
    _cost,
    group_sentences={
        Change.NEXT_LAUNCH: "instances of group '{group}' have it that come from then on; {keep}",
        Change.REFUSED: "AWS refuses it for group '{group}': another name makes another group, and its {go}",
        Change.DELETES: "deletes group '{group}': its {go}",
    },
)
