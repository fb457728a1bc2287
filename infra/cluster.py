"""The control plane: the EKS cluster with its role, key, logs and access entries; and its add-ons, each pinned."""

import pulumi
import pulumi_aws as aws
import pulumi_eks as eks

from muster.blueprint.cluster import Blueprint
from muster.blueprint.iam import cluster_arn, pod_trust, trust
from muster.config.description.base import OnDestroy
from muster.config.description.iam import VPC_CNI
from muster.fleet.resources import EksAddon as EksAddonBlueprint
from muster.infra.cluster_connection import ControlPlaneConnection, grant
from muster.infra.component import Component, tags
from muster.infra.network import Foundation
from muster.infra.role import Role
from muster.plain_data import merged


def deployed_account(below: pulumi.Resource) -> str:
    """The account's id. AWS is queried at once, so that a preview also knows it.

    Args:
        below: the component whose AWS provider is used.

    Raises:
        pulumi.RunError: AWS does not answer.
    """
    try:
        return aws.get_caller_identity(opts=pulumi.InvokeOptions(parent=below)).account_id
    except Exception as fault:  # noqa: BLE001 - the SDK makes a plain Exception of whatever the engine answers
        raise pulumi.RunError(
            f"the AWS account to deploy to cannot be read: {fault}\n"
            "  fix: set AWS credentials; `aws sts get-caller-identity` prints their identity"
        ) from None


_AUTO_MODE_POLICIES = (
    "AmazonEKSBlockStoragePolicy",
    "AmazonEKSComputePolicy",
    "AmazonEKSLoadBalancingPolicy",
    "AmazonEKSNetworkingPolicy",
)
"""What the cluster's role needs besides for EKS Auto Mode (EKS user guide, auto-learn-iam)."""


def _auto_mode() -> eks.AutoModeOptionsArgs:
    """EKS Auto Mode without EKS's own NodePools: each group of the description has its own."""
    pools = eks.ClusterComputeConfigArgs(node_pools=[])
    return eks.AutoModeOptionsArgs(enabled=True, create_node_role=False, compute_config=pools)


