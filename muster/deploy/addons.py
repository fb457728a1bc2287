"""Add-ons on the cluster of another stack."""

from collections.abc import Callable
from typing import Any

import pulumi

from muster.addons.catalogue import CATALOGUE
from muster.addons.context import AddonContext, Mirrors
from muster.addons.installation import Addons, ClusterHandle
from muster.addons.values import version_of
from muster.blueprint.iam import account_of
from muster.config.description.kubernetes_cluster import AddonsOf
from muster.contract import CONTRACT, AddonOutput, read_cluster, read_kubeconfig
from muster.contract import Cluster as ClusterContract


def deploy_addons(
    stack: str, described: AddonsOf, approve: Callable[[ClusterContract], None] = lambda _cluster: None
) -> dict[str, Any]:
    """Registers add-ons on the cluster of another stack, known by what that one exports.

    They are registered once its outputs are read: what is registered depends on the nodes that the cluster has. In a
    preview, the outputs are also known: they are those of its last `up`.

    Args:
        stack: this stack's name.
        described: the add-ons, and the stack of their cluster.
        approve: called before anything is registered; raises `pulumi.RunError` where it does not fit that cluster.
    """
    reference = pulumi.StackReference(described.addons_of)
    mirrors = Mirrors(described.chart_mirror, described.image_mirror)

    def with_kubeconfig(cluster: ClusterContract) -> pulumi.Output[ClusterContract]:
        """Returns the cluster. Where there is no kubeconfig, nothing is registered."""
        return pulumi.Output.unsecret(read_kubeconfig(reference).apply(lambda _: cluster))

    def install(cluster: ClusterContract) -> dict[str, Any]:
        approve(cluster)
        context = AddonContext.of_contract(cluster, described.addons.chosen, described.addons.charts, mirrors)
        arn = cluster.cluster.arn
        Addons.on(
            ClusterHandle(
                read_kubeconfig(reference),
                arn,
                context,
                tags={"muster:stack": stack},
                iam=described.iam,
                account=account_of(arn),
                issuer=cluster.cluster.oidc_issuer,
                hyperpod=cluster.hyperpod.arn if cluster.hyperpod else "",
            )
        )
        return addons_output(context)

    cluster: pulumi.Output[ClusterContract] = read_cluster(reference).apply(with_kubeconfig)
    outputs = {"contract": CONTRACT, "addonsOf": described.addons_of, "addons": cluster.apply(install)}
    for name, value in outputs.items():
        pulumi.export(name, value)
    return outputs


def addons_output(context: AddonContext) -> dict[str, Any]:
    """The add-ons of Muster that this stack installs."""
    return {
        name: AddonOutput.written(CATALOGUE[name], version=version_of(CATALOGUE[name], options))
        for name, options in context.own.chosen.items()
    }
