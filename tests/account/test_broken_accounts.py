"""Accounts with one fact wrong each: one finding, at the place that is about it, with what mends it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from muster.fleet import quotas
from tests.account import sound_ec2, sound_quotas
from tests.account.accounts import Account, asking
from tests.account.aws import Refused

Break = Callable[[Account], Any]


@dataclass(frozen=True)
class Broken:
    """What is wrong, and what is to be found."""

    name: str
    stack: str
    wrong: Break
    finding: str
    """``RULE @ PLACE``."""
    mends: str
    """Words of the remedy."""


def reservation(**said: Any) -> Break:
    """The stack's reservation is otherwise."""
    return lambda account: account.reservation.update(said)


def subnets(index: int, **said: Any) -> Break:
    """A subnet is otherwise."""
    return lambda account: account.ec2.subnets[index].update(said)


def answer(operation: str, said: Any) -> Break:
    """An operation is answered otherwise."""
    return lambda account: account.others.__setitem__(operation, said)


def quota(code: str, value: float) -> Break:
    """One quota is that."""

    def say(asked: Mapping[str, Any]) -> Any:
        return sound_quotas.quota(asked, value if asked["QuotaCode"] == code else sound_quotas.ROOM)

    return lambda account: account.others.update(
        {"service-quotas.GetServiceQuota": say, "service-quotas.GetAWSDefaultServiceQuota": say}
    )


def gone(account: Account) -> None:
    """The reservation is not there."""
    account.ec2.reservations.clear()


def shared(account: Account) -> None:
    """It is shared with this account, and nobody has accepted."""
    invitation = "arn:aws:ram:us-west-2:444455556666:resource-share-invitation/6b1c"
    account.ec2.shared[invitation] = [*account.ec2.reservations]
    account.ec2.reservations.clear()


def without_nat(account: Account) -> None:
    """The first private subnet's table has no default route."""
    private = next(each for each in account.ec2.tables if any("NatGatewayId" in route for route in each["Routes"]))
    first, *others = private["Associations"]
    private["Associations"] = others
    local = [each for each in private["Routes"] if "NatGatewayId" not in each]
    account.ec2.tables.append({**private, "Routes": local, "Associations": [first]})


def nat(**said: Any) -> Break:
    """The NAT gateway is otherwise."""
    return lambda account: account.ec2.nats[0].update(said)


def nat_without_a_route(account: Account) -> None:
    """The NAT gateway stands among the private subnets."""
    account.ec2.tables.append(
        {**account.ec2.tables[-1], "Routes": [], "Associations": [{"SubnetId": account.ec2.nats[0]["SubnetId"]}]}
    )
    del account.ec2.tables[-2]


def with_endpoints(account: Account) -> None:
    """No NAT, and every endpoint there is to have; S3's is in the public subnets' route table."""
    without_nat(account)
    account.ec2.endpoints += [sound_ec2.interface(account.ec2, each) for each in ("ec2", "ecr.api", "ecr.dkr")]
    account.ec2.endpoints.append(sound_ec2.gateway("s3", sound_ec2.PUBLIC))


def with_a_closed_endpoint(account: Account) -> None:
    """One lets only a group in that no node carries."""
    without_nat(account)
    account.ec2.endpoints += [sound_ec2.interface(account.ec2, each) for each in ("ecr.api", "ecr.dkr")]
    group = {"GroupId": "sg-0fedcba9876543210"}
    account.ec2.endpoints.append(
        sound_ec2.interface(account.ec2, "ec2", IsEgress=False, IpProtocol="-1", ReferencedGroupInfo=group)
    )
    account.ec2.endpoints.append(sound_ec2.gateway("s3", sound_ec2.PRIVATE))


def without_way_out(account: Account) -> None:
    """A security group lets nothing out to itself."""
    account.ec2.rules[:] = [each for each in account.ec2.rules if not (each["IpProtocol"] == "-1" and each["IsEgress"])]


def elsewhere(account: Account) -> None:
    """No zone of the group's offers the type."""
    account.ec2.offerings["p5.48xlarge"] = ["us-west-2d"]


def without_nvidia(account: Account) -> None:
    """There is no image with NVIDIA's drivers."""
    known = account.others["ssm.GetParameter"]
    assert callable(known)

    def say(asked: Mapping[str, Any]) -> Any:
        return Refused("ParameterNotFound") if "nvidia" in asked["Name"] else known(asked)

    account.others["ssm.GetParameter"] = say


def plan(**said: Any) -> Break:
    """The stack's training plan is otherwise."""

    def wrong(account: Account) -> None:
        known = account.others["sagemaker.DescribeTrainingPlan"]
        assert callable(known)
        account.others["sagemaker.DescribeTrainingPlan"] = lambda asked: {**known(asked), **said}  # type: ignore[dict-item]

    return wrong


