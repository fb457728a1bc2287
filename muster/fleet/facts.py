"""Facts about things outside the stack: reservations, subnets, security groups, as AWS answers.

`stacks/facts/<stack>.json`. A preflight writes it; a person can. Where a fact that a rule needs is missing, the rule is
"not evaluated", never passed.
"""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, StrictBool, StrictInt
from pydantic import Field as PydanticField
from pydantic.alias_generators import to_camel

from muster.config.identifiers import (
    AccountId,
    FileSystemId,
    ImageId,
    KeyPairName,
    ReservationId,
    ResourceGroupArn,
    SecurityGroupId,
    SubnetId,
    TrainingPlanArn,
    VpcId,
)
from muster.contract import Cluster
from muster.hardware.zones import ZoneId, ZoneName

NULLS_ALLOWED: dict[str, Any] = {"x-null": "a fact nobody gave"}
"""Marks the models that take null for "not known"."""


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError:
        raise ValueError(f"{moment.isoformat()} is before the year 1, or after 9999, in UTC") from None


Moment = Annotated[datetime, AfterValidator(_in_utc)]
"""A time in UTC, as AWS's days are: a person may write it with any offset, and without one it is UTC, whatever the
machine's time zone."""


class Fact(BaseModel):
    """The base of facts: camelCase keys, as AWS's own answers have them; nothing unknown."""

    model_config = ConfigDict(
        defer_build=True,  # most blocks are not in a file
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=False,
        json_schema_extra=NULLS_ALLOWED,
    )


def a_fact(doc: str) -> Any:
    """A field that is None where it is not known."""
    return PydanticField(default=None, description=doc)


EXISTS = "Whether AWS knows it: false where it says that there is none, for this account in this Region."


class AccountFacts(Fact):
    """Who was asked, and where: facts of one account say nothing of another."""

    id: AccountId | None = a_fact("Account, of `GetCallerIdentity`")
    partition: str | None = a_fact("The partition in its ARN, as in aws, aws-cn, aws-us-gov")
    region: str | None = a_fact("The Region that was asked")


class ClusterFacts(Fact):
    """What EKS says of a cluster that groups join, and SageMaker of the HyperPod clusters on it."""

    exists: StrictBool | None = a_fact(EXISTS)
    version: str | None = a_fact("Its Kubernetes version, as in 1.35")
    vpc: VpcId | None = a_fact("The VPC that it is in")
    security_group: SecurityGroupId | None = a_fact("The group that EKS made for it: vpcConfig.clusterSecurityGroupId")
    authentication: str | None = a_fact("accessConfig.authenticationMode, as in API_AND_CONFIG_MAP")
    state: str | None = a_fact("status, as in ACTIVE")
    eks_addons: dict[str, str] | None = a_fact("EKS add-on -> version, as in vpc-cni -> v1.23.1-eksbuild.1")
    hyperpod_clusters: tuple[str, ...] | None = a_fact(
        "The HyperPod clusters on it, by name (`aws sagemaker describe-cluster`: Orchestrator.Eks.ClusterArn); one of "
        "this stack's name is its own"
    )
    hyperpod_chart: StrictBool | None = a_fact("HyperPod's chart is installed on it (`helm list -A`)")


class KubernetesVersionFacts(Fact):
    """What EKS says of one Kubernetes version (`DescribeClusterVersions`)."""

    offered: StrictBool | None = a_fact("Whether new clusters may have it")
    end_of_standard: Moment | None = a_fact("endOfStandardSupportDate")
    end_of_extended: Moment | None = a_fact("endOfExtendedSupportDate")


class ImageFacts(Fact):
    """What `DescribeImages` says of an image; its tags where `pcluster build-image` made it in this account."""

    exists: StrictBool | None = a_fact(EXISTS)
    parallelcluster_version: str | None = a_fact("Its tag parallelcluster:version, as in 3.16.1")
    os: str | None = a_fact("Its tag parallelcluster:os, as in alinux2023")
    root_gib: StrictInt | None = a_fact("The size of its root device's snapshot, in GiB")


