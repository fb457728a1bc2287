"""Quotas: what is asked, and how much of each others use."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.account.topic import PreflightRequest
from muster.account.topics.hyperpod import HYPERPOD_QUOTAS
from muster.account.topics.quotas import RESOURCE_QUOTAS, VCPU_QUOTAS
from muster.fleet.facts import Facts
from muster.hardware import quotas
from muster.hardware.hyperpod_quotas import IN_ALL_CLUSTERS, IN_ONE_CLUSTER, LARGEST_VOLUME
from tests.account.aws import Answers
from tests.account.canned import ABSENT, run_topic
from tests.account.needs import needs
from tests.account.sound_quotas import ACCOUNT, ROOM, answers, in_use
from tests.factories import CR, NOW, a_blueprint

NONE_HELD: dict[str, Any] = {
    "ec2.DescribeCapacityReservations": {"CapacityReservations": []},
    "resource-groups.ListGroupResources": {"Resources": []},
}
"""No reservation, and no group of them."""


def says(stack: str, **instead: Any) -> dict[str, Answers | None]:
    """A sound account's answers, with others to some operations (``ec2_DescribeVpcs=None``: denied)."""
    others = {key.replace("__", "-").replace("_", ".", 1): value for key, value in instead.items()}
    return {**answers(stack), **NONE_HELD, **others}


def reserved(**more: Any) -> dict[str, Any]:
    """What `DescribeCapacityReservations` says of the default reservation, for two."""
    made = {"OwnerId": ACCOUNT, "State": "active", "InstanceType": "p5.48xlarge", "TotalInstanceCount": 2}
    return {"CapacityReservations": [{"CapacityReservationId": CR, "ReservationType": "default", **made, **more}]}


A, B, ELSEWHERE = (f"subnet-0000000000000000{each}" for each in "abc")


def gateways(*those: Mapping[str, Any]) -> dict[str, Any]:
    """What `DescribeNatGateways` says."""
    return {"NatGateways": [{"State": "available", **each} for each in those]}


# vCPUs of EC2.

P, STANDARD = quotas.P.code, quotas.STANDARD.code


def on(capacity: Any) -> PreflightRequest:
    """The default description with other workers: one p5.48xlarge on a reservation, and a c5.2xlarge."""
    return PreflightRequest(a_blueprint({"groups.workers.capacity": capacity}), NOW)


def vcpus(wanted: PreflightRequest, **instead: Any) -> Facts:
    """What is learned of vCPUs."""
    return run_topic(VCPU_QUOTAS, wanted, says("p5-efa", **instead))[0].facts


