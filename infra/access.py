"""Who may use the Kubernetes API: access entries with their policies."""

import pulumi
import pulumi_aws as aws

from infra.component import tags
from muster.fleet.blueprint import Blueprint
from muster.fleet.description.cluster import Access, AccessPolicy
from muster.fleet.zones import partition_of

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
        policies.append(_policy(who, access, blueprint, cluster, entries[who], below))
    return (*entries.values(), *policies)


def _policy(
    who: str,
    access: Access,
    blueprint: Blueprint,
    cluster: pulumi.Input[str],
    entry: aws.eks.AccessEntry,
    below: pulumi.ResourceOptions,
) -> pulumi.Resource:
    scope = {"type": "namespace", "namespaces": list(access.namespaces)} if access.namespaces else {"type": "cluster"}
    policy = f"arn:{partition_of(blueprint.region)}:eks::aws:cluster-access-policy/{_ACCESS_POLICY[access.policy]}"
    return aws.eks.AccessPolicyAssociation(
        f"{who}-{access.policy.value}",
        cluster_name=cluster,
        principal_arn=access.principal,
        policy_arn=policy,
        access_scope=aws.eks.AccessPolicyAssociationAccessScopeArgs(**scope),
        opts=pulumi.ResourceOptions.merge(below, pulumi.ResourceOptions(depends_on=[entry])),
    )
