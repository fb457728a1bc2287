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
from muster.plain_data import NULLS_ALLOWED


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except OverflowError:
        raise ValueError(f"{moment.isoformat()} is before the year 1, or after 9999, in UTC") from None


Moment = Annotated[datetime, AfterValidator(_in_utc)]
"""A time in UTC, as AWS counts days. A person may write it with any offset; without an offset it is UTC, whatever the
machine's time zone."""


class Fact(BaseModel):
    """The base of facts: camelCase keys, as in AWS's responses; no unknown keys."""

    model_config = ConfigDict(
        defer_build=True,  # a file contains few of the blocks
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=False,
        json_schema_extra=NULLS_ALLOWED,
    )


def a_fact(doc: str) -> Any:
    """A field that is None if it is not known."""
    return PydanticField(default=None, description=doc)


def facts_by(doc: str) -> Any:
    """A map that is empty if nothing is known."""
    return PydanticField(default={}, description=doc)


EXISTS = "Whether it exists: false if AWS reports that this account does not have it in this Region."


class AccountFacts(Fact):
    """The account and the Region that were queried. Facts of one account do not apply to another."""

    id: AccountId | None = a_fact("Account in the response of `GetCallerIdentity`")
    partition: str | None = a_fact("Partition in the ARN of the identity, as in aws, aws-cn, aws-us-gov")
    region: str | None = a_fact("Region that was queried")


class ClusterFacts(Fact):
    """What EKS reports about a cluster that groups join, and SageMaker about the HyperPod clusters on it."""

    exists: StrictBool | None = a_fact(EXISTS)
    version: str | None = a_fact("Kubernetes version, as in 1.35")
    vpc: VpcId | None = a_fact("VPC of the cluster")
    security_group: SecurityGroupId | None = a_fact(
        "Security group that EKS created for it: vpcConfig.clusterSecurityGroupId"
    )
    authentication: str | None = a_fact("accessConfig.authenticationMode, as in API_AND_CONFIG_MAP")
    state: str | None = a_fact("status, as in ACTIVE")
    eks_addons: dict[str, str] | None = a_fact("EKS add-on -> version, as in vpc-cni -> v1.23.1-eksbuild.1")
    hyperpod_clusters: tuple[str, ...] | None = a_fact(
        "HyperPod clusters on it, by name (`aws sagemaker describe-cluster`: Orchestrator.Eks.ClusterArn); the one "
        "with the name of this stack is the stack's own"
    )
    hyperpod_chart: StrictBool | None = a_fact("Whether the chart of HyperPod is installed on it (`helm list -A`)")


class KubernetesVersionFacts(Fact):
    """What EKS reports about one Kubernetes version (`DescribeClusterVersions`)."""

    offered: StrictBool | None = a_fact("Whether EKS creates clusters with this version")
    end_of_standard: Moment | None = a_fact("endOfStandardSupportDate")
    end_of_extended: Moment | None = a_fact("endOfExtendedSupportDate")


class ImageFacts(Fact):
    """What `DescribeImages` returns for an image, with its tags if `pcluster build-image` created it in this
    account."""

    exists: StrictBool | None = a_fact(EXISTS)
    parallelcluster_version: str | None = a_fact("Tag parallelcluster:version, as in 3.16.1")
    os: str | None = a_fact("Tag parallelcluster:os, as in alinux2023")
    architecture: str | None = a_fact("architecture, as in x86_64")
    root_device: str | None = a_fact("rootDeviceName, as in /dev/xvda")


class KeyPairFacts(Fact):
    """What `DescribeKeyPairs` returns for one key pair."""

    exists: StrictBool | None = a_fact(EXISTS)


class RoleFacts(Fact):
    """What IAM returns for an existing role, or for the role in an instance profile."""

    exists: StrictBool | None = a_fact(EXISTS)
    role: str | None = a_fact("ARN of the role: of an instance profile, the role in it")
    trusts: tuple[str, ...] | None = a_fact(
        "AWS services that its trust policy allows, as in ec2.amazonaws.com (`GetRole`)"
    )
    allowed: dict[str, StrictBool | None] = facts_by(
        "Whether it allows the actions that it must allow, by action, as in ec2:DescribeInstances "
        "(`SimulatePrincipalPolicy`); null if a condition decides, or if AWS did not answer."
    )


class PolicyFacts(Fact):
    """What `GetPolicy` returns for a managed policy of the account."""

    exists: StrictBool | None = a_fact(EXISTS)