def in_zone(zone: str, type_: str = "ml.p5en.48xlarge") -> dict[str, Any]:
    """A part of a training plan."""
    arn = "arn:aws:sagemaker:us-west-2:111122223333:reserved-capacity/spring"
    held = {"ReservedCapacityArn": arn, "InstanceType": type_, "TotalInstanceCount": 8}
    return {**held, "Status": "Active", "AvailabilityZone": zone}


P5 = "groups.workers"
PLAN = f"{P5}.capacity.training-plan"
HELD = f"{P5}.capacity.reservation"

ACCOUNTS = [
    Broken(
        "another-zone",
        "p5-odcr",
        reservation(AvailabilityZone="us-west-2b", AvailabilityZoneId="usw2-az1"),
        f"reservation-zone-matches-subnet @ {HELD}.zone",
        "us-west-2b",
    ),
    Broken(
        "another-type",
        "p5-odcr",
        reservation(InstanceType="p5e.48xlarge"),
        f"reservation-instance-type-matches @ {P5}.instance",
        "p5e.48xlarge",
    ),
    Broken(
        "smaller",
        "p4de-odcr",
        reservation(TotalInstanceCount=0, AvailableInstanceCount=0),
        f"reservation-covers-nodes @ {HELD}.count",
        "nodes",
    ),
    Broken(
        "all-of-it-in-use",
        "p5-odcr",
        reservation(AvailableInstanceCount=0),
        f"reservation-free-for-nodes @ {P5}.nodes",
        "",
    ),
    Broken("expired", "p5-odcr", reservation(State="expired"), f"reservation-usable @ {HELD}.id", "active"),
    Broken(
        "windows", "p5-odcr", reservation(InstancePlatform="Windows"), f"reservation-usable @ {HELD}.id", "Linux/UNIX"
    ),
    Broken(
        "dedicated", "p5-odcr", reservation(Tenancy="dedicated"), f"reservation-usable @ {HELD}.id", "default tenancy"
    ),
    Broken("pending", "p5-odcr", reservation(State="pending"), f"reservation-usable @ {HELD}.id", "active"),
    Broken(
        "limited-and-over",
        "p5-odcr",
        reservation(EndDateType="limited", EndDate=datetime(2026, 11, 1, tzinfo=UTC)),
        f"reservation-usable @ {HELD}.id",
        "active",
    ),
    Broken(
        "block-unavailable",
        "p5-capacity-block",
        reservation(State="unavailable"),
        f"reservation-usable @ {P5}.capacity.capacity-block.id",
        "is paid and has not ended",
    ),
    Broken("no-such-reservation", "p5-odcr", gone, f"named-things-exist @ {HELD}.id", "describe-capacity-reservations"),
    Broken(
        "share-not-accepted",
        "p5-odcr",
        shared,
        f"named-things-exist @ {HELD}.id",
        "aws ram accept-resource-share-invitation",
    ),
    Broken(
        "block-ends-earlier",
        "p5-capacity-block-self-managed",
        reservation(EndDate=datetime(2026, 12, 10, 11, 30, tzinfo=UTC)),
        f"reservation-as-declared @ {P5}.capacity.capacity-block.ends",
        'write ends: "2026-12-10"',
    ),
    Broken("type-not-offered", "p5-efa", elsewhere, f"type-offered-in-zone @ {P5}.zone", "us-west-2d"),
    Broken("no-vcpus", "p5-efa", quota(quotas.P.code, 0), f"quota-covers-vcpus @ {P5}.nodes", "L-417A185B"),
    Broken(
        "no-room-for-vpcs",
        "g4dn",
        quota("L-F678F1CE", 0),
        "quota-covers-resources @ network.create",
        "L-F678F1CE",
    ),
    Broken(
        "no-room-for-addresses",
        "g4dn",
        quota("L-0263D0A3", 1),
        "quota-covers-resources @ network.create",
        "L-0263D0A3",
    ),
    Broken(
        "eight-addresses-left",
        "p5-odcr",
        subnets(0, AvailableIpAddressCount=8),
        f"subnet-holds-nodes @ {P5}.nodes",
        "",
    ),
    Broken(
        "subnet-in-another-zone",
        "p5-odcr",
        subnets(2, AvailabilityZone="us-west-2c", AvailabilityZoneId="usw2-az3"),
        "subnet-zone-as-declared @ network.existing.public.us-west-2a",
        "list it under us-west-2c",
    ),
    Broken("no-way-out", "p5-odcr", without_nat, "subnet-reaches-aws @ network.existing.private.us-west-2a", "NAT"),
    Broken(
        "nat-failed",
        "p5-odcr",
        nat(State="failed"),
        "subnet-reaches-aws @ network.existing.private.us-west-2a",
        "to a NAT gateway that is available",
    ),
    Broken(
        "nat-without-a-route",
        "p5-odcr",
        nat_without_a_route,
        "subnet-reaches-aws @ network.existing.private.us-west-2a",
        "in a public subnet",
    ),
    Broken(
        "endpoint-of-other-tables",
        "p5-odcr",
        with_endpoints,
        "subnet-reaches-aws @ network.existing.private.us-west-2a",
        "have the endpoint of s3 serve it",
    ),
    Broken(
        "endpoint-that-lets-nobody-in",
        "p5-odcr",
        with_a_closed_endpoint,
        "subnet-reaches-aws @ network.existing.private.us-west-2a",
        "have the endpoint of ec2 serve it",
    ),
    Broken(
        "plan-taken",
        "hyperpod-training-plan",
        plan(AvailableInstanceCount=0),
        f"training-plan-covers-nodes @ {P5}.nodes",
        "ask for 0 until others leave it",
    ),
    Broken(
        "plan-smaller",
        "hyperpod-training-plan",
        plan(TotalInstanceCount=4, AvailableInstanceCount=4),
        f"training-plan-covers-nodes @ {P5}.nodes",
        "ask for 4",
    ),
    Broken(
        "plan-in-another-zone",
        "hyperpod-training-plan",
        plan(ReservedCapacitySummaries=[in_zone("us-west-2b")]),
        f"training-plan-zone @ {PLAN}.zone",
        "us-west-2b",
    ),
    Broken(
        "plan-of-another-type",
        "hyperpod-training-plan",
        plan(ReservedCapacitySummaries=[in_zone("us-west-2a", "ml.p5.48xlarge")]),
        f"training-plan-type @ {P5}.instance",
        "ml.p5.48xlarge",
    ),
    Broken(
        "plan-not-begun",
        "hyperpod-training-plan",
        plan(Status="Scheduled", AvailableInstanceCount=0, StartTime=datetime(2026, 12, 1, 11, 30, tzinfo=UTC)),
        f"training-plan-usable @ {PLAN}.arn",
        "nodes: 0",
    ),
    Broken(
        "plan-for-training-jobs",
        "hyperpod-training-plan",
        plan(TargetResources=["training-job"]),
        f"training-plan-usable @ {PLAN}.arn",
        "hyperpod-cluster",
    ),
    Broken(
        "public-addresses",
        "p5-odcr",
        subnets(0, MapPublicIpOnLaunch=True),
        f"several-interfaces-private-subnets @ {P5}.subnets",
        "--no-map-public-ip-on-launch",
    ),
    Broken(
        "rights-to-run-nothing",
        "p5-odcr",
        answer("iam.SimulatePrincipalPolicy", lambda asked: sound_quotas.simulated(asked, ("ec2:RunInstances",))),
        "identity-may-deploy @ ",
        "give that identity a policy",
    ),
    Broken(
        "version-gone",
        "p5-odcr",
        answer(
            "eks.DescribeClusterVersions",
            {"clusterVersions": [{"clusterVersion": "1.36", "versionStatus": "STANDARD_SUPPORT"}]},
        ),
        "kubernetes-version-offered @ kubernetes",
        "1.36",
    ),
    Broken(
        "no-such-image",
        "p5-odcr",
        without_nvidia,
        f"image-parameter-exists @ {P5}.image",
        "",
    ),
]


