"""The IAM actions that a deployment needs, and whether the caller has them, from IAM's simulation."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from muster import backends
from muster.account.caller_identity import GET_CALLER_IDENTITY, Identity, identity_of
from muster.account.query import Inquiry, Query
from muster.account.topic import PreflightRequest, Topic
from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.hyperpod.slurm import HyperPodSlurmBlueprint
from muster.blueprint.kubernetes import Blueprint, EksGroup, HyperPod
from muster.blueprint.parallelcluster.cluster import ParallelClusterBlueprint
from muster.blueprint.pcs.cluster import PcsBlueprint, PcsGroup
from muster.config.description.storage import Lustre
from muster.fleet.facts import Facts
from muster.fleet.resources import Ref

ROLE, STACKS_ROLE, CLUSTER, BUCKET, STACK, ANY = "role", "stack's role", "cluster", "bucket", "stack", "*"
PCS_ROLE = "role of PCS"
LOG_GROUP, REPOSITORY = "log group", "repository"
"""The resources of actions: those that a deployment names, or any."""

_ON: Mapping[str, str] = {
    ROLE: "arn:{partition}:iam::{account}:role/{name}-nodes",
    STACKS_ROLE: "arn:{partition}:iam::{account}:role/muster-{name}-nodes",
    PCS_ROLE: "arn:{partition}:iam::{account}:role/aws-pcs/{name}-nodes",
    LOG_GROUP: "arn:{partition}:logs:{region}:{account}:log-group:/aws/eks/{cluster}/cluster",
    REPOSITORY: "arn:{partition}:ecr:{region}:{account}:repository/{name}",
    CLUSTER: "arn:{partition}:eks:{region}:{account}:cluster/{cluster}",
    BUCKET: "arn:{partition}:s3:::sagemaker-{name}-lifecycle",
    STACK: "arn:{partition}:cloudformation:{region}:{account}:stack/muster-{name}/1",
    ANY: "*",
}
"""The names that the deployment will use, because policies allow actions by the beginnings of names."""

_ROLE = {"iam:CreateRole": ROLE, "iam:AttachRolePolicy": ROLE, "iam:PassRole": ROLE}
_BUCKET = {"s3:CreateBucket": BUCKET, "s3:PutBucketPublicAccessBlock": BUCKET, "s3:PutObject": BUCKET}
_NETWORK = (
    *("ec2:CreateVpc", "ec2:CreateSubnet", "ec2:CreateInternetGateway", "ec2:AttachInternetGateway"),
    *("ec2:AllocateAddress", "ec2:CreateNatGateway", "ec2:CreateRouteTable", "ec2:CreateRoute"),
    "ec2:CreateVpcEndpoint",
)
_SECURITY_GROUP = ("ec2:CreateSecurityGroup", "ec2:AuthorizeSecurityGroupIngress", "ec2:AuthorizeSecurityGroupEgress")
_TEMPLATE = ("ec2:CreateLaunchTemplate", "ec2:RunInstances")
_RESERVATION_GROUP = ("resource-groups:CreateGroup", "resource-groups:GroupResources")


def deployment_actions(blueprint: ClusterBlueprint) -> dict[str, str]:
    """Action -> its resource."""
    found = dict(_of(blueprint))
    return {action: found[action] for action in sorted(found)}


def simulated_resource(on: str, *, partition: str, account: str, blueprint: ClusterBlueprint) -> str:
    """The resource of a simulated action: an ARN with the deployment's names, or any."""
    cluster, name = blueprint.cluster_name, blueprint.name_stem
    return _ON[on].format(partition=partition, region=blueprint.region, account=account, cluster=cluster, name=name)


def _of(blueprint: ClusterBlueprint) -> Iterator[tuple[str, str]]:
    if blueprint.network.created:
        yield from _any(_NETWORK)
    if any(isinstance(each.described, Lustre) for each in blueprint.storage):
        yield from _any(("fsx:CreateFileSystem", *_SECURITY_GROUP))
    if any(isinstance(each.described, Lustre) and each.described.data for each in blueprint.storage):
        yield from _any(("fsx:CreateDataRepositoryAssociation",))
    if blueprint.described.registry:
        yield "ecr:CreateRepository", REPOSITORY
    if blueprint.purchases:
        yield from _any(("ec2:PurchaseCapacityBlock",))
    yield from backends.of(blueprint).deployment_actions.load()(blueprint)


