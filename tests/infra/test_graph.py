"""What edits of p5-odcr register, and the order of destruction; what p5-odcr registers is in its golden plan."""

from datetime import date
from functools import cache

from muster.fleet.registration import Registration
from muster.offline.plan import Plan, plan_stack
from muster.stack.project import stacks
from muster.stack.stack_file import StackFile, load
from tests.stack_files import AS_OF, ROOT, edited, plan_of, text_of

DAY = date.fromisoformat(AS_OF)
STACK = "p5-odcr"


@cache
def planned(*changes: tuple[str, str]) -> Plan:
    """The plan of p5-odcr with edits."""
    import tempfile
    from pathlib import Path

    text = text_of(STACK)
    for before, after in changes:
        text = edited(text, before, after)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"Pulumi.{STACK}.yaml"
        file.write_text(text, encoding="utf-8")
        opened: StackFile = load(STACK, file, Path(folder) / "facts.json")
    assert not opened.faults
    plan = plan_stack(opened, DAY)
    assert plan.broken_laws == ()
    return plan


def one(plan: Plan, type_: str, name: str) -> Registration:
    """The only registration of a type and name."""
    (found,) = [each for each in plan.registrations if (each.type, each.name) == (type_, name)]
    return found


def template_of(plan: Plan) -> Registration:
    return one(plan, "aws:ec2/launchTemplate:LaunchTemplate", "workers")


CLASSIC = ("        volume: {size: 300GiB}\n", "        volume: {size: 300GiB}\n        interfaces: classic\n")


def groups_of(plan: Plan) -> tuple[str, str]:
    """The ids of the cluster's own group and of the EFA group."""
    cluster = one(plan, "aws:eks/cluster:Cluster", "cluster-eksCluster").outputs["vpcConfig"]["clusterSecurityGroupId"]
    return cluster, str(one(plan, "aws:ec2/securityGroup:SecurityGroup", "efa").id)


def test_the_classic_layout() -> None:
    """32 EFA interfaces, one a card, each with both groups: each carries IP."""
    plan = planned(CLASSIC)
    cluster, efa = groups_of(plan)
    nics = template_of(plan).inputs["networkInterfaces"]
    assert [nic["interfaceType"] for nic in nics] == ["efa"] * 32
    assert [(nic["networkCardIndex"], nic["deviceIndex"]) for nic in nics] == [
        (0, 0),
        *((card, 1) for card in range(1, 32)),
    ]
    assert all(nic["securityGroups"] == [cluster, efa] for nic in nics)


def test_a_reservation_made_outside_any_placement_group_gets_none() -> None:
    """`placement-group: none` says so; nodes are then launched in none."""
    plan = planned(("provided-by: aws", "provided-by: you\n            placement-group: none"))
    assert "placement" not in template_of(plan).inputs
    assert not [each for each in plan.registrations if "placementGroup" in each.type]


def test_a_fixed_number_is_held_and_a_range_left_to_the_cluster() -> None:
    """`desiredSize` belongs to the live cluster unless the description fixes the number."""
    plan = planned()
    fixed = one(plan, "aws:eks/nodeGroup:NodeGroup", "workers").options
    ranged = one(plan, "aws:eks/nodeGroup:NodeGroup", "system").options
    assert "ignoreChanges" not in fixed
    assert fixed["deleteBeforeReplace"] is True
    assert ranged["ignoreChanges"] == ["scalingConfig.desiredSize"]
    assert "deleteBeforeReplace" not in ranged


def test_type_tokens_are_frozen() -> None:
    """Pulumi's state has them: another token replaces the component and everything below it."""
    tokens = {each.type for each in planned().registrations if each.type.startswith("muster:")}
    assert tokens == {
        "muster:addons:Addons",
        "muster:infra:Cluster",
        "muster:infra:EfaSecurityGroup",
        "muster:infra:EksAddon",
        "muster:infra:NodeGroup",
        "muster:infra:Role",
    }


def needs(plan: Plan) -> dict[str, set[str]]:
    """URN -> everything that must stand before it and outlives it: dependencies, parents, and theirs."""
    direct = {
        each.urn: {
            *each.dependencies,
            each.parent,
            *(urn for urns in each.property_dependencies.values() for urn in urns),
        }
        - {""}
        for each in plan.registrations
    }
    children: dict[str, set[str]] = {}
    for each in plan.registrations:
        children.setdefault(each.parent, set()).add(each.urn)

    def all_of(urn: str, seen: set[str]) -> set[str]:
        for needed in direct[urn]:
            if needed not in seen:
                seen.add(needed)
                all_of(needed, seen)
        return seen

    return {urn: all_of(urn, set()) for urn in direct}


