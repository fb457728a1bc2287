"""Roles in IAM: what all of those that Muster makes have alike, and existing ones in place of them."""

from typing import Annotated

from pydantic import AfterValidator

from muster.addon_sheets import ADDONS, SHEETS
from muster.config.description.base import (
    EKS,
    HYPERPOD,
    HYPERPOD_SLURM,
    PARALLELCLUSTER,
    PCS,
    Change,
    StrictModel,
    key,
    optional,
    unique_items,
)
from muster.config.identifiers import IamPath, ManagedPolicyArn, RoleArn, RoleOrProfileArn

VPC_CNI = "vpc-cni"
WITH_A_ROLE = (
    VPC_CNI,
    *(name for name in ADDONS if "permissions" in SHEETS[name] or name in ("karpenter", "s3-csi-driver")),
)
"""The add-ons with a role in AWS: by their sheets; two have more than a sheet can say."""

Policies = Annotated[tuple[ManagedPolicyArn, ...], AfterValidator(unique_items)]
POLICIES = (
    "ARNs of managed policies to attach to the role of the nodes, in addition to those that nodes need. Every job on "
    "the nodes may use them. Default: none."
)
_ADDONS = (
    "ARNs of existing roles of add-ons, by name of the add-on; vpc-cni for that of the VPC CNI. The role has the "
    "permissions of the add-on, and trusts pods.eks.amazonaws.com (or the OIDC provider of the cluster, for an add-on "
    "that needs one). Default: Muster creates one for each service account."
)
_PATH = (
    "Path of all roles and instance profiles that Muster creates, as in /teams/ml/. Roles are created again under "
    "another path, with what EKS does not change: its cluster, and node groups. Default: /."
)


class AddonRoles(StrictModel):
    """Existing roles in place of those that Muster would create."""

    addons: dict[str, RoleArn] = key(_ADDONS, Change.IN_PLACE, default={})


class AddonsIam(StrictModel):
    """Settings of the roles of add-ons."""

    permissions_boundary: ManagedPolicyArn | None = optional(
        "ARN of the managed policy that is the permissions boundary of every role that Muster creates, and on "
        "ParallelCluster also of those that the cluster creates. Default: none.",
        Change.IN_PLACE,
    )
    path: IamPath | None = optional(_PATH, Change.IN_PLACE)
    roles: AddonRoles = key(
        "Existing roles in place of those that Muster would create. Default: none.",
        Change.IN_PLACE,
        default=AddonRoles.model_construct(),
    )


class Roles(AddonRoles):
    """Existing roles, which Muster does not change, in place of those that it would create."""

    control_plane: RoleArn | None = optional(
        "ARN of the role of the EKS cluster. It trusts eks.amazonaws.com, and has AmazonEKSClusterPolicy. EKS Auto "
        "Mode needs four other policies too, and sts:TagSession in the trust policy. Default: Muster creates one.",
        {EKS: Change.REPLACES, HYPERPOD: Change.REPLACES},
    )
    nodes: str | None = optional(
        "ARN of the role of all nodes. It trusts ec2.amazonaws.com. Default: Muster creates one.",
        {EKS: Change.REPLACES, PARALLELCLUSTER: Change.FLEET_STOP, PCS: Change.NEXT_LAUNCH},
        here={
            EKS: {
                "doc": "ARN of the role of the nodes of all groups without a `role`. It trusts ec2.amazonaws.com, and "
                "has AmazonEKSWorkerNodePolicy and AmazonEC2ContainerRegistryPullOnly. Default: Muster creates one "
                "for each group.",
                "form": RoleArn | None,
            },
            PARALLELCLUSTER: {
                "doc": "ARN of the role, or of the instance profile, of the nodes of all queues. ParallelCluster then "
                "adds neither policies nor S3 permissions. Default: ParallelCluster creates one for each queue.",
                "form": RoleOrProfileArn | None,
            },
            PCS: {
                "doc": "ARN of the role, or of the instance profile, of all nodes. The name of the role starts with "
                "AWSPCS, or its path has /aws-pcs/, and it allows pcs:RegisterComputeNodeGroupInstance. Default: "
                "Muster creates one.",
                "form": RoleOrProfileArn | None,
            },
        },
        instead="hyperpod.execution-role",
    )
    head: RoleOrProfileArn | None = optional(
        "ARN of the role, or of the instance profile, of the head node. ParallelCluster then adds neither policies nor "
        "S3 permissions. Default: ParallelCluster creates one.",
        {PARALLELCLUSTER: Change.REFUSED},
        instead=("nodes", "hyperpod.execution-role"),
    )
    login: RoleOrProfileArn | None = optional(
        "ARN of the role, or of the instance profile, of login nodes. Default: ParallelCluster creates one for each "
        "pool.",
        {PARALLELCLUSTER: Change.LOGIN_STOP},
        instead=("nodes", "hyperpod.execution-role"),
    )
    provider: RoleArn | None = optional(
        "ARN of the role of ParallelCluster's provider, the function with which CloudFormation creates the cluster "
        "(`CustomLambdaRole` of its template). Its own role has no permissions boundary, and creates roles only below "
        "/parallelcluster/. Default: the provider creates one.",
        {PARALLELCLUSTER: Change.IN_PLACE},
    )
    lambda_functions: RoleArn | None = optional(
        "ARN of the role of the functions with which ParallelCluster deletes a cluster (`LambdaFunctionsRole`). "
        "Default: ParallelCluster creates it.",
        {PARALLELCLUSTER: Change.IN_PLACE},
    )
    addons: dict[str, RoleArn] = key(
        _ADDONS, {EKS: Change.IN_PLACE, HYPERPOD: Change.IN_PLACE}, instead="nodes", default={}
    )


class Iam(AddonsIam):
    """Settings of all roles of a cluster, and existing roles in place of those that Muster would create."""

    path: IamPath | None = optional(
        _PATH,
        {
            EKS: Change.REPLACES,
            HYPERPOD: Change.REPLACES,
            HYPERPOD_SLURM: Change.IN_PLACE,
            PARALLELCLUSTER: Change.REFUSED,
            PCS: Change.NEXT_LAUNCH,
        },
        here={
            PARALLELCLUSTER: {
                "doc": "Path of all roles and instance profiles of the cluster, as in /parallelcluster/ml/ "
                "(`ResourcePrefix`). A path outside /parallelcluster/ needs `roles.provider`. Default: "
                "/parallelcluster/."
            },
            PCS: {
                "doc": "Path of the role and the instance profile of the nodes, as in /teams/ml/. The name of the role "
                "then starts with AWSPCS, as PCS demands. Default: /aws-pcs/."
            },
        },
    )
    roles: Roles = key(
        "Existing roles in place of those that Muster would create. Default: none.",
        Change.IN_PLACE,
        default=Roles.model_construct(),
    )
    node_policies: Policies = key(
        POLICIES,
        {HYPERPOD: Change.IN_PLACE, HYPERPOD_SLURM: Change.IN_PLACE, PCS: Change.IN_PLACE},
        instead=("groups.*.policies", "queues.*.policies"),
        default=(),
    )
