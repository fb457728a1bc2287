"""Accounts with one fact wrong each, and what the rules find then."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from muster.hardware import quotas
from muster.hardware.hyperpod_quotas import IN_ALL_CLUSTERS, instance_quota
from tests.account import sound_ec2, sound_quotas, sound_services
from tests.account.accounts import Account
from tests.account.aws import Refused

Break = Callable[[Account], Any]


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


def in_use(of_class: str, number: int) -> Break:
    """So many vCPUs of a class are in use."""

    def say(asked: Mapping[str, Any]) -> Any:
        return sound_quotas.in_use(asked, lambda each: number if each == of_class else sound_quotas.IN_USE)

    return answer("cloudwatch.GetMetricData", say)


def hyperpod(name: str, value: float) -> Break:
    """One of SageMaker's quotas is that."""
    return answer("service-quotas.ListServiceQuotas", {"Quotas": [{"QuotaName": name, "Value": value}]})


def without_nat(account: Account) -> None:
    """The first private subnet's table has no default route."""
    private = next(each for each in account.ec2.tables if any("NatGatewayId" in route for route in each["Routes"]))
    first, *others = private["Associations"]
    private["Associations"] = others
    local = [each for each in private["Routes"] if "NatGatewayId" not in each]
    account.ec2.tables.append({**private, "Routes": local, "Associations": [first]})


def nat_without_a_route(account: Account) -> None:
    """The NAT gateway stands among the private subnets."""
    account.ec2.tables.append(
        {**account.ec2.tables[-1], "Routes": [], "Associations": [{"SubnetId": account.ec2.nats[0]["SubnetId"]}]}
    )
    del account.ec2.tables[-2]


def with_a_closed_endpoint(account: Account) -> None:
    """One lets only a group in that no node carries."""
    without_nat(account)
    account.ec2.endpoints += [sound_ec2.interface(account.ec2, each) for each in ("ecr.api", "ecr.dkr")]
    group = {"GroupId": "sg-0fedcba9876543210"}
    account.ec2.endpoints.append(
        sound_ec2.interface(account.ec2, "ec2", IsEgress=False, ReferencedGroupInfo=group, **sound_ec2.EVERYTHING)
    )
    account.ec2.endpoints.append(sound_ec2.gateway("s3", sound_ec2.PRIVATE))


def without_nvidia(account: Account) -> None:
    """There is no image with NVIDIA's drivers."""
    known = account.others["ssm.GetParameter"]
    assert callable(known)

    def say(asked: Mapping[str, Any]) -> Any:
        return Refused("ParameterNotFound") if "nvidia" in asked["Name"] else known(asked)

    account.others["ssm.GetParameter"] = say


def _altered(operation: str, alter: Callable[[Any], Any], when: str = "") -> Break:
    """An operation's own answer, altered; with `when`, only where the query has that parameter."""

    def wrong(account: Account) -> None:
        known: Any = account.others[operation]

        def say(asked: Mapping[str, Any]) -> Any:
            said = known(asked) if callable(known) else known
            return said if when and not asked.get(when) else alter(said)

        account.others[operation] = say

    return wrong


def plan(**said: Any) -> Break:
    """The stack's training plan is otherwise."""
    return _altered("sagemaker.DescribeTrainingPlan", lambda known: {**known, **said})


def in_zone(zone: str, type_: str = "ml.p5en.48xlarge") -> dict[str, Any]:
    """A part of a training plan."""
    arn = "arn:aws:sagemaker:us-west-2:111122223333:reserved-capacity/spring"
    held = {"ReservedCapacityArn": arn, "InstanceType": type_, "TotalInstanceCount": 8}
    return {**held, "Status": "Active", "AvailabilityZone": zone}


def cluster(**said: Any) -> Break:
    """The EKS cluster that exists is otherwise."""
    return _altered("eks.DescribeCluster", lambda known: {"cluster": {**known["cluster"], **said}})


def version(**said: Any) -> Break:
    """EKS says otherwise of the stack's Kubernetes version."""

    def wrong(account: Account) -> None:
        own = account.wanted.blueprint.described.kubernetes  # type: ignore[union-attr]
        listed: Any = account.others["eks.DescribeClusterVersions"]
        every = [{**each, **said} if each["clusterVersion"] == own else each for each in listed["clusterVersions"]]
        account.others["eks.DescribeClusterVersions"] = {"clusterVersions": every}

    return wrong


def another_hyperpod_cluster(account: Account) -> None:
    """Another HyperPod cluster is on the same EKS cluster."""
    arn = sound_services.cluster_arn(account.wanted)
    account.others["sagemaker.ListClusters"] = {"ClusterSummaries": [{"ClusterName": "theirs"}]}
    account.others["sagemaker.DescribeCluster"] = {
        "ClusterName": "theirs",
        "Orchestrator": {"Eks": {"ClusterArn": arn}},
        "InstanceGroups": [],
    }


def file_system(**said: Any) -> Break:
    """The file system that exists is otherwise; a key of None is left out."""

    def alter(known: Any) -> Any:
        one = {**known["FileSystems"][0], **said}
        return {"FileSystems": [{key: each for key, each in one.items() if each is not None}]}

    return _altered("fsx.DescribeFileSystems", alter, "FileSystemIds")


def file_system_in_another_vpc(account: Account) -> None:
    """With the same addresses."""
    other = "vpc-0fedcba9876543210"
    account.ec2.vpcs.append({"VpcId": other, "CidrBlockAssociationSet": [{"CidrBlock": "10.0.0.0/16"}]})
    file_system(VpcId=other)(account)


