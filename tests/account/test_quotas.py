"""Quotas: what is asked, in which rounds, and what the answers come to."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.account.asking import Asker
from muster.account.held import LISTING_GROUPS
from muster.account.inquiring import hear
from muster.account.question import Question
from muster.account.session import Session
from muster.account.topic import Wanted
from muster.account.topics.hyperpod_quotas import HYPERPOD_QUOTAS
from muster.account.topics.permissions import PERMISSIONS
from muster.account.topics.resource_quotas import RESOURCE_QUOTAS
from muster.account.topics.training_plans import TRAINING_PLANS
from muster.account.topics.vcpu_quotas import VCPU_QUOTAS
from muster.fleet import quotas
from muster.fleet.hyperpod_quotas import CODES, IN_ALL_CLUSTERS, IN_ONE_CLUSTER, LARGEST_VOLUME
from muster.project import stacks
from tests.account.aws import Aws, playing
from tests.account.heard import ABSENT, heard
from tests.account.moto_server import serving
from tests.account.needs import needs
from tests.account.sound_quotas import ACCOUNT, IN_USE, ROOM, answers, quota, used
from tests.factories import CR, NOW, a_blueprint
from tests.stack_files import ROOT

OURS = (TRAINING_PLANS, VCPU_QUOTAS, RESOURCE_QUOTAS, HYPERPOD_QUOTAS, PERMISSIONS)
STACKS = tuple(stacks(ROOT))
IAM_NAMES = {"service-quotas": "servicequotas"}
"""botocore's name of a service -> IAM's, where the two differ."""


NONE_HELD: dict[str, Any] = {
    "ec2.DescribeCapacityReservations": {"CapacityReservations": []},
    "resource-groups.ListGroupResources": {"Resources": []},
}
"""What the topic "reservations" is about: nothing of it here."""


def named(question: Question) -> str:
    """``ec2.DescribeSubnets``."""
    return f"{question.service}.{question.operation}"


def says(stack: str, **instead: Any):
    """A sound account, with other answers to some operations (``ec2_DescribeVpcs=None``: denied)."""
    told = (
        answers(stack)
        | NONE_HELD
        | {key.replace("__", "-").replace("_", ".", 1): value for key, value in instead.items()}
    )

    def say(question: Question) -> Any:
        said = told[named(question)]
        said = said(question.parameters) if callable(said) else said
        return ABSENT if isinstance(said, Exception) else said

    return say


def with_reservation() -> Wanted:
    """The default description: one p5.48xlarge on a reservation, a c5.2xlarge for the system."""
    return Wanted(a_blueprint(), NOW)


def on_demand(nodes: int = 1) -> Wanted:
    """The same without the reservation."""
    edits = {"groups.workers.capacity": "on-demand", "groups.workers.nodes": nodes}
    return Wanted(a_blueprint(edits), NOW)


def vcpus(wanted: Wanted, **instead: Any) -> tuple[Mapping[str, int], list[list[Question]]]:
    """What others use of vCPUs."""
    learned, rounds = heard(VCPU_QUOTAS, wanted, says("p5-efa", **instead))
    return learned.facts.quotas_used, rounds


def instances(*those: Mapping[str, Any]) -> dict[str, Any]:
    """What `DescribeInstances` says of some that run."""
    return {"Reservations": [{"Instances": [{"State": {"Name": "running"}, **each} for each in those]}]}


def reserved(**more: Any) -> dict[str, Any]:
    """What `DescribeCapacityReservations` says of the default reservation, for two."""
    made = {"OwnerId": ACCOUNT, "State": "active", "InstanceType": "p5.48xlarge", "TotalInstanceCount": 2}
    return {"CapacityReservations": [{"CapacityReservationId": CR, "ReservationType": "default", **made, **more}]}


P5 = 192
P, STANDARD = quotas.P.code, quotas.STANDARD.code


# All topics.


@pytest.mark.parametrize(
    "stack", ["g4dn", "hyperpod-p5", "hyperpod-training-plan", "hyperpod-trn1", "p5-odcr", "pcluster-gpu"]
)
def test_a_sound_account_answers_all_over_http(monkeypatch, stack: str) -> None:
    """Every answer is one that AWS's models know, every question is answered, and rights are exactly what was asked."""
    aws = Aws(answers(stack) | NONE_HELD)
    with playing(aws) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        ask = Asker(Session("us-west-2"))
        told = hear(OURS, needs(stack), ask)
    assert [each.question.about for each in told.unanswered] == []
    allowed = {right for topic in OURS for right in topic.rights} | {"sts:GetCallerIdentity"}
    asked = {f"{IAM_NAMES.get(each.service, each.service)}:{each.operation}" for each in aws.asked}
    assert asked <= allowed