def slurm_actions(blueprint: ParallelClusterBlueprint) -> Iterator[tuple[str, str]]:
    """CloudFormation creates AWS's provider and its roles with the deployer's permissions. The provider creates the
    cluster and its instances with its own permissions."""
    yield "cloudformation:CreateStack", STACK
    yield from ((action, STACKS_ROLE) for action in _ROLE)
    yield from _any(_SECURITY_GROUP)
    if blueprint.described.head.login.public_key is not None:
        yield from _any(("ec2:ImportKeyPair",))
    if any(each.reservation_group for each in blueprint.groups):
        yield from _any(_RESERVATION_GROUP)


def pcs_actions(blueprint: PcsBlueprint) -> Iterator[tuple[str, str]]:
    """Action -> its simulated resource, for a cluster on PCS. Cloud Control and PCS act with the deployer's permissions
    (PCS user guide, "Minimum permissions for AWS PCS")."""
    yield from _any(
        (
            "cloudformation:CreateResource",
            "pcs:CreateCluster",
            "pcs:CreateComputeNodeGroup",
            "pcs:CreateQueue",
            "ec2:CreateNetworkInterface",
            "ec2:GetSecurityGroupsForVpc",
            "ec2:CreateFleet",
            "ec2:CreateTags",
            "iam:CreateServiceLinkedRole",
            "iam:GetInstanceProfile",
            "pcs:TagResource",
            "secretsmanager:CreateSecret",
            "secretsmanager:RotateSecret",
            "secretsmanager:TagResource",
            *_TEMPLATE,
            *_SECURITY_GROUP,
        )
    )
    # Its role has a path, by which PCS recognizes it.
    yield from ((action, PCS_ROLE) for action in _ROLE)
    yield from _any(("iam:CreateInstanceProfile",))
    for group in blueprint.groups:
        yield from _of_capacity(group)
    if any(group.described.capacity.capacity_block for group in blueprint.groups):
        yield from _any(("ec2:DescribeCapacityReservations",))


def hyperpod_slurm_actions(blueprint: HyperPodSlurmBlueprint) -> Iterator[tuple[str, str]]:
    """Cloud Control creates the cluster with the deployer's permissions."""
    yield from _any((*_SECURITY_GROUP, "cloudformation:CreateResource", "sagemaker:CreateCluster"))
    if blueprint.described.hyperpod.execution_role is None:
        yield from _ROLE.items()


def kubernetes_actions(blueprint: Blueprint) -> Iterator[tuple[str, str]]:
    """Action -> its simulated resource, for a cluster with Kubernetes."""
    if not blueprint.control_plane.existing:
        yield "eks:CreateCluster", CLUSTER
        yield from _ROLE.items()
        yield "logs:CreateLogGroup", LOG_GROUP
        if not blueprint.described.secrets_key:
            yield from _any(("kms:CreateKey",))
    if blueprint.eks_addons:
        yield "eks:CreateAddon", CLUSTER
    if blueprint.described.access:
        yield "eks:CreateAccessEntry", CLUSTER
    if blueprint.efa_security_group:
        yield from _any(_SECURITY_GROUP)
    yield from _of_nodes(blueprint)
    if blueprint.hyperpod:
        yield from _of_hyperpod(blueprint.hyperpod)


def _of_hyperpod(hyperpod: HyperPod) -> Iterator[tuple[str, str]]:
    # Through Cloud Control; SageMaker creates the nodes' access entry with the deployer's permissions.
    yield from _any(("cloudformation:CreateResource", "sagemaker:CreateCluster"))
    yield "eks:CreateAccessEntry", CLUSTER
    yield from _ROLE.items()
    if hyperpod.bundle:
        yield from _BUCKET.items()
    if hyperpod.quotas:
        yield from _any(("sagemaker:CreateComputeQuota",))
    if hyperpod.tracking_server:
        kind = "App" if hyperpod.tracking_server.serverless else "TrackingServer"
        yield from _any((f"sagemaker:CreateMlflow{kind}",))
        yield "eks:CreatePodIdentityAssociation", CLUSTER


def _of_nodes(blueprint: Blueprint) -> Iterator[tuple[str, str]]:
    for group in blueprint.eks_groups:
        yield from _of_group(group)
    if "karpenter" in blueprint.described.addons.chosen:
        yield from _any(("events:PutRule", "events:PutTargets", "sqs:CreateQueue"))
        yield "eks:CreatePodIdentityAssociation", CLUSTER
        yield from _ROLE.items()


