"""The connection to a control plane that groups and add-ons need, of this stack or another; and the access entries of
its API with their policies."""

import json

import pulumi
import pulumi_aws as aws

from muster.blueprint.cluster import Blueprint
from muster.blueprint.iam import access_policy, principal_name
from muster.blueprint.user_data import ClusterAddress
from muster.fleet.resources import AccessEntry, AccessPolicyGrant
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


def grant(
    blueprint: Blueprint, cluster: pulumi.Input[str], below: pulumi.ResourceOptions
) -> tuple[pulumi.Resource, ...]:
    """An access entry for every principal of the description, with its policies, and for each existing role of
    nodes."""
    entries = {
        str(each.principal): aws.eks.AccessEntry(
            each.ref.name,
            cluster_name=cluster,
            principal_arn=str(each.principal),
            kubernetes_groups=list(each.groups) or None,
            tags=tags(blueprint, "access"),
            opts=below,
        )
        for each in blueprint.access
        if isinstance(each, AccessEntry)
    }
    policies = [
        aws.eks.AccessPolicyAssociation(
            each.ref.name,
            cluster_name=cluster,
            principal_arn=str(each.principal),
            policy_arn=access_policy(blueprint.region, each.policy),
            access_scope=aws.eks.AccessPolicyAssociationAccessScopeArgs(
                type="namespace" if each.namespaces else "cluster", namespaces=list(each.namespaces) or None
            ),
            opts=pulumi.ResourceOptions.merge(below, pulumi.ResourceOptions(depends_on=[entries[str(each.principal)]])),
        )
        for each in blueprint.access
        if isinstance(each, AccessPolicyGrant)
    ]
    nodes = (
        each
        for role, auto_mode in blueprint.node_entries.items()
        for each in node_entry(principal_name(role), blueprint, cluster, role, below, auto_mode=auto_mode)
    )
    return (*entries.values(), *policies, *nodes)


def node_entry(
    name: str,
    blueprint: Blueprint,
    cluster: pulumi.Input[str],
    role: pulumi.Input[str],
    below: pulumi.ResourceOptions,
    *,
    auto_mode: bool,
) -> tuple[pulumi.Resource, ...]:
    """The access entry of a role of nodes. EKS creates those of managed groups itself, and for EKS Auto Mode only that
    of its own NodePools (EKS user guide, create-node-class).

    Args:
        name: its logical name.
        blueprint: of the cluster.
        cluster: the name of the control plane.
        role: the ARN of the role.
        below: options of the resources.
        auto_mode: whether the nodes are those of EKS Auto Mode, which also need an access policy.
    """
    entry = aws.eks.AccessEntry(
        name,
        cluster_name=cluster,
        principal_arn=role,
        type="EC2" if auto_mode else "EC2_LINUX",
        tags=tags(blueprint, name),
        opts=below,
    )
    if not auto_mode:
        return (entry,)
    policy = aws.eks.AccessPolicyAssociation(
        name,
        cluster_name=cluster,
        principal_arn=role,
        policy_arn=access_policy(blueprint.region, "AmazonEKSAutoNodePolicy"),
        access_scope=aws.eks.AccessPolicyAssociationAccessScopeArgs(type="cluster"),
        opts=pulumi.ResourceOptions.merge(below, pulumi.ResourceOptions(depends_on=[entry])),
    )
    return entry, policy