def metric(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """What CloudWatch says, in parts: of the P quota (``q0``) if they do not say which."""
    return {"MetricDataResults": [{"Id": "q0", "StatusCode": "Complete", **each} for each in parts]}


@pytest.mark.parametrize(
    ("said", "use"),
    [
        (metric({"Values": []}), {P: 0}),
        (metric({"Values": [64.0, 128.0]}), {P: 64}),
        (metric({"Values": [0.0, 128.0]}), {P: 0}),
        (metric({"Values": []}, {"Id": "q1", "Values": [8.0]}), {P: 0, STANDARD: 8}),
        (metric({"StatusCode": "PartialData", "Values": [64.0]}, {"Values": [128.0]}), {P: 64}),
        (metric({"StatusCode": "PartialData", "Values": []}, {"Values": [128.0]}), {P: 128}),
        (metric({"StatusCode": "PartialData", "Values": []}, {"Values": []}), {P: 0}),
        (metric({"StatusCode": "InternalError", "Values": [64.0]}), {}),
        (metric({"StatusCode": "PartialData", "Values": [64.0]}, {"StatusCode": "InternalError", "Values": []}), {}),
        (metric({"StatusCode": "Forbidden", "Values": []}), {}),
        (metric(), {}),
        (None, {}),
    ],
    ids=[
        *("no-points", "the-latest", "none-lately", "two-quotas", "pages", "an-empty-page", "empty-pages"),
        *("an-error", "an-error-on-a-page", "forbidden", "not-among-them", "denied"),
    ],
)
def test_no_use_is_none_and_no_answer_is_not_known(said: Any, use: Mapping[str, int]) -> None:
    """A metric without points is of what nobody uses; one that AWS did not answer, or not whole, is not known."""
    assert vcpus(on("on-demand"), cloudwatch_GetMetricData=said).quotas_used == use


def test_reservations_of_a_group_are_found_by_its_members() -> None:
    """What they hold counts as used, by the stack."""
    arn = f"arn:aws:resource-groups:us-west-2:{ACCOUNT}:group/p5"
    group = {"arn": arn, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}
    member = {"Identifier": {"ResourceArn": f"arn:aws:ec2:us-west-2:{ACCOUNT}:capacity-reservation/{CR}"}}
    known = vcpus(
        on({"reservation-group": group}),
        resource__groups_ListGroupResources={"Resources": [member]},
        ec2_DescribeCapacityReservations=reserved(),
        cloudwatch_GetMetricData=lambda asked: in_use(asked, lambda _: 1000),
    )
    assert known.quotas_used[P] == 1000 - 2 * 192


@pytest.mark.parametrize(
    "denied", ["ec2_DescribeInstances", "ec2_DescribeCapacityReservations", "sts_GetCallerIdentity"]
)
def test_use_is_not_known_where_ones_own_is_not(denied: str) -> None:
    """Else the stack's own nodes would be taken for others'; values are known all the same."""
    instead = {"ec2_DescribeCapacityReservations": reserved(), denied: None}
    known = vcpus(PreflightRequest(a_blueprint(), NOW), **instead)
    assert (known.quotas_used, known.quotas) == ({}, {P: ROOM, STANDARD: ROOM})


def test_spot_and_head_nodes_have_quotas_of_their_own() -> None:
    """P5 on spot by one of its own; a head node by that of its family; Capacity Blocks by none."""
    spot = vcpus(on({"spot": {"interruptions-accepted": True}}))
    assert set(spot.quotas) == {quotas.P5_SPOT.code, STANDARD}
    assert STANDARD in vcpus(needs("pcluster-gpu"), ec2_DescribeCapacityReservations=reserved()).quotas
    assert P not in vcpus(needs("p5-capacity-block")).quotas


# Networks, addresses, clusters and file systems.


def resources(stack: str, **instead: Any) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The quotas of resources, and what others have."""
    learned, _ = run_topic(RESOURCE_QUOTAS, needs(stack), says(stack, **instead))
    return learned.facts.quotas, learned.facts.quotas_used


def test_a_stack_is_asked_for_what_it_makes() -> None:
    """A network of one's own, its cluster; a file system by its type; nothing of what exists."""
    values, _ = resources("p5-efa")
    assert set(values) == {"L-F678F1CE", "L-A4707A72", "L-0263D0A3", "L-FE5A380F", "L-1194D53C", "L-6D54EA21"}
    assert set(resources("p5-odcr")[0]) == {"L-1194D53C", "L-6D54EA21"}
    assert set(resources("pcluster-gpu")[0]) == {"L-8F1B9C74"}
    assert set(resources("p5-join-existing")[0]) == set()


def test_ones_own_are_not_others() -> None:
    """By the tag; a cluster by its name, as lists of names have no tags."""
    own = {"Tags": [{"Key": "muster:stack", "Value": "p5-efa"}]}
    another = {"Tags": [{"Key": "muster:stack", "Value": "p5"}, {"Key": "Name", "Value": "p5-efa"}]}
    _, others = resources(
        "p5-efa",
        ec2_DescribeAddresses={"Addresses": [own, own, another, {}]},
        ec2_DescribeVpcs={"Vpcs": [own]},
        eks_ListClusters={"clusters": ["p5-efa", "others"]},
        eks_ListNodegroups={"nodegroups": [given("workers"), given("workers", "b"), given("others"), "system"]},
        ec2_DescribeNatGateways=gateways({"SubnetId": A, **own}),
    )
    assert others == {
        "L-0263D0A3": 2,
        "L-F678F1CE": 0,
        "L-A4707A72": 1,
        "L-1194D53C": 1,
        "L-6D54EA21": 3,
        "L-FE5A380F": 0,
    }


def given(group: str, last: str = "a") -> str:
    """A managed group's name in AWS."""
    return f"{group}-2026112110304512340000000{last}"


def test_a_cluster_that_is_not_made_has_no_node_groups() -> None:
    """EKS says that there is no such cluster; where it says nothing it is not known."""
    assert resources("p5-odcr", eks_ListNodegroups=ABSENT)[1]["L-6D54EA21"] == 0
    assert "L-6D54EA21" not in resources("p5-odcr", eks_ListNodegroups=None)[1]


ZONES = {
    "Subnets": [
        {"SubnetId": A, "AvailabilityZone": "us-west-2a"},
        {"SubnetId": B, "AvailabilityZone": "us-west-2b"},
        {"SubnetId": ELSEWHERE, "AvailabilityZone": "us-west-2d"},
    ]
}
REGIONAL = {"NatGatewayAddresses": [{"AvailabilityZone": "us-west-2a"}, {"AvailabilityZone": "us-west-2a"}]}
"""It is in a zone once, whatever addresses it has there."""


@pytest.mark.parametrize(
    ("said", "subnets", "others"),
    [
        (gateways({"SubnetId": A}, {"SubnetId": A}, {"SubnetId": B}), ZONES, 2),
        (gateways({"SubnetId": ELSEWHERE}, {"SubnetId": ELSEWHERE}), ZONES, 0),
        (gateways({"SubnetId": A}, REGIONAL), ZONES, 2),
        (gateways(REGIONAL), None, 1),
        (gateways({"SubnetId": A}), {"Subnets": []}, 0),
        (gateways({"SubnetId": A}), None, None),
        (None, ZONES, None),
    ],
    ids=["two-in-one", "elsewhere", "regional", "regional-alone", "no-such-subnet", "subnets-denied", "denied"],
)
def test_nat_gateways_are_counted_in_the_fullest_zone(said: Any, subnets: Any, others: int | None) -> None:
    """Of those zones that get one here: the stack has one in us-west-2a, or in each of its zones."""
    told = resources("p5-efa", ec2_DescribeNatGateways=said, ec2_DescribeSubnets=subnets)[1]
    assert told.get("L-FE5A380F") == others


def test_lustre_is_counted_by_deployment_type() -> None:
    """In GiB; those of other types, of other kinds and the stack's own are left out."""
    kind = {"LustreConfiguration": {"DeploymentType": "PERSISTENT_2"}}
    systems = [
        {"StorageCapacity": 4800, **kind},
        {"StorageCapacity": 1200, **kind, "Tags": [{"Key": "muster:stack", "Value": "pcluster-gpu"}]},
        {"StorageCapacity": 2400, "LustreConfiguration": {"DeploymentType": "SCRATCH_2"}},
        {"StorageCapacity": 64, "OpenZFSConfiguration": {}},
    ]
    assert resources("pcluster-gpu", fsx_DescribeFileSystems={"FileSystems": systems})[1] == {"L-8F1B9C74": 4800}


# SageMaker's, of HyperPod.

M5, WORKERS = "ml.m5.2xlarge for cluster usage", "ml.p5.48xlarge for cluster usage"
LIMITS = (IN_ONE_CLUSTER, IN_ALL_CLUSTERS, LARGEST_VOLUME)


def of_hyperpod(stack: str = "hyperpod-p5", **instead: Any) -> Facts:
    """What is learned of SageMaker's quotas."""
    return run_topic(HYPERPOD_QUOTAS, needs(stack), says(stack, **instead))[0].facts


def test_applied_quotas_come_before_defaults() -> None:
    """By name, as SageMaker lists them; where the applied ones are not known, no default is taken for one. Training
    plans have quotas of their own."""
    listed = {"Quotas": [{"QuotaName": WORKERS, "Value": 3.0}, {"QuotaName": M5}]}
    found = of_hyperpod(service__quotas_ListServiceQuotas=listed)
    assert found.hyperpod_quotas == {WORKERS: 3, **dict.fromkeys(LIMITS, ROOM)}
    assert of_hyperpod(service__quotas_ListServiceQuotas=None).hyperpod_quotas == {}
    assert set(of_hyperpod("hyperpod-training-plan").hyperpod_quotas) == {M5, *LIMITS}


PLAN = {"TrainingPlanArn": "arn:aws:sagemaker:us-west-2:111122223333:training-plan/p"}
M5_GROUP = {"InstanceType": "ml.m5.2xlarge", "TargetCount": 0}
MIXED = {
    "InstanceRequirements": {"CurrentInstanceTypes": ["ml.p5.48xlarge", "ml.m5.2xlarge"]},
    "InstanceTypeDetails": [
        {"InstanceType": "ml.p5.48xlarge", "CurrentCount": 1},
        {"InstanceType": "ml.m5.2xlarge", "CurrentCount": 2},
    ],
}


@pytest.mark.parametrize("kind", ["InstanceGroups", "RestrictedInstanceGroups"])
@pytest.mark.parametrize(
    ("groups", "workers", "machines", "every"),
    [
        ([], 0, 0, 0),
        ([{"CurrentCount": 2, "TargetCount": 3}], 3, 0, 3),
        ([{"CurrentCount": 2, "TargetCount": 0}], 2, 0, 2),
        ([{"CurrentCount": 2}, {"CurrentCount": 5, **M5_GROUP}], 2, 5, 7),
        ([{"CurrentCount": 2, "CapacityRequirements": {"Spot": {}}}], 0, 0, 2),
        ([{"CurrentCount": 2, **PLAN}], 0, 0, 2),
        ([{"InstanceType": None, **MIXED}], 1, 2, 3),
    ],
    ids=["none", "growing", "shrinking", "two-types", "spot", "plan", "mixed"],
)
def test_what_other_clusters_have_is_counted(kind: str, groups: Any, workers: int, machines: int, every: int) -> None:
    """By type, on demand; all of them together; none for what is no sum of clusters. The stack's own is left out.
    SageMaker lists the groups of Nova models apart: they run beside the others."""

    def described(asked: Mapping[str, Any]) -> Any:
        assert asked["ClusterName"] != "hyperpod-p5"
        made = [{"InstanceType": "ml.p5.48xlarge", "CurrentCount": 3, "TargetCount": 0, **each} for each in groups]
        kept = [{key: value for key, value in each.items() if value is not None} for each in made]
        return {"ClusterName": asked["ClusterName"], "InstanceGroups": [{"CurrentCount": 1, **M5_GROUP}], kind: kept}

    clusters = {"ClusterSummaries": [{"ClusterName": "another"}, {"ClusterName": "hyperpod-p5"}]}
    beside = 1 if kind != "InstanceGroups" else 0
    found = of_hyperpod(sagemaker_ListClusters=clusters, sagemaker_DescribeCluster=described)
    counted = {WORKERS: workers, M5: machines + beside, IN_ALL_CLUSTERS: every + beside}
    assert found.hyperpod_quotas_used == counted


@pytest.mark.parametrize(
    "instead",
    [
        {"sagemaker_ListClusters": None},
        {"sagemaker_DescribeCluster": None},
        {"sagemaker_ListClusters": {"ClusterSummaries": [{"ClusterName": f"c{n}"} for n in range(41)]}},
    ],
    ids=["no-list", "one-denied", "too-many"],
)
def test_what_other_clusters_have_is_known_whole_or_not(instead: Any) -> None:
    """A sum that lacks some would be taken for all."""
    found = of_hyperpod(**instead)
    assert (found.hyperpod_quotas_used, found.hyperpod_quotas[WORKERS]) == ({}, ROOM)
