"""In which order things come about and go: what stands before what, in every stack that has both."""

from collections.abc import Iterable

import pytest

from muster.fleet.registration import Registration
from muster.fleet.resources import ref as types
from muster.offline.plan import Plan
from muster.stack.project import stacks
from tests.infra.registered import registered
from tests.stack_files import ROOT, plan_of


def needs(made: Iterable[Registration]) -> dict[str, set[str]]:
    """URN -> everything that must stand before it and outlives it: dependencies, parents, and theirs."""
    direct = {
        each.urn: {
            *each.dependencies,
            each.parent,
            *(urn for urns in each.property_dependencies.values() for urn in urns),
        }
        - {""}
        for each in made
    }

    def all_of(urn: str, seen: set[str]) -> set[str]:
        for needed in direct[urn]:
            if needed not in seen:
                seen.add(needed)
                all_of(needed, seen)
        return seen

    return {urn: all_of(urn, set()) for urn in direct}


_GROUP, _OWN_GROUP = types.NODE_GROUP, types.AUTO_SCALING_GROUP
_RELEASE, _MANIFEST, _ADDON = "kubernetes:helm.sh/v3:Release", "kubernetes:yaml/v2:ConfigFile", types.ADDON
_CLUSTER, _SUBNET = types.CLUSTER, types.SUBNET
_FILE_SYSTEM, _SECURITY_GROUP = types.LUSTRE, types.SECURITY_GROUP
_RULE_IN = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
_RULE_OUT = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
_WAYS_OUT = ("aws:ec2/route:Route", "aws:ec2/routeTableAssociation:RouteTableAssociation")
_HYPERPOD, _SLURM = types.HYPERPOD, "aws:cloudformation/stack:Stack"
_POLICY, _ENTRY = "aws:iam/rolePolicyAttachment:RolePolicyAttachment", "aws:eks/accessEntry:AccessEntry"
_PROFILE, _GATEWAY = "aws:iam/instanceProfile:InstanceProfile", "aws:ec2/internetGateway:InternetGateway"
_TRACKING = "aws:sagemaker/mlflowTrackingServer:MlflowTrackingServer"
_OF_NODES = (types.LAUNCH_TEMPLATE, _RULE_OUT, _POLICY)
_OF_HYPERPOD = (_POLICY, "aws:s3/bucketObjectv2:BucketObjectv2", "aws:s3/bucketPolicy:BucketPolicy", _RULE_OUT)

BEFORE = [
    *((addon, later) for addon in (_RELEASE, _MANIFEST) for later in (_GROUP, _OWN_GROUP, *_WAYS_OUT)),
    (_RELEASE, _ADDON),
    (_RELEASE, _ENTRY),
    *((_GROUP, later) for later in (*_OF_NODES, *_WAYS_OUT, _CLUSTER, _SUBNET)),
    *((_OWN_GROUP, later) for later in (*_OF_NODES, _CLUSTER, _ENTRY, _PROFILE)),
    *((types.EC2_NODE_CLASS, later) for later in (_RELEASE, _ENTRY, _PROFILE)),
    (types.NODE_POOL, types.EC2_NODE_CLASS),
    (_CLUSTER, _POLICY),
    (_CLUSTER, "aws:cloudwatch/logGroup:LogGroup"),
    (_CLUSTER, _SUBNET),
    (_SUBNET, "aws:ec2/vpc:Vpc"),
    ("aws:ec2/natGateway:NatGateway", _GATEWAY),
    ("aws:ec2/eip:Eip", _GATEWAY),
    *((later, _FILE_SYSTEM) for later in (_GROUP, _RELEASE)),
    *((_HYPERPOD, later) for later in (_RELEASE, _CLUSTER, _SUBNET, _FILE_SYSTEM, *_OF_HYPERPOD, *_WAYS_OUT)),
    *((_SLURM, later) for later in (_FILE_SYSTEM, _SECURITY_GROUP, _RULE_IN, _RULE_OUT, _SUBNET, *_WAYS_OUT)),
    *(("aws-native:sagemaker:ComputeQuota", later) for later in (_HYPERPOD, _ADDON)),
    (_TRACKING, "aws:s3/bucket:Bucket"),
    ("aws:s3/bucketPolicy:BucketPolicy", "aws:s3/bucketPublicAccessBlock:BucketPublicAccessBlock"),
    *((_FILE_SYSTEM, later) for later in (_SECURITY_GROUP, _RULE_IN, _RULE_OUT, _SUBNET)),
]


def _is_first(each: Registration, then: str, plan: Plan) -> bool:
    """HyperPod's chart stands before HyperPod's nodes, and mounts nothing."""
    return (each.type, each.name, then, plan.backend) == (_RELEASE, "hyperpod", _FILE_SYSTEM, "hyperpod")


def test_the_order_of_destruction() -> None:
    """What is destroyed first needs what is destroyed later, in every stack that has both: releases, groups, the
    cluster, file systems, security groups, subnets."""
    seen = set()
    for stack in stacks(ROOT):
        plan = plan_of(stack)
        required = needs(plan.registrations)
        for first, then in BEFORE:
            late = {each.urn for each in plan.registrations if each.type == then}
            early = [each.urn for each in plan.registrations if each.type == first and not _is_first(each, then, plan)]
            for urn in early if late else ():
                assert required[urn] & late, f"{urn} does not wait for any {then}"
                seen.add((first, then))
    assert seen == set(BEFORE)


