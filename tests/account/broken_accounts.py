"""Accounts with one fact wrong each, and the one finding that it is."""

from dataclasses import dataclass
from datetime import UTC, datetime

from muster.hardware import quotas
from muster.hardware.hyperpod_quotas import IN_ALL_CLUSTERS, instance_quota
from tests.account import sound_quotas
from tests.account.breaks import (
    Break,
    answer,
    elsewhere,
    file_systems,
    gone,
    hyperpod,
    in_use,
    in_zone,
    nat,
    nat_without_a_route,
    nats_elsewhere,
    plan,
    quota,
    reservation,
    shared,
    subnets,
    vpcs,
    with_a_closed_endpoint,
    with_endpoints,
    without_nat,
    without_nvidia,
)


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
        "vcpus-in-use",
        "p5-efa",
        in_use("P/OnDemand", sound_quotas.ROOM),
        f"quota-covers-vcpus @ {P5}.nodes",
        "L-417A185B",
    ),
    Broken("vpcs-of-others", "g4dn", vpcs, "quota-covers-resources @ network.create", "L-F678F1CE"),
    Broken("nats-of-others", "g4dn", nats_elsewhere, "quota-covers-resources @ network.create", "L-FE5A380F"),
    Broken(
        "clusters-of-others", "g4dn", quota("L-1194D53C", 1), "quota-covers-resources @ control-plane", "L-1194D53C"
    ),
    Broken("lustre-of-others", "pcluster-gpu", file_systems, "quota-covers-resources @ storage.fsx.lustre", ""),
    Broken(
        "instances-of-others",
        "hyperpod-p5",
        hyperpod(instance_quota("ml.p5.48xlarge", spot=False), 3),
        f"hyperpod-quota-covers-nodes @ {P5}.nodes",
        "",
    ),
    Broken(
        "clusters-hold-all", "hyperpod-p5", hyperpod(IN_ALL_CLUSTERS, 3), "hyperpod-quota-covers-cluster @ hyperpod", ""
    ),
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
