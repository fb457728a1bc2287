"""A whole training cluster on EKS."""

from typing import Any, NotRequired

import pulumi

from muster.components.arguments import arguments
from muster.components.preparation import checked_blueprint, export, parent_of_resources
from muster.config.description.eks_cluster import EksCluster
from muster.deploy.kubernetes import kubernetes

FACTS = (
    NotRequired[Any],
    "Known facts of the account, in the format of `stacks/facts` (`muster schema facts`). Default: none.",
)

TrainingClusterArgs = arguments("TrainingClusterArgs", EksCluster, facts=FACTS)


class TrainingCluster(pulumi.ComponentResource):
    """A training cluster on EKS: its network, its control plane, groups of nodes on the capacity that the
    arguments set, storage, and the add-ons that training needs."""

    contract: pulumi.Output[str]
    backend: pulumi.Output[str]
    region: pulumi.Output[str]
    cluster: pulumi.Output[dict[str, Any]]
    kubeconfig: pulumi.Output[str]
    nodeGroups: pulumi.Output[dict[str, Any]]  # noqa: N815  (outputs have the names of the contract)
    network: pulumi.Output[dict[str, Any]]
    storage: pulumi.Output[dict[str, Any]]
    addons: pulumi.Output[dict[str, Any]]
    eksAddons: pulumi.Output[dict[str, str]]  # noqa: N815
    registry: pulumi.Output[str | None]
    logGroups: pulumi.Output[dict[str, str]]  # noqa: N815

    def __init__(
        self,
        name: str,
        args: TrainingClusterArgs,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        given: dict[str, Any] = dict(args)
        if "existing" not in (given.get("control_plane") or {}):
            given.setdefault("name", name)
        blueprint = checked_blueprint(f"TrainingCluster {name}", given)
        super().__init__("muster:index:TrainingCluster", name, None, opts)
        with parent_of_resources(self):
            exported = kubernetes(blueprint)
        export(self, {key: value for key, value in exported.items() if key in OUTPUTS})


OUTPUTS = frozenset(TrainingCluster.__annotations__)
"""What it gives of the contract: the rest is of other backends."""
