"""The control plane: the EKS cluster with its role, key, logs and access entries; and its add-ons, each pinned."""

from typing import Any

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint
from muster.blueprint.iam import cluster_arn, pod_trust, trust
from muster.blueprint.logical_names import CLUSTER
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


def _auto_mode() -> dict[str, Any]:
    """EKS Auto Mode without EKS's own NodePools: each group of the description has its own."""
    balancing = aws.eks.ClusterKubernetesNetworkConfigElasticLoadBalancingArgs(enabled=True)
    disks = aws.eks.ClusterStorageConfigBlockStorageArgs(enabled=True)
    return {
        "compute_config": aws.eks.ClusterComputeConfigArgs(enabled=True, node_pools=[]),
        "storage_config": aws.eks.ClusterStorageConfigArgs(block_storage=disks),
        "kubernetes_network_config": aws.eks.ClusterKubernetesNetworkConfigArgs(
            ip_family="ipv4", elastic_load_balancing=balancing
        ),
    }


class Cluster(ControlPlaneConnection):
    """The control plane. EKS adds nothing of its own: each add-on is registered separately, in a pinned version."""

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
        before = pulumi.create_urn(CLUSTER, "eks:index:Cluster", self)  # in the state of earlier versions
        made = aws.eks.Cluster(
            CLUSTER,
            name=name,
            version=described.kubernetes,
            role_arn=role.arn,
            vpc_config=aws.eks.ClusterVpcConfigArgs(
                subnet_ids=around.ids(plane.subnets),
                endpoint_private_access=True,
                endpoint_public_access=bool(plane.public_networks),
                public_access_cidrs=list(plane.public_networks) or None,
            ),
            access_config=aws.eks.ClusterAccessConfigArgs(
                authentication_mode="API", bootstrap_cluster_creator_admin_permissions=True
            ),
            bootstrap_self_managed_addons=False,
            enabled_cluster_log_types=[each.value for each in described.logs.types],
            encryption_config=aws.eks.ClusterEncryptionConfigArgs(
                provider=aws.eks.ClusterEncryptionConfigProviderArgs(key_arn=self._secrets_key(blueprint)),
                resources=["secrets"],
            ),
            tags=tags(blueprint, "cluster"),
            **(_auto_mode() if blueprint.auto_mode else {}),
            opts=self.below(
                depends_on=[*role.attachments, logs],
                aliases=[pulumi.Alias(name=f"{CLUSTER}-eksCluster", parent=before)],
                # EKS takes them at the creation only, and does not state them: a difference would replace the cluster.
                ignore_changes=["accessConfig.bootstrapClusterCreatorAdminPermissions", "bootstrapSelfManagedAddons"],
            ),
        )
        self.name: pulumi.Output[str] = made.name
        self.arn: pulumi.Output[str] = made.arn
        self.endpoint: pulumi.Output[str] = made.endpoint
        self.certificate_authority: pulumi.Output[str] = made.certificate_authority.data
        self.security_group: pulumi.Output[str] = made.vpc_config.cluster_security_group_id
        self.oidc_issuer: pulumi.Output[str] = made.identities[0].oidcs[0].issuer
        self.service_cidr: pulumi.Output[str] = made.kubernetes_network_config.service_ipv4_cidr
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