class KeyPairFacts(Fact):
    """What `DescribeKeyPairs` says of one key pair."""

    exists: StrictBool | None = a_fact(EXISTS)
    type: Literal["rsa", "ed25519"] | None = a_fact("KeyType")


class WayOut(StrEnum):
    """Where the route of a subnet to the internet leads."""

    NAT = "nat"
    INTERNET_GATEWAY = "internet-gateway"
    OTHER = "other"
    """A transit gateway, a virtual private gateway, a private NAT gateway, an interface, a peer: what is behind it only
    your network knows."""
    NONE = "none"


class GatewayFault(StrEnum):
    """Why a route leads to a gateway and yet nowhere."""

    GONE = "gone"
    """The route is a blackhole, or AWS has no such NAT gateway any more."""
    NOT_AVAILABLE = "not-available"
    """A NAT gateway that is pending, failed or being deleted."""
    WITHOUT_INTERNET = "without-internet"
    """A NAT gateway in a subnet that has no route to an internet gateway."""


class EndpointDoubt(StrEnum):
    """Why AWS's answers do not tell whether an endpoint serves a subnet."""

    PRIVATE_DNS_OFF = "private-dns-off"
    """The service's own name leads to it only by a hosted zone of yours."""
    CALLERS_UNKNOWN = "callers-unknown"
    """Whom its security groups let in on TCP 443 is not known, or only a part of the subnet."""
    KIND_UNKNOWN = "kind-unknown"
    """AWS does not say of what kind it is, or which route tables it is in."""


class SubnetFacts(Fact):
    """What `DescribeSubnets` says of one subnet."""

    exists: StrictBool | None = a_fact(EXISTS)
    zone: ZoneName | None = a_fact("AvailabilityZone")
    zone_id: ZoneId | None = a_fact("AvailabilityZoneId")
    vpc: VpcId | None = a_fact("VpcId")
    way_out: WayOut | None = a_fact("Where 0.0.0.0/0 of its route table leads, the VPC's main one without its own")
    gateway: str | None = a_fact("What 0.0.0.0/0 leads to, by id, as in nat-0123456789abcdef0, tgw-0123456789abcdef0")
    gateway_fault: GatewayFault | None = a_fact("Why that is no way out")
    endpoints: tuple[str, ...] | None = a_fact(
        "The services that everything in it reaches by endpoints of the VPC, as in ecr.api, s3: of gateway endpoints "
        "those in its route table, of others those with private DNS that let all of its addresses in on TCP 443"
    )
    endpoints_open_to: dict[str, tuple[SecurityGroupId, ...]] = PydanticField(
        default={},
        description="Service -> the security groups that its endpoints let in on TCP 443, where they let in no more.",
    )
    endpoints_in_doubt: dict[str, EndpointDoubt] = PydanticField(
        default={}, description="Service -> why it is not known whether its endpoints serve the subnet."
    )
    map_public_ip_on_launch: StrictBool | None = a_fact("MapPublicIpOnLaunch")
    free_addresses: StrictInt | None = a_fact(
        "AvailableIpAddressCount, and what this stack's own nodes hold there already (by the tag muster:stack; of "
        "HyperPod's what carries the stack's security group). What its control plane, file systems, endpoints and NAT "
        "gateways hold is not added"
    )


class VpcFacts(Fact):
    """What EC2 says of a VPC that exists."""

    exists: StrictBool | None = a_fact(EXISTS)
    dns_support: StrictBool | None = a_fact("enableDnsSupport, of `DescribeVpcAttribute`")
    dns_hostnames: StrictBool | None = a_fact("enableDnsHostnames, of `DescribeVpcAttribute`")
    endpoints: tuple[str, ...] | None = a_fact(
        "The services of its endpoints that are available, as in ecr.api, s3 (`DescribeVpcEndpoints`); which of its "
        "subnets they serve, those say"
    )


class SecurityGroupFacts(Fact):
    """What `DescribeSecurityGroupRules` says of one group, as far as EFA cares."""

    exists: StrictBool | None = a_fact(EXISTS)
    vpc: VpcId | None = a_fact("VpcId")
    self_ingress: StrictBool | None = a_fact("All protocols allowed in from the group itself")
    self_egress: StrictBool | None = a_fact("All protocols allowed out to the group itself")