def test_every_right_is_asked_for_by_some_question(monkeypatch) -> None:
    """A right that no question takes is one too many."""
    asked: set[str] = set()

    def noted(question: Question) -> Any:
        asked.add(f"{IAM_NAMES.get(question.service, question.service)}:{question.operation}")
        if question.operation == "GetServiceQuota":
            return (
                ABSENT
                if question.parameters["QuotaCode"] in {P, CODES[IN_ONE_CLUSTER]}
                else quota({**question.parameters, "QuotaCode": STANDARD})
            )
        leading = {
            "service-quotas.ListServiceQuotas": {"Quotas": []},
            "service-quotas.ListAWSDefaultServiceQuotas": {"Quotas": []},
            "ec2.DescribeNatGateways": gateways({"SubnetId": A}),
            "sagemaker.ListClusters": {"ClusterSummaries": [{"ClusterName": "another"}]},
        }
        return leading.get(named(question), {})

    for stack in STACKS:
        for topic in (TRAINING_PLANS, RESOURCE_QUOTAS, HYPERPOD_QUOTAS):
            heard(topic, needs(stack), noted)
        heard(PERMISSIONS, needs(stack), says(stack))
    for each in (with_reservation(), on_a_group()):
        heard(VCPU_QUOTAS, each, lambda question: noted(question) or says("p5-efa")(question))
    asked |= {"iam:GetRole", "iam:SimulatePrincipalPolicy"}  # `says` notes nothing
    beside = LISTING_GROUPS.keys() - {"resource-groups:ListGroupResources"}  # what that one takes, too
    assert asked - {"sts:GetCallerIdentity"} == {right for topic in OURS for right in topic.rights} - beside


def on_a_group() -> Wanted:
    """The default description on a resource group of reservations."""
    arn = f"arn:aws:resource-groups:us-west-2:{ACCOUNT}:group/p5"
    group = {"arn": arn, "zone": "us-west-2a", "count": 1, "provided-by": "aws"}
    return Wanted(a_blueprint({"groups.workers.capacity": {"reservation-group": group}}), NOW)


def test_calls_are_bounded() -> None:
    """Whatever a stack is: at most five rounds, and three dozen questions of these topics."""
    for stack in STACKS:
        for topic in OURS:
            _, rounds = heard(topic, needs(stack), says(stack))
            assert len(rounds) <= 5
            assert sum(map(len, rounds)) <= 14, (stack, topic.name)


# vCPUs.


def test_values_and_what_others_use() -> None:
    """By code, whole; the latest point of the metric counts."""
    learned, _ = heard(VCPU_QUOTAS, needs("p5-efa"), says("p5-efa"))
    assert learned.facts.quotas == {P: ROOM, STANDARD: ROOM}
    assert learned.facts.quotas_used == {P: IN_USE, STANDARD: IN_USE}
    assert [each.words for each in learned.said] == [
        f"Running On-Demand P instances (EC2): {ROOM} vCPUs, others use {IN_USE}",
        f"Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances (EC2): {ROOM} vCPUs, others use {IN_USE}",
    ]


def test_all_use_is_one_question() -> None:
    """With each quota's own metric, dimensions and statistic, over the day until AWS is asked."""
    _, rounds = heard(VCPU_QUOTAS, needs("p5-efa"), says("p5-efa"))
    (question,) = [each for each in rounds[-1] if each.operation == "GetMetricData"]
    assert question.parameters["StartTime"] == "2026-11-20T10:02:00+00:00"
    assert question.parameters["EndTime"] == "2026-11-21T10:02:00+00:00"
    assert question.parameters["ScanBy"] == "TimestampDescending"
    first, second = question.parameters["MetricDataQueries"]
    assert first["MetricStat"]["Metric"]["Dimensions"] == [
        {"Name": "Class", "Value": "P/OnDemand"},
        {"Name": "Resource", "Value": "vCPU"},
        {"Name": "Service", "Value": "EC2"},
        {"Name": "Type", "Value": "Resource"},
    ]
    assert (first["Id"], second["Id"]) == ("q0", "q1")
    assert first["MetricStat"]["Stat"] == "Maximum"


