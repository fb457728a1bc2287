"""EC2's quotas of vCPUs: what is asked, and how much of each others use."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.account.topic import PreflightRequest
from muster.account.topics.quotas import VCPU_QUOTAS
from muster.fleet.facts import Facts
from muster.hardware import quotas
from tests.account.canned import run_topic
from tests.account.needs import needs
from tests.account.quota_answers import reserved, says
from tests.account.sound_quotas import ACCOUNT, ROOM, in_use
from tests.factories import CR, NOW, a_blueprint

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