class ReservationState(StrEnum):
    """EC2's `CapacityReservationState`."""

    ACTIVE = "active"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    CANCELLING = "cancelling"
    PENDING = "pending"
    FAILED = "failed"
    SCHEDULED = "scheduled"
    PAYMENT_PENDING = "payment-pending"
    PAYMENT_FAILED = "payment-failed"
    ASSESSING = "assessing"
    DELAYED = "delayed"
    UNSUPPORTED = "unsupported"
    UNAVAILABLE = "unavailable"


class ReservationFacts(Fact):
    """What `DescribeCapacityReservations` says of one reservation. A key left out is a fact nobody gave."""

    exists: StrictBool | None = a_fact(EXISTS)
    instance_type: str | None = a_fact("InstanceType")
    zone: ZoneName | None = a_fact("AvailabilityZone")
    zone_id: ZoneId | None = a_fact("AvailabilityZoneId")
    total_instances: StrictInt | None = a_fact("TotalInstanceCount")
    available_instances: StrictInt | None = a_fact(
        "AvailableInstanceCount, and what this stack's own instances hold of it already (by the tag muster:stack)"
    )
    state: ReservationState | None = a_fact("State")
    reservation_type: Literal["default", "capacity-block"] | None = a_fact("ReservationType")
    platform: str | None = a_fact("InstancePlatform")
    tenancy: Literal["default", "dedicated"] | None = a_fact("Tenancy")
    start: Moment | None = a_fact("StartDate")
    end: Moment | None = a_fact("EndDate")
    end_type: Literal["limited", "unlimited"] | None = a_fact("EndDateType: a limited one ends at its end")
    placement_group: str | None = a_fact("The name in PlacementGroupArn; none where it was made outside any")
    owner: AccountId | None = a_fact("OwnerId: another account's is shared with this one")
    unused_billed_to: AccountId | None = a_fact(
        "UnusedReservationBillingOwnerId: the account that pays for what is unused; the owner without"
    )
    invitation: str | None = a_fact(
        "The ARN of the RAM invitation that shares it and waits to be accepted (`ListPendingInvitationResources`)"
    )


class ReservationGroupFacts(Fact):
    """What Resource Groups says of one group: `GetGroupConfiguration` and `ListGroupResources`."""

    exists: StrictBool | None = a_fact(EXISTS)
    configurations: tuple[str, ...] | None = a_fact("The types of its configuration entries")
    reservations: tuple[ReservationId, ...] | None = a_fact("The reservations in it")


class BucketFacts(Fact):
    """What S3 says of a bucket, and of one with lifecycle scripts beside whether there is one (`ListObjectsV2`,
    `GetPublicAccessBlock` of it and of its account, `GetBucketVersioning`)."""

    exists: StrictBool | None = a_fact(EXISTS)
    files: tuple[str, ...] | None = a_fact("The keys of its objects, as far as scripts need them")
    private: StrictBool | None = a_fact(
        "All four settings of public access blocks are on, in its own or in its account's"
    )
    versioned: StrictBool | None = a_fact("Its versioning is Enabled")


class FileSystemState(StrEnum):
    """FSx's `FileSystemLifecycle`."""

    AVAILABLE = "AVAILABLE"
    CREATING = "CREATING"
    FAILED = "FAILED"
    DELETING = "DELETING"
    MISCONFIGURED = "MISCONFIGURED"
    UPDATING = "UPDATING"
    MISCONFIGURED_UNAVAILABLE = "MISCONFIGURED_UNAVAILABLE"


