"""Which actions of IAM's a deployment takes: by what its blueprint registers. Pure.

The main ones: what creates each kind of resource. A right to describe, to tag or to delete is not among them.

Sources: CloudFormation's resource schemas (pulumi-aws-native, `aws-cloudformation-schema/*.json`,
`handlers.create.permissions`) for each kind; FSx's CreateFileSystem and CloudFormation's CreateStack go by their APIs'
names. EKS asks for RunInstances of who makes a node group with a launch template (EKS user guide, launch templates).
"""

from collections.abc import Iterator, Mapping

from muster.fleet.blueprint import Blueprint, EksGroup
from muster.fleet.description.storage import Lustre
from muster.fleet.resources import Ref
from muster.fleet.slurm_blueprint import AnyBlueprint, SlurmBlueprint

ROLE, STACKS_ROLE, CLUSTER, BUCKET, STACK, ANY = "role", "stack's role", "cluster", "bucket", "stack", "*"
LOG_GROUP, REPOSITORY = "log group", "repository"
"""On what: things that a deployment names, or whatever there is."""

_ON: Mapping[str, str] = {
    ROLE: "arn:{partition}:iam::{account}:role/{name}-nodes",
    STACKS_ROLE: "arn:{partition}:iam::{account}:role/muster-{name}-nodes",
    LOG_GROUP: "arn:{partition}:logs:{region}:{account}:log-group:/aws/eks/{cluster}/cluster",
    REPOSITORY: "arn:{partition}:ecr:{region}:{account}:repository/{name}",
    CLUSTER: "arn:{partition}:eks:{region}:{account}:cluster/{cluster}",
    BUCKET: "arn:{partition}:s3:::sagemaker-{name}-lifecycle",
    STACK: "arn:{partition}:cloudformation:{region}:{account}:stack/muster-{name}/1",
    ANY: "*",
}
"""Named as the deployment will name them: policies allow actions by the beginnings of names."""

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


def actions(blueprint: AnyBlueprint) -> dict[str, str]:
    """Action -> what it is on (`resource`)."""
    found = dict(_of(blueprint))
    return {action: found[action] for action in sorted(found)}


def resource(on: str, *, partition: str, account: str, blueprint: AnyBlueprint) -> str:
    """What an action is simulated on: an ARN as the deployment will name it, or any."""
    cluster, name = blueprint.cluster_name, blueprint.name_stem
    return _ON[on].format(partition=partition, region=blueprint.region, account=account, cluster=cluster, name=name)


def _of(blueprint: AnyBlueprint) -> Iterator[tuple[str, str]]:
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
    if isinstance(blueprint, SlurmBlueprint):
        yield from _of_slurm(blueprint)
    else:
        yield from _of_kubernetes(blueprint)


def _of_slurm(blueprint: SlurmBlueprint) -> Iterator[tuple[str, str]]:
    """CloudFormation makes AWS's provider, and its roles, with the deployer's rights; the cluster and its instances are
    made with the provider's own."""
    yield "cloudformation:CreateStack", STACK
    yield from ((action, STACKS_ROLE) for action in _ROLE)
    yield from _any(_SECURITY_GROUP)
    if blueprint.described.head.login.public_key is not None:
        yield from _any(("ec2:ImportKeyPair",))
    if any(each.reservation_group for each in blueprint.groups):
        yield from _any(_RESERVATION_GROUP)


def _of_kubernetes(blueprint: Blueprint) -> Iterator[tuple[str, str]]:
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
    for group in blueprint.eks_groups:
        yield from _of_group(group)
    if blueprint.hyperpod:
        # By Cloud Control; SageMaker makes the nodes' access entry with the deployer's rights.
        yield from _any(("cloudformation:CreateResource", "sagemaker:CreateCluster"))
        yield "eks:CreateAccessEntry", CLUSTER
        yield from _ROLE.items()
        if blueprint.hyperpod.bundle:
            yield from _BUCKET.items()
        if blueprint.hyperpod.tracking_server:
            yield from _any(("sagemaker:CreateMlflowTrackingServer",))
            yield "eks:CreatePodIdentityAssociation", CLUSTER


def _of_group(group: EksGroup) -> Iterator[tuple[str, str]]:
    yield from _any(_TEMPLATE)
    yield from _ROLE.items()
    if group.node_group.managed:
        yield "eks:CreateNodegroup", CLUSTER
    else:
        yield from _any(("autoscaling:CreateAutoScalingGroup", "iam:CreateInstanceProfile"))
        yield "eks:CreateAccessEntry", CLUSTER
    if group.placement_group and group.placement_group.create:
        yield from _any(("ec2:CreatePlacementGroup",))
    if isinstance(group.reservation_group and group.reservation_group.ref, Ref):
        yield from _any(_RESERVATION_GROUP)


def _any(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for name in names:
        yield name, ANY