def test_a_quota_that_is_not_applied_is_the_default() -> None:
    """Service Quotas knows no such resource where the account has no value of its own."""
    say = says("p5-efa", service__quotas_GetServiceQuota=lambda asked: ABSENT)
    learned, rounds = heard(
        VCPU_QUOTAS, on_demand(), lambda each: ABSENT if "GetServiceQuota" in named(each) else say(each)
    )
    assert learned.facts.quotas == {P: ROOM, STANDARD: ROOM}
    assert [each.operation for each in rounds[1]] == ["GetAWSDefaultServiceQuota"] * 2


def metric(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """What CloudWatch says, in parts: of the P quota (``q0``) if they do not say which."""
    return {"MetricDataResults": [{"Id": "q0", "StatusCode": "Complete", **each} for each in parts]}


@pytest.mark.parametrize(
    ("said", "use"),
    [
        (metric({"Values": []}), {P: 0}),
        (metric({}), {}),
        (metric({"Values": [64.0, 128.0]}), {P: 64}),
        (metric({"Values": [0.0, 128.0]}), {P: 0}),
        (metric({"Values": []}, {"Id": "q1", "Values": [8.0]}), {P: 0, STANDARD: 8}),
        (metric({"StatusCode": "PartialData", "Values": [64.0]}, {"Values": [128.0]}), {P: 64}),
        (metric({"StatusCode": "PartialData", "Values": []}, {"Values": [128.0]}), {P: 128}),
        (metric({"StatusCode": "PartialData", "Values": []}, {"Values": []}), {P: 0}),
        (metric({"StatusCode": "PartialData"}, {"Values": [128.0]}), {}),
        (metric({"StatusCode": "PartialData"}), {}),
        (metric({"StatusCode": "InternalError", "Values": [64.0]}), {}),
        (metric({"StatusCode": "PartialData", "Values": [64.0]}, {"StatusCode": "InternalError"}), {}),
        (metric({"StatusCode": "Forbidden"}), {}),
        (metric(), {}),
        (None, {}),
    ],
    ids=[
        *("no-points", "no-values", "the-latest", "none-lately", "two-quotas", "pages", "an-empty-page", "empty-pages"),
        "no-values-on-a-page",
        *("a-page-lacks", "an-error", "an-error-on-a-page", "forbidden", "not-among-them", "denied"),
    ],
)
def test_no_use_is_none_and_no_answer_is_not_known(said: Any, use: Mapping[str, int]) -> None:
    """A metric without points is of what nobody uses; one that AWS did not answer, or not whole, is not known."""
    found, _ = vcpus(on_demand(), cloudwatch_GetMetricData=said)
    assert found == use


def test_a_quota_without_a_metric_is_not_known() -> None:
    """Whatever the others are."""

    def plain(asked: Mapping[str, Any]) -> Any:
        said = dict(quota(asked)["Quota"])
        if asked["QuotaCode"] == P:
            del said["UsageMetric"]
        return {"Quota": said}

    found, _ = vcpus(on_demand(), service__quotas_GetServiceQuota=plain)
    assert found == {STANDARD: IN_USE}


def test_own_instances_are_not_others() -> None:
    """Running ones on demand; what stopped, what is on spot, what is of a block does not count there."""
    own = instances(
        {"InstanceType": "c5.2xlarge"},
        {"InstanceType": "c5.2xlarge", "State": {"Name": "stopped"}},
        {"InstanceType": "c5.2xlarge", "InstanceLifecycle": "spot"},
        {"InstanceType": "c5.2xlarge", "InstanceLifecycle": "capacity-block"},
    )
    found, _ = vcpus(on_demand(), ec2_DescribeInstances=own)
    assert found == {P: IN_USE, STANDARD: IN_USE - 8}


def test_others_are_never_fewer_than_none() -> None:
    """AWS counts every few minutes: what has just been launched may not be in it."""
    found, _ = vcpus(on_demand(), ec2_DescribeInstances=instances({"InstanceType": "p5.48xlarge"}))
    assert found[P] == 0


def much(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A thousand vCPUs of each are in use."""
    said = used(asked)
    return {"MetricDataResults": [{**each, "Values": [1000.0]} for each in said["MetricDataResults"]]}


@pytest.mark.parametrize(
    ("said", "own"),
    [
        (reserved(), 2 * P5),
        (reserved(OwnerId="333344445555"), P5),
        (reserved(State="expired"), P5),
        (reserved(ReservationType="capacity-block"), P5),
        ({"CapacityReservations": []}, P5),
        (ABSENT, P5),
    ],
    ids=["ours", "shared", "expired", "block", "empty", "absent"],
)
def test_a_reservation_of_the_account_is_the_stacks_own(said: Any, own: int) -> None:
    """Whole, and an instance in it once; of one that is another account's only what runs counts here."""
    running = instances({"InstanceType": "p5.48xlarge", "CapacityReservationId": CR})
    found, _ = vcpus(
        with_reservation(),
        ec2_DescribeInstances=running,
        ec2_DescribeCapacityReservations=lambda asked: said if isinstance(said, dict) else ValueError(),
        cloudwatch_GetMetricData=much,
    )
    assert found == {P: 1000 - own, STANDARD: 1000}


def test_reservations_of_a_group_are_found_by_its_members() -> None:
    """In a round of their own, each asked alone."""
    member = {"Identifier": {"ResourceArn": f"arn:aws:ec2:us-west-2:{ACCOUNT}:capacity-reservation/{CR}"}}
    found, rounds = vcpus(
        on_a_group(),
        resource__groups_ListGroupResources={"Resources": [member]},
        ec2_DescribeCapacityReservations=reserved(),
        cloudwatch_GetMetricData=much,
    )
    assert found[P] == 1000 - 2 * P5
    assert {"CapacityReservationIds": [CR]} in [each.parameters for each in rounds[-1]]


@pytest.mark.parametrize(
    "denied", ["ec2_DescribeInstances", "ec2_DescribeCapacityReservations", "sts_GetCallerIdentity"]
)
def test_use_is_not_known_where_ones_own_is_not(denied: str) -> None:
    """Else the stack's own nodes would be taken for others'; values are known all the same."""
    instead = {"ec2_DescribeCapacityReservations": reserved(), denied: None}
    learned, _ = heard(VCPU_QUOTAS, with_reservation(), says("p5-efa", **instead))
    assert learned.facts.quotas_used == {}
    assert learned.facts.quotas == {P: ROOM, STANDARD: ROOM}
    assert learned.said[0].words.endswith("how much others use is not known")


def test_placeholders_are_not_asked() -> None:
    """Neither a reservation nor a group that is still to be filled in."""
    reservation = {"id": "cr-fill-me-in", "zone": "us-west-2a", "count": 1, "provided-by": "aws"}
    blank = Wanted(a_blueprint({"groups.workers.capacity": {"reservation": reservation}}), NOW)
    _, rounds = heard(VCPU_QUOTAS, blank, says("p5-efa"))
    assert "DescribeCapacityReservations" not in {each.operation for round_ in rounds for each in round_}


def test_spot_and_head_nodes_have_quotas_of_their_own() -> None:
    """P5 on spot by one of its own; a head node by that of its family; Capacity Blocks by none."""
    spot = Wanted(a_blueprint({"groups.workers.capacity": {"spot": {"interruptions-accepted": True}}}), NOW)
    learned, _ = heard(VCPU_QUOTAS, spot, says("p5-efa"))
    assert set(learned.facts.quotas) == {quotas.P5_SPOT.code, STANDARD}
    learned, _ = heard(
        VCPU_QUOTAS, needs("pcluster-gpu"), says("pcluster-gpu", ec2_DescribeCapacityReservations=reserved())
    )
    assert STANDARD in learned.facts.quotas
    learned, _ = heard(VCPU_QUOTAS, needs("p5-capacity-block"), says("p5-capacity-block"))
    assert P not in learned.facts.quotas


# Resources.


def resources(stack: str, **instead: Any) -> tuple[Mapping[str, int], Mapping[str, int]]:
    """The quotas of resources, and what others have."""
    learned, _ = heard(RESOURCE_QUOTAS, needs(stack), says(stack, **instead))
    return learned.facts.quotas, learned.facts.quotas_used


def test_a_stack_is_asked_for_what_it_makes() -> None:
    """A network of one's own, its cluster; a file system by its type; nothing of what exists."""
    values, others = resources("p5-efa")
    assert set(values) == {"L-F678F1CE", "L-A4707A72", "L-0263D0A3", "L-FE5A380F", "L-1194D53C", "L-6D54EA21"}
    counted = {"L-F678F1CE": 1, "L-A4707A72": 1, "L-0263D0A3": 1, "L-1194D53C": 1, "L-6D54EA21": 1}
    assert others == {**counted, "L-FE5A380F": 0}
    assert set(resources("p5-odcr")[0]) == {"L-1194D53C", "L-6D54EA21"}
    assert set(resources("pcluster-gpu")[0]) == {"L-8F1B9C74"}
    assert set(resources("p5-join-existing")[0]) == set()


def test_lines_say_of_which_service_a_quota_is() -> None:
    """A name alone, as Clusters, may be of any."""
    of_network, _ = heard(RESOURCE_QUOTAS, needs("p5-efa"), says("p5-efa"))
    of_storage, _ = heard(RESOURCE_QUOTAS, needs("pcluster-gpu"), says("pcluster-gpu"))
    of_nodes, _ = heard(VCPU_QUOTAS, needs("p5-efa"), says("p5-efa"))
    said = {each.about: each.words for one in (of_network, of_storage, of_nodes) for each in one.said}
    assert said == {
        "quota L-F678F1CE": f"VPCs per Region (VPC): {ROOM}, others have 1",
        "quota L-A4707A72": f"Internet gateways per Region (VPC): {ROOM}, others have 1",
        "quota L-0263D0A3": f"EC2-VPC Elastic IPs (EC2): {ROOM}, others have 1",
        "quota L-FE5A380F": f"NAT gateways per Availability Zone (VPC): {ROOM}, others have 0",
        "quota L-1194D53C": f"Clusters (EKS): {ROOM}, others have 1",
        "quota L-6D54EA21": f"Managed node groups per cluster (EKS): {ROOM}, others have 1",
        "quota L-8F1B9C74": f"Lustre Persistent_2 storage capacity (FSx): {ROOM} GiB, others have 0",
        f"quota {P}": f"Running On-Demand P instances (EC2): {ROOM} vCPUs, others use {IN_USE}",
        f"quota {STANDARD}": (
            f"Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances (EC2): {ROOM} vCPUs, others use {IN_USE}"
        ),
    }


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
        ec2_DescribeNatGateways={"NatGateways": [own, own]},
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
    assert resources("p5-odcr", eks_ListNodegroups=ValueError())[1]["L-6D54EA21"] == 0
    assert "L-6D54EA21" not in resources("p5-odcr", eks_ListNodegroups=None)[1]


A, B, ELSEWHERE = (f"subnet-0000000000000000{each}" for each in "abc")


def gateways(*those: Mapping[str, Any]) -> dict[str, Any]:
    """What `DescribeNatGateways` says."""
    return {"NatGateways": [{"State": "available", **each} for each in those]}


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
        {"StorageCapacity": 64, "FileSystemType": "OPENZFS"},
    ]
    assert resources("pcluster-gpu", fsx_DescribeFileSystems={"FileSystems": systems})[1] == {"L-8F1B9C74": 4800}


def test_what_is_not_answered_is_not_known() -> None:
    """Neither a value nor a number of others is nought for that."""
    values, others = resources("p5-efa", ec2_DescribeAddresses=None, service__quotas_GetServiceQuota=None)
    assert (values, others) == ({}, {})
    values, others = resources("p5-efa", ec2_DescribeAddresses=None)
    assert "L-0263D0A3" in values
    assert "L-0263D0A3" not in others


# HyperPod.


M5, WORKERS = "ml.m5.2xlarge for cluster usage", "ml.p5.48xlarge for cluster usage"
LIMITS = (IN_ONE_CLUSTER, IN_ALL_CLUSTERS, LARGEST_VOLUME)


def of_hyperpod(stack: str, **instead: Any) -> tuple[Mapping[str, int], list[str]]:
    """SageMaker's quotas, and the operations that it took."""
    learned, rounds = heard(HYPERPOD_QUOTAS, needs(stack), says(stack, **instead))
    return learned.facts.hyperpod_quotas, [each.operation for round_ in rounds for each in round_]


def test_known_codes_are_asked_one_by_one() -> None:
    """Without the list, which is long."""
    found, operations = of_hyperpod("hyperpod-p5")
    assert found == dict.fromkeys((M5, WORKERS, *LIMITS), ROOM)
    assert operations == [*["GetServiceQuota"] * 5, "ListClusters", "DescribeCluster"]


def test_a_type_without_a_code_is_looked_for_in_the_list() -> None:
    """By name, beside the others; a page has as many as there may be."""
    found, operations = of_hyperpod("hyperpod-trn1")
    trn1 = "ml.trn1.32xlarge for cluster usage"
    assert trn1 not in CODES
    assert found[trn1] == ROOM
    assert operations.count("ListServiceQuotas") == 1
    assert "ListAWSDefaultServiceQuotas" not in operations


def test_a_code_of_another_quota_is_not_believed() -> None:
    """The name decides: the list is asked then."""

    def wrong(asked: Mapping[str, Any]) -> Any:
        said = quota(asked)
        if asked["QuotaCode"] == CODES[WORKERS] and isinstance(said, dict):
            return {"Quota": {**said["Quota"], "QuotaName": "ml.p5.48xlarge for endpoint usage", "Value": 1.0}}
        return said

    listed = {"Quotas": [{"QuotaName": WORKERS, "Value": 3.0}]}
    instead = {"service__quotas_GetServiceQuota": wrong, "service__quotas_ListServiceQuotas": listed}
    found, operations = of_hyperpod("hyperpod-p5", **instead)
    assert found[WORKERS] == 3
    assert operations[-2:] == ["ListServiceQuotas", "DescribeCluster"]


def test_what_the_list_lacks_is_a_default() -> None:
    """A quota that is not applied is in the other list; but not where the first was not answered."""
    trn1 = {"Quotas": [{"QuotaName": "ml.trn1.32xlarge for cluster usage", "Value": 0.0}]}
    lacking = {"service__quotas_ListServiceQuotas": {"Quotas": []}, "service__quotas_ListAWSDefaultServiceQuotas": trn1}
    assert of_hyperpod("hyperpod-trn1", **lacking)[0]["ml.trn1.32xlarge for cluster usage"] == 0
    found, operations = of_hyperpod("hyperpod-trn1", **{**lacking, "service__quotas_ListServiceQuotas": None})
    assert "ml.trn1.32xlarge for cluster usage" not in found
    assert "ListAWSDefaultServiceQuotas" not in operations


def test_groups_on_a_training_plan_are_counted_by_none() -> None:
    """Plans have quotas of their own."""
    found, _ = of_hyperpod("hyperpod-training-plan")
    assert set(found) == {M5, *LIMITS}


SPOT = {"CapacityRequirements": {"Spot": {}}}
MIXED = {
    "InstanceRequirements": {"CurrentInstanceTypes": ["ml.p5.48xlarge", "ml.m5.2xlarge"]},
    "InstanceTypeDetails": [
        {"InstanceType": "ml.p5.48xlarge", "CurrentCount": 1},
        {"InstanceType": "ml.m5.2xlarge", "CurrentCount": 2},
    ],
}


@pytest.mark.parametrize(
    ("groups", "workers", "machines", "every"),
    [
        ([], 0, 0, 0),
        ([{"CurrentCount": 2, "TargetCount": 3}], 3, 0, 3),
        ([{"CurrentCount": 2, "TargetCount": 0}], 2, 0, 2),
        ([{"CurrentCount": 2}, {"CurrentCount": 5, "InstanceType": "ml.m5.2xlarge"}], 2, 5, 7),
        ([{"CurrentCount": 2, **SPOT}], 0, 0, 2),
        ([{"CurrentCount": 2, "TrainingPlanArn": "arn:aws:sagemaker:us-west-2:111122223333:training-plan/p"}], 0, 0, 2),
        ([{"InstanceType": None, **MIXED}], 1, 2, 3),
    ],
    ids=["none", "growing", "shrinking", "two-types", "spot", "plan", "mixed"],
)
def test_what_other_clusters_have_is_counted(groups: Any, workers: int, machines: int, every: int) -> None:
    """By type, on demand; all of them together; none for what is no sum of clusters. The stack's own is left out."""

    def described(asked: Mapping[str, Any]) -> Any:
        assert asked["ClusterName"] != "hyperpod-p5"
        made = [{"InstanceType": "ml.p5.48xlarge", "CurrentCount": 3, "TargetCount": 0, **each} for each in groups]
        kept = [{key: value for key, value in each.items() if value is not None} for each in made]
        return {"ClusterName": asked["ClusterName"], "InstanceGroups": kept}

    clusters = {"ClusterSummaries": [{"ClusterName": "another"}, {"ClusterName": "hyperpod-p5"}]}
    instead = {"sagemaker_ListClusters": clusters, "sagemaker_DescribeCluster": described}
    learned, _ = heard(HYPERPOD_QUOTAS, needs("hyperpod-p5"), says("hyperpod-p5", **instead))
    assert learned.facts.hyperpod_quotas_used == {WORKERS: workers, M5: machines, IN_ALL_CLUSTERS: every}


def test_restricted_groups_are_counted_beside_the_others() -> None:
    """SageMaker lists those of Nova models apart: they run all the same, those of plans for no type's quota."""
    made = {"InstanceType": "ml.p5.48xlarge", "CurrentCount": 1, "TargetCount": 1}
    plan = {**made, "TrainingPlanArn": "arn:aws:sagemaker:us-west-2:111122223333:training-plan/p"}
    restricted = [{**made, "TargetCount": 3}, {**made, "InstanceType": "ml.m5.2xlarge"}, plan]
    instead = {
        "sagemaker_ListClusters": {"ClusterSummaries": [{"ClusterName": "another"}]},
        "sagemaker_DescribeCluster": {"InstanceGroups": [made], "RestrictedInstanceGroups": restricted},
    }
    learned, _ = heard(HYPERPOD_QUOTAS, needs("hyperpod-p5"), says("hyperpod-p5", **instead))
    assert learned.facts.hyperpod_quotas_used == {WORKERS: 4, M5: 1, IN_ALL_CLUSTERS: 6}


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
    """A sum that lacks some would be taken for all; the line says so."""
    learned, _ = heard(HYPERPOD_QUOTAS, needs("hyperpod-p5"), says("hyperpod-p5", **instead))
    assert learned.facts.hyperpod_quotas_used == {}
    said = {each.about: each.words for each in learned.said}
    assert said[f"quota {WORKERS}"] == f"{ROOM}, how many other clusters have is not known"
    assert said[f"quota {IN_ONE_CLUSTER}"] == f"{ROOM}"


# Moto's own server.


def test_moto_takes_the_parameters(monkeypatch) -> None:
    """What moto knows: VPC's quotas, addresses, VPCs, gateways, clusters, file systems, instances, metrics."""
    with serving() as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        ask = Asker(Session("us-west-2"))
        told = hear((VCPU_QUOTAS, RESOURCE_QUOTAS), needs("p5-efa"), ask)
        stored = hear((RESOURCE_QUOTAS,), needs("pcluster-gpu"), ask)
    assert told.facts.quotas == {"L-F678F1CE": 5, "L-A4707A72": 5, "L-FE5A380F": 5}
    assert told.facts.quotas_used == {"L-F678F1CE": 1, "L-A4707A72": 0, "L-FE5A380F": 0}
    lacking = {(each.question.operation, each.unanswered.reason.value) for each in told.unanswered if each.unanswered}
    # Moto has not the one, and fails at the other where there is no such cluster.
    assert lacking <= {("GetAWSDefaultServiceQuota", "refused"), ("ListNodegroups", "refused")}
    assert {each.question.operation for each in stored.unanswered} <= {"GetAWSDefaultServiceQuota"}