_BEFORE_NODES = [(_ADDON, name) for name in ("vpc-cni", "kube-proxy", "eks-pod-identity-agent")]
_DNS, _MACHINES = (_ADDON, "coredns"), (_HYPERPOD, "hyperpod")

WAITS: list[tuple[str, tuple[str, str], list[tuple[str, str]]]] = [
    ("p5-odcr", (_GROUP, "system"), _BEFORE_NODES),
    ("p5-odcr", _DNS, [(_GROUP, "system")]),
    ("p5-odcr", (_CLUSTER, "cluster"), [(_POLICY, "control-plane-AmazonEKSClusterPolicy")]),
    ("p5-odcr", (_ADDON, "vpc-cni"), [(_POLICY, "vpc-cni-AmazonEKS_CNI_Policy")]),
    (
        "p5-odcr",
        (_GROUP, "workers"),
        [
            *_BEFORE_NODES,
            (_POLICY, "workers-AmazonEKSWorkerNodePolicy"),
            (_POLICY, "workers-AmazonEC2ContainerRegistryPullOnly"),
        ],
    ),
    (
        "hyperpod-p5",
        _MACHINES,
        [
            *_BEFORE_NODES,
            (_RELEASE, "hyperpod"),
            (_RULE_OUT, "efa-to-itself"),
            (_RULE_IN, "efa-from-itself"),
            ("aws:iam/rolePolicy:RolePolicy", "hyperpod-instances"),
            (_POLICY, "hyperpod-instances-AmazonSageMakerClusterInstanceRolePolicy"),
        ],
    ),
    ("hyperpod-p5", (_RELEASE, "hyperpod"), _BEFORE_NODES),
    ("hyperpod-p5", _DNS, [_MACHINES]),
    ("hyperpod-p5", (_RELEASE, "kueue"), [_MACHINES, _DNS]),
    ("hyperpod-p5", ("kubernetes:kueue.x-k8s.io/v1beta2:ClusterQueue", "kueue-clusterqueue-main"), [_MACHINES, _DNS]),
    (
        "hyperpod-p5",
        ("aws:eks/podIdentityAssociation:PodIdentityAssociation", "mlflow-pods"),
        [(_ADDON, "eks-pod-identity-agent")],
    ),
]
"""A stack, what waits in it, and for what: nodes for what makes them ready, whoever uses a role for its policies, what
needs nodes for nodes."""


@pytest.mark.parametrize(("stack", "each", "before"), WAITS)
def test_it_waits(stack: str, each: tuple[str, str], before: list[tuple[str, str]]) -> None:
    assert not {*before} - _before(stack, each)


NEVER = [
    ("p5-odcr", (_GROUP, "workers"), _DNS),
    ("hyperpod-p5", (_RELEASE, "hyperpod"), _MACHINES),
    ("hyperpod-p5", _MACHINES, _DNS),
    ("hyperpod-p5", _MACHINES, (_TRACKING, "mlflow")),
    ("hyperpod-p5", (_TRACKING, "mlflow"), _MACHINES),
    ("trn1", (_FILE_SYSTEM, "scratch"), (_CLUSTER, "cluster")),
]
"""What would wait for one another, or take data along when it is made anew."""


@pytest.mark.parametrize(("stack", "each", "other"), NEVER)
def test_it_does_not_wait(stack: str, each: tuple[str, str], other: tuple[str, str]) -> None:
    assert other not in _before(stack, each)
    assert [one for one in plan_of(stack).registrations if (one.type, one.name) == other]


def _before(stack: str, each: tuple[str, str]) -> set[tuple[str, str]]:
    """Types and names of all that stands before it."""
    made = {one.urn: (one.type, one.name) for one in plan_of(stack).registrations}
    (urn,) = [urn for urn, name in made.items() if name == each]
    return {made[one] for one in needs(plan_of(stack).registrations)[urn]}


def test_a_group_of_reservations_is_full_before_anything_launches() -> None:
    """Nodes that come first would find it empty."""
    arn = "arn:aws:ec2:us-west-2:210987654321:capacity-reservation/cr-0123456789abcdef0"
    held = {"create": [arn], "zone": "us-west-2a", "count": 2, "provided-by": "aws"}
    program = registered({"groups.workers.capacity": {"reservation-group": held}})
    member = program.one("aws:resourcegroups/resource:Resource", "workers-cr-0123456789abcdef0")
    assert member.urn in needs(program.all)[program.one(_GROUP, "workers").urn]


def test_every_rule_of_a_file_system_stands_before_it_and_before_nodes() -> None:
    """FSx tries the ports before it makes anything."""
    made = plan_of("trn1").registrations
    required = needs(made)
    rules = {each.urn for each in made if each.type in (_RULE_IN, _RULE_OUT) and "lustre" in each.name}
    (files,) = [each.urn for each in made if each.type == _FILE_SYSTEM]
    assert len({urn for urn in rules if urn.endswith("-itself")} & required[files]) == 4
    for each in made:
        if each.type == _GROUP:
            assert {*rules, files} <= required[each.urn]
