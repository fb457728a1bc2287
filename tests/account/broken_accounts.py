"""Accounts with one fact wrong each, and what the rules find then."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from muster.hardware import quotas
from muster.hardware.hyperpod_quotas import IN_ALL_CLUSTERS, instance_quota
from tests.account import breaks, sound_quotas
from tests.account.breaks import Break, answer, quota, reservation


@dataclass(frozen=True)
class Broken:
    """What is wrong, and what is found: one rule, at one place or several."""

    name: str
    stack: str
    wrong: Break
    rule: str
    places: tuple[str, ...]
    change: Mapping[str, Any] = field(default_factory=dict)
    """Dotted path in `muster:cluster` -> value."""


def eks(name: str, wrong: Break, rule: str, place: str, stack: str = "p5-odcr") -> Broken:
    """Of a stack without changes."""
    return Broken(name, stack, wrong, rule, (place,))


def on_plan(name: str, wrong: Break, rule: str, place: str) -> Broken:
    """Of a stack on a training plan."""
    return Broken(name, "hyperpod-training-plan", wrong, rule, (place,))


def with_scripts(name: str, wrong: Break, rule: str, *places: str) -> Broken:
    """Of a HyperPod cluster with lifecycle scripts in a bucket."""
    own = {"own": {"at": "s3://sagemaker-ml-scripts/p5", "on-create": "on_create.sh"}}
    return Broken(name, "hyperpod-training-plan", wrong, rule, places, {"hyperpod.lifecycle": own})


def with_lustre(name: str, wrong: Break, rule: str, key: str = "id") -> Broken:
    """Of a stack with a file system that exists."""
    lustre = {"existing-lustre": {"id": "fs-0123456789abcdef0", "mount-name": "a1b2cdef"}}
    place = f"storage.scratch.existing-lustre.{key}"
    return Broken(name, "p5-odcr", wrong, rule, (place,), {"storage.scratch": lustre, "addons.fsx-csi-driver": {}})


P5 = "groups.workers"
HELD, PLAN = f"{P5}.capacity.reservation", f"{P5}.capacity.training-plan"
JOIN, ON_EKS, EXISTING = "p5-join-existing", "hyperpod-existing-eks", "control-plane.existing"
PRIVATE = "network.existing.private.us-west-2a"
YESTERDAY, NEXT_YEAR = datetime(2026, 11, 20, tzinfo=UTC), datetime(2027, 11, 20, tzinfo=UTC)
ZONE_B = {"AvailabilityZone": "us-west-2b", "AvailabilityZoneId": "usw2-az1"}
ENDED = {"EndDateType": "limited", "EndDate": datetime(2026, 11, 1, tzinfo=UTC)}
SCHEDULED = {"Status": "Scheduled", "AvailableInstanceCount": 0, "StartTime": datetime(2026, 12, 1, 11, 30, tzinfo=UTC)}
DENIED = answer("iam.SimulatePrincipalPolicy", lambda asked: sound_quotas.simulated(asked, ("ec2:RunInstances",)))
NEWER = {"clusterVersions": [{"clusterVersion": "1.36", "versionStatus": "STANDARD_SUPPORT"}]}
OLD_CNI = {"addon": {"addonName": "vpc-cni", "addonVersion": "v1.16.0-eksbuild.1"}}


ACCOUNTS = [
    eks("another-zone", reservation(**ZONE_B), "reservation-zone-matches-subnet", f"{HELD}.zone"),
    eks(
        "another-type", reservation(InstanceType="p5e.48xlarge"), "reservation-instance-type-matches", f"{P5}.instance"
    ),
    eks("smaller", reservation(TotalInstanceCount=0), "reservation-covers-nodes", f"{HELD}.count", "p4de-odcr"),
    eks("all-in-use", reservation(AvailableInstanceCount=0), "reservation-free-for-nodes", f"{P5}.nodes"),
    eks("expired", reservation(State="expired"), "reservation-usable", f"{HELD}.id"),
    eks("windows", reservation(InstancePlatform="Windows"), "reservation-usable", f"{HELD}.id"),
    eks("dedicated", reservation(Tenancy="dedicated"), "reservation-usable", f"{HELD}.id"),
    eks("limited-and-over", reservation(**ENDED), "reservation-usable", f"{HELD}.id"),
    eks("no-such-reservation", breaks.gone, "named-things-exist", f"{HELD}.id"),
    eks("type-not-offered", breaks.elsewhere, "type-offered-in-zone", f"{P5}.zone", "p5-efa"),
    eks("no-vcpus", quota(quotas.P.code, 0), "quota-covers-vcpus", f"{P5}.nodes", "p5-efa"),
    eks(
        "vcpus-in-use",
        breaks.in_use("P/OnDemand", sound_quotas.ROOM),
        "quota-covers-vcpus",
        f"{P5}.nodes",
        "p5-efa",
    ),
    eks("clusters-of-others", quota("L-1194D53C", 1), "quota-covers-resources", "control-plane", "g4dn"),
    eks("no-room-for-addresses", quota("L-0263D0A3", 1), "quota-covers-resources", "network.create", "g4dn"),
    eks(
        "instances-of-others",
        breaks.hyperpod(instance_quota("ml.p5.48xlarge", spot=False), 3),
        "hyperpod-quota-covers-nodes",
        f"{P5}.nodes",
        "hyperpod-p5",
    ),
    eks(
        "clusters-hold-all",
        breaks.hyperpod(IN_ALL_CLUSTERS, 3),
        "hyperpod-quota-covers-cluster",
        "hyperpod",
        "hyperpod-p5",
    ),
    eks("eight-addresses-left", breaks.subnets(0, AvailableIpAddressCount=8), "subnet-holds-nodes", f"{P5}.nodes"),
    eks(
        "public-addresses",
        breaks.subnets(0, MapPublicIpOnLaunch=True),
        "several-interfaces-private-subnets",
        f"{P5}.subnets",
    ),
    eks("no-way-out", breaks.without_nat, "subnet-reaches-aws", PRIVATE),
    eks("nat-without-a-route", breaks.nat_without_a_route, "subnet-reaches-aws", PRIVATE),
    eks("endpoint-that-lets-nobody-in", breaks.with_a_closed_endpoint, "subnet-reaches-aws", PRIVATE),
    eks("rights-to-run-nothing", DENIED, "identity-may-deploy", ""),
    eks("version-gone", answer("eks.DescribeClusterVersions", NEWER), "kubernetes-version-supported", "kubernetes"),
    eks(
        "standard-support-over",
        breaks.version(endOfStandardSupportDate=YESTERDAY, endOfExtendedSupportDate=NEXT_YEAR),
        "kubernetes-standard-support",
        "kubernetes",
    ),
    eks("no-such-image", breaks.without_nvidia, "image-parameter-exists", f"{P5}.image"),
    eks(
        "cluster-of-another-version", breaks.cluster(version="1.34"), "existing-cluster-as-declared", "kubernetes", JOIN
    ),
    eks(
        "cluster-without-access-entries",
        breaks.cluster(accessConfig={"authenticationMode": "CONFIG_MAP"}),
        "existing-cluster-as-declared",
        f"{EXISTING}.authentication",
        JOIN,
    ),
    eks("another-hyperpod-cluster", breaks.another_hyperpod_cluster, "hyperpod-alone-on-eks", "hyperpod", ON_EKS),
    eks("old-cni", answer("eks.DescribeAddon", OLD_CNI), "vpc-cni-supports-efa", f"{EXISTING}.name", JOIN),
    on_plan(
        "plan-in-another-zone",
        breaks.plan(ReservedCapacitySummaries=[breaks.in_zone("us-west-2b")]),
        "training-plan-zone",
        f"{PLAN}.zone",
    ),
    on_plan(
        "plan-of-another-type",
        breaks.plan(ReservedCapacitySummaries=[breaks.in_zone("us-west-2a", "ml.p5.48xlarge")]),
        "training-plan-type",
        f"{P5}.instance",
    ),
    on_plan("plan-not-begun", breaks.plan(**SCHEDULED), "training-plan-usable", f"{PLAN}.arn"),
    on_plan(
        "plan-for-training-jobs", breaks.plan(TargetResources=["training-job"]), "training-plan-usable", f"{PLAN}.arn"
    ),
    with_scripts(
        "no-script-in-its-folder",
        answer("s3.ListObjectsV2", {"Contents": [{"Key": "p5/on_start.sh"}]}),
        "lifecycle-script-in-bundle",
        *(f"groups.{each}.hyperpod.lifecycle" for each in ("system", "workers")),
    ),
    with_lustre("lustre-in-another-vpc", breaks.file_system_in_another_vpc, "lustre-usable"),
    with_lustre("lustre-in-another-zone", breaks.file_system_in_another_zone, "lustre-in-training-zone", "zone"),
    with_lustre(
        "lustre-of-another-mount-name",
        breaks.file_system(LustreConfiguration={"MountName": "fsx"}),
        "lustre-usable",
        "mount-name",
    ),
    with_lustre("old-lustre", breaks.file_system(FileSystemTypeVersion="2.10"), "lustre-version-for-clients"),
    with_lustre("lustre-failed", breaks.file_system(Lifecycle="FAILED"), "lustre-usable"),
    with_lustre("lustre-of-its-group-alone", breaks.file_system_of_its_group_alone, "lustre-ports-open"),
]