class FileSystemFacts(Fact):
    """What FSx says of one file system that exists (`DescribeFileSystems`), and EC2 of its security groups."""

    exists: StrictBool | None = a_fact(EXISTS)
    type: Literal["LUSTRE", "WINDOWS", "ONTAP", "OPENZFS"] | None = a_fact("FileSystemType")
    state: FileSystemState | None = a_fact("Lifecycle")
    vpc: VpcId | None = a_fact("VpcId")
    zone: ZoneName | None = a_fact("The zone of its subnet")
    dns_name: str | None = a_fact("DNSName")
    mount_name: str | None = a_fact("LustreConfiguration.MountName")
    version: str | None = a_fact("FileSystemTypeVersion, as in 2.15")
    ports_open_to_vpc: StrictBool | None = a_fact("Its groups let the whole VPC in on TCP 988 and 1018 to 1023")
    ports_open_to: tuple[SecurityGroupId, ...] | None = a_fact("The groups let in on TCP 988 and 1018 to 1023")


class TrainingPlanState(StrEnum):
    """SageMaker's `TrainingPlanStatus`."""

    PENDING = "Pending"
    ACTIVE = "Active"
    SCHEDULED = "Scheduled"
    EXPIRED = "Expired"
    FAILED = "Failed"


class TrainingPlanFacts(Fact):
    """What `DescribeTrainingPlan` says of one plan. A key left out is a fact nobody gave."""

    exists: StrictBool | None = a_fact(EXISTS)
    state: TrainingPlanState | None = a_fact("Status")
    instance_type: str | None = a_fact("InstanceType of its reserved capacity, as in ml.p5.48xlarge")
    zone: ZoneName | None = a_fact("AvailabilityZone of its reserved capacity")
    total_instances: StrictInt | None = a_fact("TotalInstanceCount")
    available_instances: StrictInt | None = a_fact(
        "AvailableInstanceCount, and what this stack's own HyperPod cluster has of the plan already"
    )
    targets: tuple[str, ...] | None = a_fact("TargetResources, as in hyperpod-cluster")
    start: Moment | None = a_fact("StartTime")
    end: Moment | None = a_fact("EndTime")


class Facts(Fact):
    """Everything known of the account."""

    contract: Literal[1] = PydanticField(default=1, description="The version of this form.")
    observed: Moment | None = PydanticField(default=None, description="When AWS said so.")
    kept: dict[str, Moment | None] = PydanticField(
        default={},
        description="What AWS was asked and did not answer by then, kept from before: JSON pointer, as in "
        "/reservations/cr-0123456789abcdef0 -> when AWS said so; null where a person wrote it.",
    )
    account: AccountFacts | None = a_fact("Who was asked, and where.")
    vpcs: dict[VpcId, VpcFacts] = PydanticField(default={}, description="VPCs that exist, by id.")
    offerings: dict[str, tuple[ZoneName, ...]] = PydanticField(
        default={}, description="Instance type, as in p5.48xlarge -> the zones that offer it to this account."
    )
    quotas_used: dict[str, StrictInt] = PydanticField(
        default={},
        description="How much of a quota others use in this Region now, by code: without what this stack has (its "
        "nodes, the reservations that it names, whole). Of NAT gateways those of the fullest zone that gets one here; "
        "of node groups those of the same cluster.",
    )
    kubernetes_versions: dict[str, KubernetesVersionFacts] = PydanticField(
        default={}, description="Kubernetes versions that EKS speaks of, as in 1.35."
    )
    image_parameters: dict[str, ImageId | None] = PydanticField(
        default={}, description="SSM parameters of AMIs, by path -> the AMI; null where there is no such parameter."
    )
    permissions: dict[str, StrictBool | None] = PydanticField(
        default={},
        description="Whether the identity may do what a deployment takes, by action, as in ec2:RunInstances "
        "(`SimulatePrincipalPolicy`: what resources' own policies forbid it does not see); null where that hangs on a "
        "condition, or was not answered.",
    )
    reservations: dict[ReservationId, ReservationFacts] = PydanticField(default={}, description="By id.")
    subnets: dict[SubnetId, SubnetFacts] = PydanticField(default={}, description="By id.")
    security_groups: dict[SecurityGroupId, SecurityGroupFacts] = PydanticField(default={}, description="By id.")
    reservation_groups: dict[ResourceGroupArn, ReservationGroupFacts] = PydanticField(
        default={}, description="Resource groups of reservations, by ARN."
    )
    clusters: dict[str, ClusterFacts] = PydanticField(default={}, description="EKS clusters that groups join, by name.")
    file_systems: dict[FileSystemId, FileSystemFacts] = PydanticField(
        default={}, description="Lustre file systems that exist, by id."
    )
    quotas: dict[str, StrictInt] = PydanticField(
        default={},
        description="Quotas of the account in this Region, by code: vCPUs, as in L-417A185B -> 384, or how many there "
        "may be of a thing.",
    )
    hyperpod_quotas: dict[str, StrictInt] = PydanticField(
        default={},
        description="SageMaker quotas of the account in this Region, by name: instances, as in ml.p5.48xlarge for "
        "cluster usage -> 4.",
    )
    hyperpod_quotas_used: dict[str, StrictInt] = PydanticField(
        default={},
        description="How much of SageMaker's quotas other HyperPod clusters use in this Region now, by name: "
        "instances, without those of this stack's own cluster.",
    )
    training_plans: dict[TrainingPlanArn, TrainingPlanFacts] = PydanticField(default={}, description="By ARN.")
    buckets: dict[str, BucketFacts] = PydanticField(
        default={}, description="S3 buckets that exist, by name: with lifecycle scripts, with data."
    )
    images: dict[ImageId, ImageFacts] = PydanticField(default={}, description="Images of your own, by id.")
    key_pairs: dict[KeyPairName, KeyPairFacts] = PydanticField(
        default={}, description="EC2 key pairs that exist, by name."
    )
    ebs_encryption_by_default: StrictBool | None = a_fact(
        "Whether the account encrypts every new EBS volume of this Region, whoever makes it and whatever it says."
    )
    zones: dict[ZoneName, ZoneId] = PydanticField(default={}, description="Zone name -> zone id in this account.")
    outputs: Cluster | None = a_fact(
        "Of a stack with add-ons only (addons-of), whose cluster's stack file is elsewhere: what `pulumi stack output "
        "--json --stack ORGANIZATION/PROJECT/STACK` prints of that stack."
    )

    @property
    def account_id(self) -> str | None:
        """The account's id; None where it is not known."""
        return self.account.id if self.account else None