class WayOut(StrEnum):
    """Where the route of a subnet to the internet leads."""

    NAT = "nat"
    INTERNET_GATEWAY = "internet-gateway"
    OTHER = "other"
    """A transit gateway, a virtual private gateway, a private NAT gateway, an interface or a peer. Only your network
    knows where it leads."""
    NONE = "none"


class GatewayFault(StrEnum):
    """Why a route to a gateway does not lead to the internet."""

    GONE = "gone"
    """The route is a blackhole, or AWS has no such NAT gateway any more."""
    NOT_AVAILABLE = "not-available"
    """A NAT gateway that is pending, failed or being deleted."""
    WITHOUT_INTERNET = "without-internet"
    """A NAT gateway in a subnet that has no route to an internet gateway."""


class EndpointDoubt(StrEnum):
    """Why AWS's responses do not show whether an endpoint serves a subnet."""

    PRIVATE_DNS_OFF = "private-dns-off"
    """The DNS name of the service resolves to it only with a hosted zone that you create."""
    CALLERS_UNKNOWN = "callers-unknown"
    """The sources that its security groups allow on TCP 443 are not known, or cover only a part of the subnet."""
    KIND_UNKNOWN = "kind-unknown"
    """AWS does not report its type, or its route tables."""


class SubnetFacts(Fact):
    """What `DescribeSubnets` returns for one subnet."""

    exists: StrictBool | None = a_fact(EXISTS)
    zone: ZoneName | None = a_fact("AvailabilityZone")
    zone_id: ZoneId | None = a_fact("AvailabilityZoneId")
    vpc: VpcId | None = a_fact("VpcId")
    way_out: WayOut | None = a_fact(
        "Target of 0.0.0.0/0 in the route table of the subnet; otherwise in the main route table of the VPC"
    )
    gateway: str | None = a_fact("Id of the target of 0.0.0.0/0, as in nat-0123456789abcdef0, tgw-0123456789abcdef0")
    gateway_fault: GatewayFault | None = a_fact("Why this target does not lead to the internet")
    endpoints: tuple[str, ...] | None = a_fact(
        "Services that every address in the subnet reaches through endpoints of the VPC, as in ecr.api, s3: through "
        "gateway endpoints in its route table, and through interface endpoints with private DNS that allow all of "
        "its addresses on TCP 443"
    )
    endpoints_open_to: dict[str, tuple[SecurityGroupId, ...]] = facts_by(
        "Service -> the security groups that its endpoints allow on TCP 443, if they allow no other sources."
    )
    endpoints_in_doubt: dict[str, EndpointDoubt] = facts_by(
        "Service -> why it is not known whether its endpoints serve the subnet."
    )
    map_public_ip_on_launch: StrictBool | None = a_fact("MapPublicIpOnLaunch")
    free_addresses: StrictInt | None = a_fact(
        "AvailableIpAddressCount, plus the addresses that nodes of this stack already use there (by the tag "
        "muster:stack; for HyperPod, interfaces with the security group of the stack). Addresses of its control "
        "plane, file systems, endpoints and NAT gateways are not added"
    )


class VpcFacts(Fact):
    """What EC2 reports about an existing VPC."""

    exists: StrictBool | None = a_fact(EXISTS)
    dns_support: StrictBool | None = a_fact("enableDnsSupport in `DescribeVpcAttribute`")
    dns_hostnames: StrictBool | None = a_fact("enableDnsHostnames in `DescribeVpcAttribute`")
    endpoints: tuple[str, ...] | None = a_fact(
        "Services of its available endpoints, as in ecr.api, s3 (`DescribeVpcEndpoints`). The subnets state which "
        "of them serve them"
    )