@pytest.mark.parametrize("one", ACCOUNTS, ids=lambda one: one.name)
def test_one_wrong_fact_is_one_finding(one, muster, monkeypatch) -> None:
    """No other rule complains of it, all other facts are judged, and the remedy is an action."""
    account = Account.of(one.stack)
    one.wrong(account)
    asked = asking(muster, monkeypatch)(account)
    assert asked.found == {one.finding}, asked.said["findings"]
    assert len(asked.said["findings"]) == 1
    assert one.mends in asked.said["findings"][0]["remedy"]
    assert asked.said["notEvaluated"] == []
    assert asked.said["notAnswered"] == []


def test_a_private_nat_gateway_is_not_evaluated(muster, monkeypatch) -> None:
    """It leads to other networks: whether they reach AWS only they know, in this command and in the next."""
    account = Account.of("p5-odcr")
    account.ec2.nats[0]["ConnectivityType"] = "private"
    asked = asking(muster, monkeypatch)(account, "--save")
    assert asked.found == set()
    assert asked.unjudged == {"subnet-reaches-aws"}
    checked = muster.judged("check", "p5-odcr", "--json", "--strict")
    assert checked.code == 4
    (one,) = json.loads(checked.out)["stacks"][0]["notEvaluated"]
    assert one["rule"] == "subnet-reaches-aws"
    assert sound_ec2.NAT in one["missing"]
