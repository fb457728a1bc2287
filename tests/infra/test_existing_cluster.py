"""A control plane that exists: what is not as described is refused before anything is registered."""

import pytest

from muster.fleet.resources import ref as types
from tests.factories import DROP
from tests.infra.registered import registered

GROUP = "sg-0123456789abcdef0"
EXISTING = {"name": "theirs", "security-group": GROUP, "authentication": "api-and-config-map"}
JOINING = {"control-plane": {"existing": EXISTING}, "api": DROP, "groups.system": DROP}
VPC = "vpc-0123456789abcdef0"
ADMINS = {"principal": "arn:aws:iam::210987654321:role/ml-admins", "policy": "cluster-admin"}
ENTRY, POLICY = "aws:eks/accessEntry:AccessEntry", "aws:eks/accessPolicyAssociation:AccessPolicyAssociation"


@pytest.mark.parametrize("preview", [False, True])
@pytest.mark.parametrize(
    ("what", "where", "ours", "theirs"),
    [
        ("authenticationMode", "control-plane.existing.authentication", "API_AND_CONFIG_MAP", "CONFIG_MAP"),
        ("securityGroup", "control-plane.existing.security-group", GROUP, "sg-0fedcba9876543210"),
        ("vpc", "network.existing.vpc", VPC, "vpc-0fedcba9876543210"),
    ],
)
def test_what_is_not_as_described_is_refused(what: str, where: str, ours: str, theirs: str, *, preview: bool) -> None:
    """In a preview, too: AWS is asked at once."""
    with pytest.raises(Exception, match="the description sets") as refusal:
        registered(JOINING, found={what: theirs}, preview=preview)
    said = f"{where}: the description sets {ours}, but AWS reports {theirs} for cluster theirs"
    assert str(refusal.value) == f"{said}\n  fix: write {theirs}"


@pytest.mark.parametrize(
    ("theirs", "what"),
    [("1.34", "newer than the cluster"), ("1.39", "more than 3 minor versions older than the cluster")],
)
def test_nodes_that_the_cluster_does_not_take_are_refused(theirs: str, what: str) -> None:
    """Kubernetes' version skew policy."""
    with pytest.raises(Exception, match=r"^kubernetes: ") as refusal:
        registered(JOINING, found={"version": theirs})
    said = f"kubernetes: nodes with 1.35 are {what}: AWS reports {theirs} for theirs"
    assert str(refusal.value) == f"{said}\n  fix: write {theirs}"


@pytest.mark.parametrize("theirs", ["1.35", "1.36", "1.38"])
def test_a_cluster_may_be_ahead_of_its_nodes(theirs: str) -> None:
    """Its owner upgrades it first; the outputs say what it is, the nodes stay as they are."""
    program = registered(JOINING, found={"version": theirs})
    assert program.outputs["cluster"]["version"] == theirs
    assert {each.inputs["version"] for each in program.all if each.type == types.NODE_GROUP} == {"1.35"}


def test_all_that_is_wrong_is_said_at_once() -> None:
    with pytest.raises(Exception, match=r"(?s)^kubernetes: .*\nnetwork\.existing\.vpc: ") as refusal:
        registered(JOINING, found={"version": "1.34", "vpc": "vpc-0fedcba9876543210"})
    assert str(refusal.value).count("  fix: write ") == 2


def test_nothing_of_it_is_registered() -> None:
    """No cluster, no role, key or logs of a control plane, no EKS add-on; the outputs are AWS's word."""
    program = registered(JOINING)
    assert not {types.CLUSTER, types.ADDON, "aws:kms/key:Key", "aws:cloudwatch/logGroup:LogGroup"} & program.types
    assert {each.name for each in program.all if each.type == "aws:iam/role:Role"} == {"workers"}
    cluster = program.outputs["cluster"]
    assert (cluster["name"], cluster["version"], cluster["endpointMode"]) == ("theirs", "1.35", "private")
    assert program.outputs["network"]["securityGroups"]["cluster"] == GROUP
    assert program.outputs["logGroups"] == {}
    group = program.one(types.NODE_GROUP, "workers").inputs
    assert group["clusterName"] == "theirs"
    nics = program.one(types.LAUNCH_TEMPLATE, "workers").inputs["networkInterfaces"]
    assert GROUP in nics[0]["securityGroups"]


def test_access_entries_are_ours() -> None:
    program = registered({**JOINING, "access": [ADMINS]})
    (entry,) = program.named(ENTRY).values()
    (policy,) = program.named(POLICY).values()
    assert (entry.inputs["clusterName"], entry.inputs["principalArn"]) == ("theirs", ADMINS["principal"])
    assert policy.inputs["policyArn"] == "arn:aws:eks::aws:cluster-access-policy/AmazonEKSClusterAdminPolicy"
    assert policy.inputs["accessScope"] == {"type": "cluster"}
    assert entry.urn in policy.dependencies