class SecurityGroupFacts(Fact):
    """What `DescribeSecurityGroupRules` returns for one group, as far as EFA needs it."""

    exists: StrictBool | None = a_fact(EXISTS)
    vpc: VpcId | None = a_fact("VpcId")
    self_ingress: StrictBool | None = a_fact("Whether it allows all protocols in from the group itself")
    self_egress: StrictBool | None = a_fact("Whether it allows all protocols out to the group itself")


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
    """What `DescribeCapacityReservations` returns for one reservation. A missing key is a fact that is not known."""

    exists: StrictBool | None = a_fact(EXISTS)
    instance_type: str | None = a_fact("InstanceType")
    zone: ZoneName | None = a_fact("AvailabilityZone")
    zone_id: ZoneId | None = a_fact("AvailabilityZoneId")
    total_instances: StrictInt | None = a_fact("TotalInstanceCount")
    available_instances: StrictInt | None = a_fact(
        "AvailableInstanceCount, plus the instances of this stack that already use the reservation (by the tag "
        "muster:stack)"
    )
    state: ReservationState | None = a_fact("State")
    reservation_type: Literal["default", "capacity-block"] | None = a_fact("ReservationType")
    platform: str | None = a_fact("InstancePlatform")
    tenancy: Literal["default", "dedicated"] | None = a_fact("Tenancy")
    start: Moment | None = a_fact("StartDate")
    end: Moment | None = a_fact("EndDate")
    end_type: Literal["limited", "unlimited"] | None = a_fact("EndDateType: a limited reservation ends at its end date")
    placement_group: str | None = a_fact(
        "Name in PlacementGroupArn; none if it was created outside any placement group"
    )
    owner: AccountId | None = a_fact("OwnerId: a reservation of another account is shared with this one")
    invitation: str | None = a_fact(
        "ARN of the pending RAM invitation that shares it (`ListPendingInvitationResources`)"
    )


class ReservationGroupFacts(Fact):
    """What Resource Groups returns for one group: `GetGroupConfiguration` and `ListGroupResources`."""

    exists: StrictBool | None = a_fact(EXISTS)
    configurations: tuple[str, ...] | None = a_fact("Types of its configuration entries")
    reservations: tuple[ReservationId, ...] | None = a_fact("Reservations in the group")


class BucketFacts(Fact):
    """What S3 returns for a bucket: whether it exists, and for one with lifecycle scripts also
    `ListObjectsV2`."""

    exists: StrictBool | None = a_fact(EXISTS)
    files: tuple[str, ...] | None = a_fact("Keys of its objects, as far as scripts need them")


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
    """What FSx or EFS returns for an existing file system (`DescribeFileSystems`), and EC2 for its security groups."""

    exists: StrictBool | None = a_fact(EXISTS)
    type: Literal["LUSTRE", "WINDOWS", "ONTAP", "OPENZFS", "EFS"] | None = a_fact("FileSystemType, or EFS")
    state: FileSystemState | None = a_fact("Lifecycle")
    vpc: VpcId | None = a_fact("VpcId")
    zone: ZoneName | None = a_fact("Zone of its subnet")
    zones: tuple[ZoneName, ...] | None = a_fact("Zones of the mount targets of EFS")
    dns_name: str | None = a_fact("DNSName")
    mount_name: str | None = a_fact("LustreConfiguration.MountName")
    version: str | None = a_fact("FileSystemTypeVersion, as in 2.15")
    ports_open_to_vpc: StrictBool | None = a_fact(
        "Whether its security groups allow the whole VPC on the ports of its kind: TCP 988 and 1018 to 1023 of Lustre, "
        "TCP 2049 of EFS and OpenZFS"
    )
    ports_open_to: tuple[SecurityGroupId, ...] | None = a_fact("Security groups that it allows on the same ports")


class TrainingPlanState(StrEnum):
    """SageMaker's `TrainingPlanStatus`."""

    PENDING = "Pending"
    ACTIVE = "Active"
    SCHEDULED = "Scheduled"
    EXPIRED = "Expired"
    FAILED = "Failed"


class TrainingPlanFacts(Fact):
    """What `DescribeTrainingPlan` returns for one plan. A missing key is a fact that is not known."""

    exists: StrictBool | None = a_fact(EXISTS)
    state: TrainingPlanState | None = a_fact("Status")
    instance_type: str | None = a_fact("InstanceType of its reserved capacity, as in ml.p5.48xlarge")
    zone: ZoneName | None = a_fact("AvailabilityZone of its reserved capacity")
    total_instances: StrictInt | None = a_fact("TotalInstanceCount")
    available_instances: StrictInt | None = a_fact(
        "AvailableInstanceCount, plus the instances of the plan that the HyperPod cluster of this stack already uses"
    )
    targets: tuple[str, ...] | None = a_fact("TargetResources, as in hyperpod-cluster")
    start: Moment | None = a_fact("StartTime")
    end: Moment | None = a_fact("EndTime")


