"""Groups of nodes that join an EKS cluster which exists."""

from typing import Any

import pulumi

from muster.components.arguments import arguments, block
from muster.components.preparation import checked_blueprint, export, parent_of_resources
from muster.components.training_cluster import FACTS
from muster.config.description.control_plane import ExistingControlPlane
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.network import ExistingNetwork
from muster.deploy.kubernetes import kubernetes

_OF_CLUSTER = frozenset(
    {"name", "api", "logs", "secrets-key", "control-plane", "network", "access", "storage", "registry"}
)
"""Keys of the cluster's owner, and of a whole cluster."""

OWN_NAMES = {"controlPlane.existing": "cluster", "network.existing": "network"}
"""What the description has a block deeper -> the argument."""

NodeGroupsArgs = arguments(
    "NodeGroupsArgs",
    EksCluster,
    without=_OF_CLUSTER,
    cluster=(block(ExistingControlPlane), "EKS cluster that the groups join."),
    network=(block(ExistingNetwork), "Network of the cluster."),
    facts=FACTS,
)


class NodeGroups(pulumi.ComponentResource):
    """Groups of nodes for an existing EKS cluster, on the capacity that the arguments set: launch templates with every
    EFA interface, roles, security groups, and the add-ons that their devices need. The cluster is not changed."""

    nodeGroups: pulumi.Output[dict[str, Any]]  # noqa: N815  (outputs have the names of the contract)
    network: pulumi.Output[dict[str, Any]]
    addons: pulumi.Output[dict[str, Any]]

    def __init__(
        self,
        name: str,
        args: NodeGroupsArgs,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        given: dict[str, Any] = dict(args)
        given["control_plane"] = {"existing": given.pop("cluster")}
        given["network"] = {"existing": given["network"]}
        blueprint = checked_blueprint(f"NodeGroups {name}", given, own=OWN_NAMES)
        super().__init__("muster:index:NodeGroups", name, None, opts)
        with parent_of_resources(self):
            exported = kubernetes(blueprint)
        export(self, {key: exported[key] for key in OUTPUTS})


OUTPUTS = frozenset(NodeGroups.__annotations__)
