"""The control plane: the EKS cluster with its role, key, logs and access entries."""

import json

import pulumi
import pulumi_aws as aws
import pulumi_eks as eks

from infra.component import Component, tags, trust
from infra.role import Role
from muster.fleet.blueprint import Blueprint
from muster.fleet.description.cluster import Access, AccessPolicy
from muster.fleet.zones import partition_of

_ACCESS_POLICY = {
    AccessPolicy.CLUSTER_ADMIN: "AmazonEKSClusterAdminPolicy",
    AccessPolicy.ADMIN: "AmazonEKSAdminPolicy",
    AccessPolicy.EDIT: "AmazonEKSEditPolicy",
    AccessPolicy.VIEW: "AmazonEKSViewPolicy",
}


class Cluster(Component):
    """The control plane.

    `pulumi_eks.Cluster` with its extras off makes the EKS cluster and a Kubernetes provider, nothing else; what it
    would add by itself (roles, security groups, add-ons in whatever version is newest) stands visibly elsewhere.
    """

    def __init__(self, blueprint: Blueprint, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("cluster", opts)
        described, name = blueprint.described, blueprint.cluster_name
        network = described.network.existing
        assert network is not None
        role = Role(
            "control-plane",
            blueprint,
            trust("eks.amazonaws.com", "sts:AssumeRole"),
            ("AmazonEKSClusterPolicy",),
            self.below(),
        )
        # Before the cluster: EKS would create the group itself, without an end to what it keeps.
        logs = aws.cloudwatch.LogGroup(
            "control-plane",
            name=f"/aws/eks/{name}/cluster",
            retention_in_days=described.logs.retention_days,
            tags=tags(blueprint, "control-plane"),
            opts=self.below(),
        )
        self.log_group = logs.name
        cluster = eks.Cluster(
            "cluster",
            name=name,
            version=described.kubernetes,
            service_role=role.role,
            vpc_id=network.vpc,
            subnet_ids=list(blueprint.control_plane.subnets),  # type: ignore[arg-type]
            authentication_mode=eks.AuthenticationMode.API,
            bootstrap_self_managed_addons=False,
            enabled_cluster_log_types=[each.value for each in described.logs.types],
            encryption_config_key_arn=self._secrets_key(blueprint),
            endpoint_private_access=True,
            # Unset, not True: set, the component dials the endpoint from here, for up to five minutes where it
            # cannot. AWS's own default is public.
            endpoint_public_access=None if described.api.public else False,
            public_access_cidrs=list(described.api.public) if described.api.public else None,
            skip_default_node_group=True,
            skip_default_security_groups=True,
            use_default_vpc_cni=True,
            kube_proxy_addon_options=eks.KubeProxyAddonOptionsArgs(enabled=False),
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
        self.component = cluster
        self._entries: dict[str, aws.eks.AccessEntry] = {}
        self.access = [each for entry in described.access for each in self._grant(entry, blueprint)]
        plain: pulumi.Output[str] = pulumi.Output.all(self.name, self.endpoint, self.certificate_authority).apply(
            lambda parts: kubeconfig(*parts, region=blueprint.region)
        )
        self.kubeconfig: pulumi.Output[str] = pulumi.Output.secret(plain)
        self.register_outputs({"arn": self.arn, "securityGroup": self.security_group})

    def _secrets_key(self, blueprint: Blueprint) -> pulumi.Input[str]:
        """The description's key, or one of ours. Whoever creates the cluster needs kms:CreateGrant on it: the default
        key policy leaves that to IAM."""
        if blueprint.described.secrets_key:
            return blueprint.described.secrets_key
        key = aws.kms.Key(
            "secrets",
            description=f"Kubernetes secrets of {blueprint.cluster_name}",
            enable_key_rotation=True,
            deletion_window_in_days=30,
            tags=tags(blueprint, "secrets"),
            opts=self.below(),
        )
        aws.kms.Alias(
            "secrets",
            name=f"alias/{blueprint.cluster_name}-secrets",
            target_key_id=key.key_id,
            opts=self.below(),
        )
        return key.arn

    def _grant(self, access: Access, blueprint: Blueprint) -> list[pulumi.Resource]:
        """An access entry with its policy. The logical name is the principal's account and path."""
        who = access.principal.split("::", 1)[1].replace(":", "/")
        made: list[pulumi.Resource] = []
        if who not in self._entries:
            entry = aws.eks.AccessEntry(
                who,
                cluster_name=self.name,
                principal_arn=access.principal,
                tags=tags(blueprint, "access"),
                opts=self.below(),
            )
            self._entries[who] = entry
            made.append(entry)
        partition = partition_of(blueprint.region)
        scope = (
            {"type": "namespace", "namespaces": list(access.namespaces)} if access.namespaces else {"type": "cluster"}
        )
        made.append(
            aws.eks.AccessPolicyAssociation(
                f"{who}-{access.policy.value}",
                cluster_name=self.name,
                principal_arn=access.principal,
                policy_arn=f"arn:{partition}:eks::aws:cluster-access-policy/{_ACCESS_POLICY[access.policy]}",
                access_scope=aws.eks.AccessPolicyAssociationAccessScopeArgs(**scope),
                opts=self.below(depends_on=[self._entries[who]]),
            )
        )
        return made


def kubeconfig(name: str, endpoint: str, certificate_authority: str, *, region: str) -> str:
    """A kubeconfig, as JSON, that asks `aws eks get-token` for its tokens: nothing in it expires."""
    arguments = ["--region", region, "eks", "get-token", "--cluster-name", name, "--output", "json"]
    user = {
        "exec": {
            "apiVersion": "client.authentication.k8s.io/v1beta1",
            "command": "aws",
            "args": arguments,
        }
    }
    return json.dumps(
        {
            "apiVersion": "v1",
            "kind": "Config",
            "clusters": [
                {"name": name, "cluster": {"server": endpoint, "certificate-authority-data": certificate_authority}}
            ],
            "users": [{"name": name, "user": user}],
            "contexts": [{"name": name, "context": {"cluster": name, "user": name}}],
            "current-context": name,
        }
    )
