"""Groups of nodes that join an EKS cluster which exists."""

from typing import Any

import pulumi

from components.arguments import arguments, block, described
from components.preparation import checked_blueprint, parent_of_resources
from components.training_cluster import FACTS
from deploy.kubernetes import kubernetes
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.kubernetes_cluster import ExistingControlPlane
from muster.config.description.network import ExistingNetwork

_OF_CLUSTER = frozenset(
    {"name", "api", "logs", "secrets-key", "control-plane", "network", "access", "storage", "registry"}
)
"""Keys of the cluster's owner, and of a whole cluster."""

NodeGroupsArgs = arguments(
    "NodeGroupsArgs",
    EksCluster,
    without=_OF_CLUSTER,
    cluster=(block(ExistingControlPlane), "The cluster that they join."),
    network=(block(ExistingNetwork), "Its network."),
    facts=FACTS,
)


class NodeGroups(pulumi.ComponentResource):
    """Groups of nodes for an EKS cluster which exists, on the capacity that is said: launch templates with every EFA
    interface, roles, security groups, and the add-ons that their devices need. Nothing of the cluster is changed."""

    nodeGroups: pulumi.Output[dict[str, Any]]  # noqa: N815  (outputs go by the contract's names)
    network: pulumi.Output[dict[str, Any]]
    addons: pulumi.Output[dict[str, Any]]

    def __init__(
        self,
        name: str,
        args: NodeGroupsArgs,
        opts: pulumi.ResourceOptions | None = None,  # type: ignore[valid-type]
    ) -> None:
        given: dict[str, Any] = dict(args)
        facts = given.pop("facts", None)
        wrapped = {
            **given,
            "control_plane": {"existing": given.pop("cluster")},
            "network": {"existing": given["network"]},
        }
        wrapped.pop("cluster", None)
        document, places = described(wrapped, EksCluster)
        places = {where: _shown(argument) for where, argument in places.items()}
        blueprint = checked_blueprint(f"NodeGroups {name}", {"backend": "eks", **document}, places, facts)
        super().__init__("muster:index:NodeGroups", name, None, opts)
        with parent_of_resources(self):
            exported = kubernetes(blueprint)
        outputs = {key: pulumi.Output.from_input(exported[key]) for key in OUTPUTS}
        for key, value in outputs.items():
            setattr(self, key, value)
        self.register_outputs(outputs)


def _shown(argument: str) -> str:
    """The argument's own name for what the description has a block deeper."""
    return argument.replace("controlPlane.existing", "cluster", 1).replace("network.existing", "network", 1)


OUTPUTS = frozenset(NodeGroups.__annotations__)