_GROUP, _OWN_GROUP = "aws:eks/nodeGroup:NodeGroup", "aws:autoscaling/group:Group"
_RELEASE, _MANIFEST = "kubernetes:helm.sh/v3:Release", "kubernetes:yaml/v2:ConfigFile"
_CLUSTER, _SUBNET = "aws:eks/cluster:Cluster", "aws:ec2/subnet:Subnet"
_FILE_SYSTEM, _SECURITY_GROUP = "aws:fsx/lustreFileSystem:LustreFileSystem", "aws:ec2/securityGroup:SecurityGroup"
_RULE_IN = "aws:vpc/securityGroupIngressRule:SecurityGroupIngressRule"
_RULE_OUT = "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule"
_WAYS_OUT = ("aws:ec2/route:Route", "aws:ec2/routeTableAssociation:RouteTableAssociation")
_HYPERPOD, _SLURM = "aws-native:sagemaker:Cluster", "aws:cloudformation/stack:Stack"
_OF_NODES = (
    "aws:ec2/launchTemplate:LaunchTemplate",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
)

_OF_HYPERPOD = (
    "aws:iam/rolePolicyAttachment:RolePolicyAttachment",
    "aws:s3/bucketObjectv2:BucketObjectv2",
    "aws:vpc/securityGroupEgressRule:SecurityGroupEgressRule",
)

BEFORE = [
    *((addon, later) for addon in (_RELEASE, _MANIFEST) for later in (_GROUP, _OWN_GROUP, *_WAYS_OUT)),
    (_RELEASE, "aws:eks/addon:Addon"),
    (_RELEASE, "aws:eks/accessEntry:AccessEntry"),
    *((_GROUP, later) for later in (*_OF_NODES, *_WAYS_OUT, _CLUSTER, _SUBNET)),
    *((_OWN_GROUP, later) for later in (*_OF_NODES, _CLUSTER)),
    (_OWN_GROUP, "aws:eks/accessEntry:AccessEntry"),
    (_OWN_GROUP, "aws:iam/instanceProfile:InstanceProfile"),
    (_CLUSTER, "aws:iam/rolePolicyAttachment:RolePolicyAttachment"),
    (_CLUSTER, "aws:cloudwatch/logGroup:LogGroup"),
    (_CLUSTER, _SUBNET),
    (_SUBNET, "aws:ec2/vpc:Vpc"),
    ("aws:ec2/natGateway:NatGateway", "aws:ec2/internetGateway:InternetGateway"),
    *((later, _FILE_SYSTEM) for later in (_GROUP, _RELEASE)),
    *((_HYPERPOD, later) for later in (_RELEASE, _CLUSTER, _SUBNET, _FILE_SYSTEM, *_OF_HYPERPOD, *_WAYS_OUT)),
    *((_SLURM, later) for later in (_FILE_SYSTEM, _SECURITY_GROUP, _RULE_IN, _RULE_OUT, _SUBNET, *_WAYS_OUT)),
    *(("aws-native:sagemaker:ComputeQuota", later) for later in (_HYPERPOD, "aws:eks/addon:Addon")),
    ("aws:sagemaker/mlflowTrackingServer:MlflowTrackingServer", "aws:s3/bucket:Bucket"),
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
        required = needs(plan)
        for first, then in BEFORE:
            late = {each.urn for each in plan.registrations if each.type == then}
            early = [each.urn for each in plan.registrations if each.type == first and not _is_first(each, then, plan)]
            for urn in early if late else ():
                assert required[urn] & late, f"{urn} does not wait for any {then}"
                seen.add((first, then))
    assert seen == set(BEFORE)


def test_nodes_wait_for_what_makes_them_ready_and_coredns_for_nodes() -> None:
    """A group waits for Ready nodes, a node for its CNI, the CNI for its credentials; CoreDNS is no DaemonSet."""
    plan = planned()
    required = needs(plan)
    addon = {each.name: each.urn for each in plan.registrations if each.type == "aws:eks/addon:Addon"}
    for group in ("workers", "system"):
        urn = one(plan, "aws:eks/nodeGroup:NodeGroup", group).urn
        assert {addon["vpc-cni"], addon["kube-proxy"], addon["eks-pod-identity-agent"]} <= required[urn]
        assert addon["coredns"] not in required[urn]
    assert one(plan, "aws:eks/nodeGroup:NodeGroup", "system").urn in required[addon["coredns"]]


def test_whoever_uses_a_role_waits_for_its_policies() -> None:
    """On create a role without its policies is no use; on destroy they must outlive the user."""
    plan = planned()
    required = needs(plan)
    policies = {each.name: each.urn for each in plan.registrations if each.type.endswith(":RolePolicyAttachment")}
    users = {
        one(plan, "aws:eks/cluster:Cluster", "cluster-eksCluster").urn: {"control-plane-AmazonEKSClusterPolicy"},
        one(plan, "aws:eks/addon:Addon", "vpc-cni").urn: {"vpc-cni-AmazonEKS_CNI_Policy"},
        one(plan, "aws:eks/nodeGroup:NodeGroup", "workers").urn: {
            "workers-AmazonEKSWorkerNodePolicy",
            "workers-AmazonEC2ContainerRegistryPullOnly",
        },
    }
    for user, names in users.items():
        assert {policies[name] for name in names} <= required[user], user


def test_the_classic_layout_leaves_max_pods_to_eks() -> None:
    """Nothing is lost on card 0, so EKS's own number is right."""
    import base64

    assert "maxPods" not in base64.b64decode(template_of(planned(CLASSIC)).inputs["userData"]).decode()
    assert planned(CLASSIC).blueprint.group("workers").node.allocatable.pods == 100