def _of_group(group: EksGroup) -> Iterator[tuple[str, str]]:
    yield from _ROLE.items()
    if not group.by_karpenter:
        yield from _any(_TEMPLATE)
    if group.node_group.managed:
        yield "eks:CreateNodegroup", CLUSTER
    else:
        scaled = () if group.by_karpenter else ("autoscaling:CreateAutoScalingGroup",)
        if group.described.by_auto_mode:
            yield "eks:AssociateAccessPolicy", CLUSTER
        else:
            yield from _any((*scaled, "iam:CreateInstanceProfile"))
        yield "eks:CreateAccessEntry", CLUSTER
    yield from _of_capacity(group)


def _of_capacity(group: EksGroup | PcsGroup) -> Iterator[tuple[str, str]]:
    if group.placement_group and group.placement_group.create:
        yield from _any(("ec2:CreatePlacementGroup",))
    if isinstance(group.reservation_group and group.reservation_group.ref, Ref):
        yield from _any(_RESERVATION_GROUP)


def _any(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for name in names:
        yield name, ANY


def _inquire(wanted: PreflightRequest) -> Inquiry[Facts]:
    (caller,) = yield [GET_CALLER_IDENTITY]
    identity = identity_of(caller)
    # IAM can simulate only users and roles.
    if identity is None or not (identity.role or identity.user):
        return Facts()
    source: str = identity.arn
    if identity.role:
        # The ARN of a session lacks the role's path (IAM Identity Center's roles have one).
        (role,) = yield [_role(identity.role)]
        if role.result is None:
            return Facts()
        source = role.result["Role"]["Arn"]
    questions = _questions(source, identity, wanted)
    answers = yield questions
    decided = {
        each["EvalActionName"]: _allowed(each)
        for answer in answers
        for each in (answer.result or {}).get("EvaluationResults", ())
    }
    actions = sorted(name for each in questions for name in each.parameters["ActionNames"])
    return Facts(permissions={action: decided.get(action) for action in actions})


def _role(name: str) -> Query:
    absent = frozenset({"NoSuchEntity"})
    return Query("iam", "GetRole", f"role {name}", {"RoleName": name}, absent, needs=("Role.Arn",))


def _questions(source: str, identity: Identity, wanted: PreflightRequest) -> list[Query]:
    """One query for each resource of actions: if a policy allows an action only on some resources, IAM denies it on
    all."""
    by_thing: dict[str, list[str]] = {}
    for action, on in deployment_actions(wanted.blueprint).items():
        thing = simulated_resource(
            on, partition=identity.partition, account=identity.account, blueprint=wanted.blueprint
        )
        by_thing.setdefault(thing, []).append(action)
    return [_question(source, names, thing, wanted) for thing, names in by_thing.items()]


def _question(source: str, names: Sequence[str], thing: str, wanted: PreflightRequest) -> Query:
    region = {"ContextKeyName": "aws:RequestedRegion", "ContextKeyValues": [wanted.region], "ContextKeyType": "string"}
    return Query(
        "iam",
        "SimulatePrincipalPolicy",
        "permissions of the caller" if thing == "*" else f"permissions of the caller on {thing}",
        {"PolicySourceArn": source, "ActionNames": names, "ResourceArns": [thing], "ContextEntries": [region]},
        needs=("EvaluationResults[].EvalActionName", "EvaluationResults[].EvalDecision"),
    )


def _allowed(result: Mapping[str, Any]) -> bool | None:
    """Whether an action is allowed. None if a policy allows it only under a condition that the simulation cannot
    evaluate (a tag, an address), or if neither the result nor those of its resources list the missing context
    values."""
    if result["EvalDecision"] == "implicitDeny":
        parts = [result, *result.get("ResourceSpecificResults", ())]
        lacking = [each["MissingContextValues"] for each in parts if "MissingContextValues" in each]
        if not lacking or any(lacking):
            return None
    return bool(result["EvalDecision"] == "allowed")


PERMISSIONS = Topic(
    "permissions",
    "Whether the caller has the permissions that the deployment needs, as far as IAM's simulation can tell.",
    _inquire,
    frozenset({"permissions"}),
)