class Cluster(ControlPlaneConnection):
    """The control plane.

    `pulumi_eks.Cluster`, with its optional parts off, creates only the EKS cluster and a Kubernetes provider. The parts
    that it would add (roles, security groups, add-ons in the newest version) are registered explicitly elsewhere.
    """

    def __init__(self, blueprint: Blueprint, around: Foundation) -> None:
        super().__init__("cluster")
        described, name = blueprint.described, blueprint.cluster_name
        plane = blueprint.cluster
        self.account = deployed_account(self)
        role = Role(
            "control-plane",
            blueprint,
            trust(
                "eks.amazonaws.com",
                *(("sts:AssumeRole", "sts:TagSession") if blueprint.auto_mode else ("sts:AssumeRole",)),
                account=self.account,
                arn=cluster_arn(blueprint.region, self.account, name),
            ),
            ("AmazonEKSClusterPolicy", *(_AUTO_MODE_POLICIES if blueprint.auto_mode else ())),
            self.below(),
            given=described.iam.roles.control_plane,
        )
        # Before the cluster: EKS would create the log group itself, without a retention period.
        logs = aws.cloudwatch.LogGroup(
            "control-plane",
            name=f"/aws/eks/{name}/cluster",
            retention_in_days=described.logs.retention_days,
            tags=tags(blueprint, "control-plane"),
            opts=self.below(protect=described.logs.on_destroy is OnDestroy.KEEP or None),
        )
        self.log_group = logs.name
        cluster = eks.Cluster(
            "cluster",
            name=name,
            version=described.kubernetes,
            service_role=role.made or aws.iam.Role.get("control-plane", role.name, arn=role.arn, opts=role.below()),
            vpc_id=around.vpc,
            subnet_ids=around.ids(plane.subnets),
            authentication_mode=eks.AuthenticationMode.API,
            bootstrap_self_managed_addons=False,
            enabled_cluster_log_types=[each.value for each in described.logs.types],
            encryption_config_key_arn=self._secrets_key(blueprint),
            endpoint_private_access=True,
            # Not set, instead of True: if it is set, the component connects to the endpoint from this machine, and
            # tries for up to five minutes. AWS's own default is public.
            endpoint_public_access=None if plane.public_networks else False,
            public_access_cidrs=list(plane.public_networks) or None,
            skip_default_node_group=True,
            skip_default_security_groups=True,
            use_default_vpc_cni=True,
            kube_proxy_addon_options=eks.KubeProxyAddonOptionsArgs(enabled=False),
            # With Auto Mode, the component would add CoreDNS itself.
            coredns_addon_options=eks.CoreDnsAddonOptionsArgs(enabled=False) if blueprint.auto_mode else None,
            auto_mode=_auto_mode() if blueprint.auto_mode else None,
            tags=tags(blueprint, "cluster"),
            opts=self.below(depends_on=[*role.attachments, logs]),
        )
        made = cluster.eks_cluster
        self.name: pulumi.Output[str] = made.apply(lambda each: each.name)
        self.arn: pulumi.Output[str] = made.apply(lambda each: each.arn)
        self.endpoint: pulumi.Output[str] = made.apply(lambda each: each.endpoint)
        self.certificate_authority: pulumi.Output[str] = made.apply(lambda each: each.certificate_authority.data)
        self.security_group: pulumi.Output[str] = made.apply(lambda each: each.vpc_config.cluster_security_group_id)
        self.oidc_issuer: pulumi.Output[str] = made.apply(lambda each: each.identities[0].oidcs[0].issuer)
        self.service_cidr: pulumi.Output[str] = made.apply(
            lambda each: each.kubernetes_network_config.service_ipv4_cidr
        )
        self.endpoint_mode = "public-and-private" if plane.public_networks else "private"
        self.region, self.version = blueprint.region, described.kubernetes
        self.access = grant(blueprint, self.name, self.below())
        self.register_outputs({"arn": self.arn, "securityGroup": self.security_group})

    def _secrets_key(self, blueprint: Blueprint) -> pulumi.Input[str]:
        """The KMS key of the description, or a new one. The deployer needs kms:CreateGrant on it, which the default key
        policy leaves to IAM."""
        if blueprint.described.secrets_key:
            return blueprint.described.secrets_key
        key = aws.kms.Key(
            "secrets",
            description=f"Kubernetes secrets of {blueprint.cluster_name}",
            enable_key_rotation=True,
            deletion_window_in_days=30,
            tags=tags(blueprint, "secrets"),
            opts=self.below(protect=blueprint.described.secrets_key_on_destroy is OnDestroy.KEEP or None),
        )
        aws.kms.Alias(
            "secrets",
            name=f"alias/{blueprint.cluster_name}-secrets",
            target_key_id=key.key_id,
            opts=self.below(),
        )
        return key.arn


class EksAddon(Component):
    """One EKS add-on. The VPC CNI gets a role by Pod Identity, so that nodes need none of its rights."""

    def __init__(
        self,
        addon: EksAddonBlueprint,
        blueprint: Blueprint,
        cluster: ControlPlaneConnection,
        around: Foundation,
        depends_on: list[pulumi.Resource],
    ) -> None:
        name = str(addon.name)
        super().__init__(name)
        identities: list[aws.eks.AddonPodIdentityAssociationArgs] = []
        needs = list(depends_on)
        if name == VPC_CNI:
            trusts = pod_trust("kube-system", "aws-node", cluster.account)
            given = blueprint.described.iam.roles.addons.get(VPC_CNI)
            role = Role(name, blueprint, trusts, ("AmazonEKS_CNI_Policy",), self.below(), given=given)
            identities.append(aws.eks.AddonPodIdentityAssociationArgs(role_arn=role.arn, service_account="aws-node"))
            needs += role.attachments
        self.addon = aws.eks.Addon(
            name,
            cluster_name=cluster.name,
            addon_name=name,
            addon_version=str(addon.version) if addon.version else None,
            configuration_values=_values(addon, around) if addon.values else None,
            pod_identity_associations=identities or None,
            resolve_conflicts_on_create="OVERWRITE",
            resolve_conflicts_on_update="PRESERVE",
            tags=tags(blueprint, name),
            opts=self.below(depends_on=needs),
        )
        self.register_outputs({"version": addon.version})


def _values(addon: EksAddonBlueprint, around: Foundation) -> pulumi.Output[str]:
    """The configuration of an add-on, with the ids of the subnets of pods."""
    subnets = {zone: {**each, "id": around.id(each["id"])} for zone, each in addon.pod_subnets.items()}
    ids = {"eniConfig": {"subnets": subnets}} if subnets else {}
    return pulumi.Output.json_dumps(merged(addon.values, ids))