class Facts(Fact):
    """All known facts of the account."""

    contract: Literal[1] = PydanticField(default=1, description="Version of this file format.")
    observed: Moment | None = PydanticField(default=None, description="Time of the queries to AWS.")
    kept: dict[str, Moment | None] = facts_by(
        "Older facts that are kept because AWS did not answer the latest query: JSON pointer, as in "
        "/reservations/cr-0123456789abcdef0 -> the time of the older answer; null if a person wrote the fact."
    )
    account: AccountFacts | None = a_fact("Account and Region that were queried.")
    vpcs: dict[VpcId, VpcFacts] = facts_by("Existing VPCs, by id.")
    offerings: dict[str, tuple[ZoneName, ...]] = facts_by(
        "Instance type, as in p5.48xlarge -> the zones that offer it to this account."
    )
    quotas_used: dict[str, StrictInt] = facts_by(
        "Current usage of quotas in this Region, by code, without the usage of this stack (its nodes, "
        "and the reservations that it uses, in full). For NAT gateways: those of the fullest zone in "
        "which this stack creates one. For node groups: those of the same cluster."
    )
    kubernetes_versions: dict[str, KubernetesVersionFacts] = facts_by(
        "Kubernetes versions that EKS reports, as in 1.35."
    )
    image_parameters: dict[str, ImageId | None] = facts_by(
        "SSM parameters of AMIs, by path -> the AMI; null if the parameter does not exist."
    )
    permissions: dict[str, StrictBool | None] = facts_by(
        "Whether the identity may do the actions that a deployment needs, by action, as in "
        "ec2:RunInstances (`SimulatePrincipalPolicy`, which does not evaluate the policies of "
        "resources); null if a condition decides, or if AWS did not answer."
    )
    reservations: dict[ReservationId, ReservationFacts] = facts_by("By id.")
    subnets: dict[SubnetId, SubnetFacts] = facts_by("By id.")
    security_groups: dict[SecurityGroupId, SecurityGroupFacts] = facts_by("By id.")
    reservation_groups: dict[ResourceGroupArn, ReservationGroupFacts] = facts_by(
        "Resource groups of reservations, by ARN."
    )
    clusters: dict[str, ClusterFacts] = facts_by("EKS clusters that groups join, by name.")
    file_systems: dict[FileSystemId, FileSystemFacts] = facts_by("Existing Lustre file systems, by id.")
    quotas: dict[str, StrictInt] = facts_by(
        "Quotas of the account in this Region, by code: vCPUs, as in L-417A185B -> 384, or a number of resources."
    )
    hyperpod_quotas: dict[str, StrictInt] = facts_by(
        "SageMaker quotas of the account in this Region, by name: a number of instances, as in "
        "ml.p5.48xlarge for cluster usage -> 4."
    )
    hyperpod_quotas_used: dict[str, StrictInt] = facts_by(
        "Current usage of SageMaker quotas by other HyperPod clusters in this Region, by name: a number of "
        "instances, without those of this stack's cluster."
    )
    training_plans: dict[TrainingPlanArn, TrainingPlanFacts] = facts_by("By ARN.")
    buckets: dict[str, BucketFacts] = facts_by("Existing S3 buckets with lifecycle scripts or data, by name.")
    images: dict[ImageId, ImageFacts] = facts_by("Custom AMIs, by id.")
    key_pairs: dict[KeyPairName, KeyPairFacts] = facts_by("Existing EC2 key pairs, by name.")
    roles: dict[str, RoleFacts] = facts_by("Existing IAM roles and instance profiles, by ARN.")
    policies: dict[str, PolicyFacts] = facts_by("Managed policies of the account, also permissions boundaries, by ARN.")
    zones: dict[ZoneName, ZoneId] = facts_by("Zone name -> zone id in this account.")
    outputs: Cluster | None = a_fact(
        "For a stack with only add-ons (addons-of), if the stack file of its cluster is elsewhere: the output of "
        "`pulumi stack output --json --stack ORGANIZATION/PROJECT/STACK` for the stack of the cluster."
    )

    @property
    def zone_ids(self) -> dict[str, str]:
        """Zone name -> zone id in this account, from everything that AWS states with both."""
        both: list[ReservationFacts | SubnetFacts] = [*self.reservations.values(), *self.subnets.values()]
        return {each.zone: each.zone_id for each in both if each.zone and each.zone_id} | self.zones

    @property
    def account_id(self) -> str | None:
        """The account's id; None where it is not known."""
        return self.account.id if self.account else None


RESERVATION_OVER = frozenset(
    {
        *(ReservationState.EXPIRED, ReservationState.CANCELLED, ReservationState.FAILED),
        *(ReservationState.PAYMENT_FAILED, ReservationState.UNSUPPORTED),
    }
)
"""EC2 holds nothing any more, and bills nothing."""

PLAN_OVER = frozenset({TrainingPlanState.EXPIRED, TrainingPlanState.FAILED})
"""SageMaker holds nothing any more."""
