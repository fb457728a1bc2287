"""EKS add-ons, each pinned."""

import pulumi
import pulumi_aws as aws

from muster.blueprint.iam import pod_trust
from muster.blueprint.kubernetes import Blueprint
from muster.fleet.resources import EksAddon as EksAddonBlueprint
from muster.infra.cluster_connection import ControlPlaneConnection
from muster.infra.component import Component, tags
from muster.infra.role import Role

NEEDS_NODES = frozenset({"coredns"})
"""Add-ons that are Deployments: they are not ACTIVE before a node runs them. An add-on that is a DaemonSet is ACTIVE
without nodes, and nodes need it to be Ready: a node group waits for Ready nodes, a node waits for its CNI, and the CNI
waits for its credentials."""


class EksAddon(Component):
    """One EKS add-on. The VPC CNI gets a role by Pod Identity, so that nodes need none of its rights."""

    def __init__(
        self,
        addon: EksAddonBlueprint,
        blueprint: Blueprint,
        cluster: ControlPlaneConnection,
        depends_on: list[pulumi.Resource],
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        name = str(addon.name)
        super().__init__(name, opts)
        identities: list[aws.eks.AddonPodIdentityAssociationArgs] = []
        needs = list(depends_on)
        if name == "vpc-cni":
            trusts = pod_trust("kube-system", "aws-node", cluster.account)
            role = Role(name, blueprint, trusts, ("AmazonEKS_CNI_Policy",), self.below())
            identities.append(aws.eks.AddonPodIdentityAssociationArgs(role_arn=role.arn, service_account="aws-node"))
            needs += role.attachments
        self.addon = aws.eks.Addon(
            name,
            cluster_name=cluster.name,
            addon_name=name,
            addon_version=str(addon.version) if addon.version else None,
            pod_identity_associations=identities or None,
            resolve_conflicts_on_create="OVERWRITE",
            resolve_conflicts_on_update="PRESERVE",
            tags=tags(blueprint, name),
            opts=self.below(depends_on=needs),
        )
        self.register_outputs({"version": addon.version})
