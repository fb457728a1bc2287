"""The connection to a control plane that groups and add-ons need, of this stack or another; and the access entries of
its API with their policies."""

import json

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint
from muster.blueprint.iam import access_policy
from muster.blueprint.user_data import ClusterAddress
from muster.config.description.control_plane import AccessPolicy
from muster.infra.component import Component, tags


class ControlPlaneConnection(Component):
    """A control plane to join."""

    name: pulumi.Input[str]
    arn: pulumi.Input[str]
    account: str
    """The id of the account that it is in."""
    version: str
    """The Kubernetes version: ``1.35``."""
    endpoint: pulumi.Input[str]
    certificate_authority: pulumi.Input[str]
    service_cidr: pulumi.Input[str]
    security_group: pulumi.Input[str]
    """The security group that EKS created for it."""
    oidc_issuer: pulumi.Input[str]
    endpoint_mode: pulumi.Input[str]
    """``private`` or ``public-and-private``."""
    log_group: pulumi.Input[str] | None
    access: tuple[pulumi.Resource, ...]
    """The access entries with their policies."""
    region: str

    @property
    def address(self) -> pulumi.Output[ClusterAddress]:
        """The address of the cluster, for its nodes."""
        parts = pulumi.Output.all(self.name, self.endpoint, self.certificate_authority, self.service_cidr)
        address: pulumi.Output[ClusterAddress] = parts.apply(lambda each: ClusterAddress(*each))
        return address

    @property
    def kubeconfig(self) -> pulumi.Output[str]:
        """The kubeconfig, as a secret. It contains no key, but it is enough for anyone who may get a token from AWS."""
        plain: pulumi.Output[str] = pulumi.Output.all(self.name, self.endpoint, self.certificate_authority).apply(
            lambda parts: kubeconfig(*parts, region=self.region)
        )
        return pulumi.Output.secret(plain)


def kubeconfig(name: str, endpoint: str, certificate_authority: str, *, region: str) -> str:
    """A kubeconfig, as JSON, that gets its tokens from `aws eks get-token`, so that nothing in it expires."""
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


_ACCESS_POLICY = {
    AccessPolicy.CLUSTER_ADMIN: "AmazonEKSClusterAdminPolicy",
    AccessPolicy.ADMIN: "AmazonEKSAdminPolicy",
    AccessPolicy.EDIT: "AmazonEKSEditPolicy",
    AccessPolicy.VIEW: "AmazonEKSViewPolicy",
}


def grant(
    blueprint: Blueprint, cluster: pulumi.Input[str], below: pulumi.ResourceOptions
) -> tuple[pulumi.Resource, ...]:
    """An access entry for every principal of the description, and its policies. Logical names are the principal's
    account and path."""
    entries: dict[str, aws.eks.AccessEntry] = {}
    policies: list[pulumi.Resource] = []
    for access in blueprint.described.access:
        who = access.principal.split("::", 1)[1].replace(":", "/")
        if who not in entries:
            entries[who] = aws.eks.AccessEntry(
                who,
                cluster_name=cluster,
                principal_arn=access.principal,
                tags=tags(blueprint, "access"),
                opts=below,
            )
        namespaces = list(access.namespaces)
        scope = {"type": "namespace", "namespaces": namespaces} if namespaces else {"type": "cluster"}
        policies.append(
            aws.eks.AccessPolicyAssociation(
                f"{who}-{access.policy.value}",
                cluster_name=cluster,
                principal_arn=access.principal,
                policy_arn=access_policy(blueprint.region, _ACCESS_POLICY[access.policy]),
                access_scope=aws.eks.AccessPolicyAssociationAccessScopeArgs(**scope),
                opts=pulumi.ResourceOptions.merge(below, pulumi.ResourceOptions(depends_on=[entries[who]])),
            )
        )
    return (*entries.values(), *policies)