__all__ = [
    "NULLS_ALLOWED",
    "AccountFacts",
    "BucketFacts",
    "ClusterFacts",
    "EndpointDoubt",
    "Fact",
    "Facts",
    "FileSystemFacts",
    "FileSystemState",
    "GatewayFault",
    "ImageFacts",
    "KeyPairFacts",
    "KubernetesVersionFacts",
    "ReservationFacts",
    "ReservationGroupFacts",
    "ReservationState",
    "SecurityGroupFacts",
    "SubnetFacts",
    "TrainingPlanFacts",
    "TrainingPlanState",
    "VpcFacts",
    "WayOut",
]


RESERVATION_NOT_STARTED = frozenset(
    {
        *(ReservationState.SCHEDULED, ReservationState.PENDING, ReservationState.PAYMENT_PENDING),
        *(ReservationState.ASSESSING, ReservationState.DELAYED),
    }
)
"""EC2 holds nothing yet."""

RESERVATION_OVER = frozenset(
    {
        *(ReservationState.EXPIRED, ReservationState.CANCELLED, ReservationState.FAILED),
        *(ReservationState.PAYMENT_FAILED, ReservationState.UNSUPPORTED),
    }
)
"""EC2 holds nothing any more, and bills nothing."""

PLAN_OVER = frozenset({TrainingPlanState.EXPIRED, TrainingPlanState.FAILED})
"""SageMaker holds nothing any more."""


def reserved_instances(known: ReservationFacts) -> int | None:
    """What it holds; None where AWS does not say.

    EC2 counts the instances of a Capacity Block, or of a reservation that was asked for ahead, only from when it is
    active: 0 of one that is not says nothing, and what was declared stands. Where it does not say the state, its number
    does: nothing is taken for room that is not shown.
    """
    uncounted = known.state not in {None, ReservationState.ACTIVE} and not known.total_instances
    return None if uncounted else known.total_instances