def file_system_in_another_zone(account: Account) -> None:
    """In the subnet of a zone without workers."""
    other = next(id_ for id_, each in account.wanted.blueprint.subnets.items() if each.zone == "us-west-2b")
    file_system(SubnetIds=[other])(account)


def file_system_of_its_group_alone(account: Account) -> None:
    """Its security group lets in only its members."""
    own = {"ReferencedGroupInfo": {"GroupId": sound_services.FS_GROUP}}
    others = [each for each in account.ec2.rules if each["GroupId"] != sound_services.FS_GROUP]
    account.ec2.rules[:] = [*others, *sound_services.lustre_rules(**own)]


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
ELSEWHERE = {"p5.48xlarge": ["us-west-2d"]}


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
    eks("no-such-reservation", lambda account: account.ec2.reservations.clear(), "named-things-exist", f"{HELD}.id"),
    eks(
        "type-not-offered",
        lambda account: account.ec2.offerings.update(ELSEWHERE),
        "type-offered-in-zone",
        f"{P5}.zone",
        "p5-efa",
    ),
    eks("no-vcpus", quota(quotas.P.code, 0), "quota-covers-vcpus", f"{P5}.nodes", "p5-efa"),
    eks("vcpus-in-use", in_use("P/OnDemand", sound_quotas.ROOM), "quota-covers-vcpus", f"{P5}.nodes", "p5-efa"),
    eks("clusters-of-others", quota("L-1194D53C", 1), "quota-covers-resources", "control-plane", "g4dn"),
    eks("no-room-for-addresses", quota("L-0263D0A3", 1), "quota-covers-resources", "network.create", "g4dn"),
    eks(
        "instances-of-others",
        hyperpod(instance_quota("ml.p5.48xlarge", spot=False), 3),
        "hyperpod-quota-covers-nodes",
        f"{P5}.nodes",
        "hyperpod-p5",
    ),
    eks("clusters-hold-all", hyperpod(IN_ALL_CLUSTERS, 3), "hyperpod-quota-covers-cluster", "hyperpod", "hyperpod-p5"),
    eks("eight-addresses-left", subnets(0, AvailableIpAddressCount=8), "subnet-holds-nodes", f"{P5}.nodes"),
    eks(
        "public-addresses", subnets(0, MapPublicIpOnLaunch=True), "several-interfaces-private-subnets", f"{P5}.subnets"
    ),
    eks("no-way-out", without_nat, "subnet-reaches-aws", PRIVATE),
    eks("nat-without-a-route", nat_without_a_route, "subnet-reaches-aws", PRIVATE),
    eks("endpoint-that-lets-nobody-in", with_a_closed_endpoint, "subnet-reaches-aws", PRIVATE),
    eks("rights-to-run-nothing", DENIED, "identity-may-deploy", ""),
    eks("version-gone", answer("eks.DescribeClusterVersions", NEWER), "kubernetes-version-supported", "kubernetes"),
    eks(
        "standard-support-over",
        version(endOfStandardSupportDate=YESTERDAY, endOfExtendedSupportDate=NEXT_YEAR),
        "kubernetes-standard-support",
        "kubernetes",
    ),
    eks("no-such-image", without_nvidia, "image-parameter-exists", f"{P5}.image"),
    eks("cluster-of-another-version", cluster(version="1.34"), "existing-cluster-as-declared", "kubernetes", JOIN),
    eks(
        "cluster-without-access-entries",
        cluster(accessConfig={"authenticationMode": "CONFIG_MAP"}),
        "existing-cluster-as-declared",
        f"{EXISTING}.authentication",
        JOIN,
    ),
    eks("another-hyperpod-cluster", another_hyperpod_cluster, "hyperpod-alone-on-eks", "hyperpod", ON_EKS),
    eks("old-cni", answer("eks.DescribeAddon", OLD_CNI), "vpc-cni-supports-efa", f"{EXISTING}.name", JOIN),
    on_plan(
        "plan-in-another-zone",
        plan(ReservedCapacitySummaries=[in_zone("us-west-2b")]),
        "training-plan-zone",
        f"{PLAN}.zone",
    ),
    on_plan(
        "plan-of-another-type",
        plan(ReservedCapacitySummaries=[in_zone("us-west-2a", "ml.p5.48xlarge")]),
        "training-plan-type",
        f"{P5}.instance",
    ),
    on_plan("plan-not-begun", plan(**SCHEDULED), "training-plan-usable", f"{PLAN}.arn"),
    on_plan("plan-for-training-jobs", plan(TargetResources=["training-job"]), "training-plan-usable", f"{PLAN}.arn"),
    Broken(
        "no-script-in-its-folder",
        "hyperpod-training-plan",
        answer("s3.ListObjectsV2", {"Contents": [{"Key": "p5/on_start.sh"}]}),
        "lifecycle-script-in-bundle",
        tuple(f"groups.{each}.hyperpod.lifecycle" for each in ("system", "workers")),
        {"hyperpod.lifecycle": {"own": {"at": "s3://sagemaker-ml-scripts/p5", "on-create": "on_create.sh"}}},
    ),
    with_lustre("lustre-in-another-vpc", file_system_in_another_vpc, "lustre-usable"),
    with_lustre("lustre-in-another-zone", file_system_in_another_zone, "lustre-in-training-zone", "zone"),
    with_lustre(
        "lustre-of-another-mount-name",
        file_system(LustreConfiguration={"MountName": "fsx"}),
        "lustre-usable",
        "mount-name",
    ),
    with_lustre("old-lustre", file_system(FileSystemTypeVersion="2.10"), "lustre-version-for-clients"),
    with_lustre("lustre-failed", file_system(Lifecycle="FAILED"), "lustre-usable"),
    with_lustre("lustre-of-its-group-alone", file_system_of_its_group_alone, "lustre-ports-open"),
]
