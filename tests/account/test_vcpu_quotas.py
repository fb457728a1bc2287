"""EC2's quotas of vCPUs: what is asked, and how much of each others use."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.account.query import Query
from muster.account.topic import PreflightRequest
from muster.account.topics.quotas import VCPU_QUOTAS
from muster.hardware import quotas
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.quota_answers import (
    STANDARD,
    P,
    on_a_group,
    on_demand,
    reserved,
    says,
    with_reservation,
)
from tests.account.sound_quotas import ACCOUNT, IN_USE, ROOM, used
from tests.factories import CR, NOW, a_blueprint


def vcpus(wanted: PreflightRequest, **instead: Any) -> tuple[Mapping[str, int], list[list[Query]]]:
    """What others use of vCPUs."""
    learned, canned = run_topic(VCPU_QUOTAS, wanted, says("p5-efa", **instead))
    return learned.facts.quotas_used, canned.rounds


P5 = 192


def test_values_and_what_others_use() -> None:
    """By code, whole; the latest point of the metric counts."""
    learned, _ = run_topic(VCPU_QUOTAS, needs("p5-efa"), says("p5-efa"))
    assert learned.facts.quotas == {P: ROOM, STANDARD: ROOM}
    assert learned.facts.quotas_used == {P: IN_USE, STANDARD: IN_USE}


def test_all_use_is_one_question() -> None:
    """With each quota's own metric, dimensions and statistic, over the day until AWS is asked."""
    _, canned = run_topic(VCPU_QUOTAS, needs("p5-efa"), says("p5-efa"))
    (question,) = [each for each in canned.rounds[-1] if each.operation == "GetMetricData"]
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
    found, _ = vcpus(on_demand(), cloudwatch_GetMetricData=said)
    assert found == use


def much(asked: Mapping[str, Any]) -> dict[str, Any]:
    """A thousand vCPUs of each are in use."""
    said = used(asked)
    return {"MetricDataResults": [{**each, "Values": [1000.0]} for each in said["MetricDataResults"]]}


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
    assert {"CapacityReservationIds": [CR]} in [each.parameters for each in rounds[1]]


@pytest.mark.parametrize(
    "denied", ["ec2_DescribeInstances", "ec2_DescribeCapacityReservations", "sts_GetCallerIdentity"]
)
def test_use_is_not_known_where_ones_own_is_not(denied: str) -> None:
    """Else the stack's own nodes would be taken for others'; values are known all the same."""
    instead = {"ec2_DescribeCapacityReservations": reserved(), denied: None}
    learned, _ = run_topic(VCPU_QUOTAS, with_reservation(), says("p5-efa", **instead))
    assert learned.facts.quotas_used == {}
    assert learned.facts.quotas == {P: ROOM, STANDARD: ROOM}


def test_spot_and_head_nodes_have_quotas_of_their_own() -> None:
    """P5 on spot by one of its own; a head node by that of its family; Capacity Blocks by none."""
    spot = PreflightRequest(a_blueprint({"groups.workers.capacity": {"spot": {"interruptions-accepted": True}}}), NOW)
    learned, _ = run_topic(VCPU_QUOTAS, spot, says("p5-efa"))
    assert set(learned.facts.quotas) == {quotas.P5_SPOT.code, STANDARD}
    learned, _ = run_topic(
        VCPU_QUOTAS, needs("pcluster-gpu"), says("pcluster-gpu", ec2_DescribeCapacityReservations=reserved())
    )
    assert STANDARD in learned.facts.quotas
    learned, _ = run_topic(VCPU_QUOTAS, needs("p5-capacity-block"), says("p5-capacity-block"))
    assert P not in learned.facts.quotas
