"""Facts about things outside the stack: what AWS says of reservations, subnets, security groups.

`stacks/facts/<stack>.json`. A preflight writes it; a person can. A fact that a rule needs and nobody gave is "not
evaluated", never a pass.
"""

from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, StrictBool, StrictInt
from pydantic import Field as PydanticField
from pydantic.alias_generators import to_camel

from muster.contract import Cluster
from muster.fleet.description.identifiers import (
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
from muster.fleet.zones import ZoneId, ZoneName

NULLS_ALLOWED: dict[str, Any] = {"x-null": "a fact nobody gave"}
"""What a model says of itself that takes null for "not known"."""


class Fact(BaseModel):
    """The base of facts: camelCase keys, as AWS's own answers have them; nothing unknown."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_alias=True,
        validate_by_name=False,
        json_schema_extra=NULLS_ALLOWED,
    )


def _fact(doc: str) -> Any:
    return PydanticField(default=None, description=doc)


_EXISTS = "Whether AWS knows it: false where it says that there is none, for this account in this Region."


class AccountFacts(Fact):
    """Who was asked, and where: facts of one account say nothing of another."""

    id: AccountId | None = _fact("Account, of `GetCallerIdentity`")
    partition: str | None = _fact("The partition in its ARN, as in aws, aws-cn, aws-us-gov")
    region: str | None = _fact("The Region that was asked")


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

    exists: StrictBool | None = _fact(_EXISTS)
    instance_type: str | None = _fact("InstanceType")
    zone: ZoneName | None = _fact("AvailabilityZone")
    zone_id: ZoneId | None = _fact("AvailabilityZoneId")
    total_instances: StrictInt | None = _fact("TotalInstanceCount")
    available_instances: StrictInt | None = _fact(
        "AvailableInstanceCount, and what this stack's own instances hold of it already (by the tag muster:stack)"
    )
    state: ReservationState | None = _fact("State")
    reservation_type: Literal["default", "capacity-block"] | None = _fact("ReservationType")
    platform: str | None = _fact("InstancePlatform")
    tenancy: Literal["default", "dedicated"] | None = _fact("Tenancy")
    start: datetime | None = _fact("StartDate")
    end: datetime | None = _fact("EndDate")
    placement_group: str | None = _fact("The name in PlacementGroupArn; none where it was made outside any")
    owner: AccountId | None = _fact("OwnerId: another account's is shared with this one")
    unused_billed_to: AccountId | None = _fact(
        "UnusedReservationBillingOwnerId: the account that pays for what is unused; the owner without"
    )
    invitation: str | None = _fact(
        "The ARN of the RAM invitation that shares it and waits to be accepted (`ListPendingInvitationResources`)"
    )


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

    exists: StrictBool | None = _fact(_EXISTS)
    zone: ZoneName | None = _fact("AvailabilityZone")
    zone_id: ZoneId | None = _fact("AvailabilityZoneId")
    vpc: VpcId | None = _fact("VpcId")
    way_out: WayOut | None = _fact("Where 0.0.0.0/0 of its route table leads, the VPC's main one without its own")
    gateway: str | None = _fact("What 0.0.0.0/0 leads to, by id, as in nat-0123456789abcdef0, tgw-0123456789abcdef0")
    gateway_fault: GatewayFault | None = _fact("Why that is no way out")
    endpoints: tuple[str, ...] | None = _fact(
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
    map_public_ip_on_launch: StrictBool | None = _fact("MapPublicIpOnLaunch")
    free_addresses: StrictInt | None = _fact(
        "AvailableIpAddressCount, and what this stack's own nodes hold there already (by the tag muster:stack; of "
        "HyperPod's what carries the stack's security group). What its control plane, file systems, endpoints and NAT "
        "gateways hold is not added"
    )


class VpcFacts(Fact):
    """What EC2 says of a VPC that exists."""

    exists: StrictBool | None = _fact(_EXISTS)
    dns_support: StrictBool | None = _fact("enableDnsSupport, of `DescribeVpcAttribute`")
    dns_hostnames: StrictBool | None = _fact("enableDnsHostnames, of `DescribeVpcAttribute`")
    endpoints: tuple[str, ...] | None = _fact(
        "The services of its endpoints that are available, as in ecr.api, s3 (`DescribeVpcEndpoints`); which of its "
        "subnets they serve, those say"
    )


class SecurityGroupFacts(Fact):
    """What `DescribeSecurityGroupRules` says of one group, as far as EFA cares."""

    exists: StrictBool | None = _fact(_EXISTS)
    vpc: VpcId | None = _fact("VpcId")
    self_ingress: StrictBool | None = _fact("All protocols allowed in from the group itself")
    self_egress: StrictBool | None = _fact("All protocols allowed out to the group itself")


class ReservationGroupFacts(Fact):
    """What Resource Groups says of one group: `GetGroupConfiguration` and `ListGroupResources`."""

    exists: StrictBool | None = _fact(_EXISTS)
    configurations: tuple[str, ...] | None = _fact("The types of its configuration entries")
    reservations: tuple[ReservationId, ...] | None = _fact("The reservations in it")


class ClusterFacts(Fact):
    """What EKS says of a cluster that groups join, and SageMaker of the HyperPod clusters on it."""

    exists: StrictBool | None = _fact(_EXISTS)
    version: str | None = _fact("Its Kubernetes version, as in 1.35")
    vpc: VpcId | None = _fact("The VPC that it is in")
    security_group: SecurityGroupId | None = _fact("The group that EKS made for it: vpcConfig.clusterSecurityGroupId")
    authentication: str | None = _fact("accessConfig.authenticationMode, as in API_AND_CONFIG_MAP")
    state: str | None = _fact("status, as in ACTIVE")
    eks_addons: dict[str, str] | None = _fact("EKS add-on -> version, as in vpc-cni -> v1.23.1-eksbuild.1")
    hyperpod_clusters: tuple[str, ...] | None = _fact(
        "The HyperPod clusters on it, by name (`aws sagemaker describe-cluster`: Orchestrator.Eks.ClusterArn); one of "
        "this stack's name is its own"
    )
    hyperpod_chart: StrictBool | None = _fact("HyperPod's chart is installed on it (`helm list -A`)")


class TrainingPlanState(StrEnum):
    """SageMaker's `TrainingPlanStatus`."""

    PENDING = "Pending"
    ACTIVE = "Active"
    SCHEDULED = "Scheduled"
    EXPIRED = "Expired"
    FAILED = "Failed"


class TrainingPlanFacts(Fact):
    """What `DescribeTrainingPlan` says of one plan. A key left out is a fact nobody gave."""

    exists: StrictBool | None = _fact(_EXISTS)
    state: TrainingPlanState | None = _fact("Status")
    instance_type: str | None = _fact("InstanceType of its reserved capacity, as in ml.p5.48xlarge")
    zone: ZoneName | None = _fact("AvailabilityZone of its reserved capacity")
    total_instances: StrictInt | None = _fact("TotalInstanceCount")
    available_instances: StrictInt | None = _fact(
        "AvailableInstanceCount, and what this stack's own HyperPod cluster has of the plan already"
    )
    targets: tuple[str, ...] | None = _fact("TargetResources, as in hyperpod-cluster")
    start: datetime | None = _fact("StartTime")
    end: datetime | None = _fact("EndTime")


class BucketFacts(Fact):
    """What S3 says of a bucket, and of one with lifecycle scripts beside whether there is one (`ListObjectsV2`,
    `GetPublicAccessBlock` of it and of its account, `GetBucketVersioning`)."""

    exists: StrictBool | None = _fact(_EXISTS)
    files: tuple[str, ...] | None = _fact("The keys of its objects, as far as scripts need them")
    private: StrictBool | None = _fact(
        "All four settings of public access blocks are on, in its own or in its account's"
    )
    versioned: StrictBool | None = _fact("Its versioning is Enabled")


class ImageFacts(Fact):
    """What `DescribeImages` says of an image; its tags where `pcluster build-image` made it in this account."""

    exists: StrictBool | None = _fact(_EXISTS)
    parallelcluster_version: str | None = _fact("Its tag parallelcluster:version, as in 3.16.1")
    os: str | None = _fact("Its tag parallelcluster:os, as in alinux2023")
    root_gib: StrictInt | None = _fact("The size of its root device's snapshot, in GiB")


class KeyPairFacts(Fact):
    """What `DescribeKeyPairs` says of one key pair."""

    exists: StrictBool | None = _fact(_EXISTS)
    type: Literal["rsa", "ed25519"] | None = _fact("KeyType")


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

    exists: StrictBool | None = _fact(_EXISTS)
    type: Literal["LUSTRE", "WINDOWS", "ONTAP", "OPENZFS"] | None = _fact("FileSystemType")
    state: FileSystemState | None = _fact("Lifecycle")
    vpc: VpcId | None = _fact("VpcId")
    zone: ZoneName | None = _fact("The zone of its subnet")
    dns_name: str | None = _fact("DNSName")
    mount_name: str | None = _fact("LustreConfiguration.MountName")
    version: str | None = _fact("FileSystemTypeVersion, as in 2.15")
    ports_open_to_vpc: StrictBool | None = _fact("Its groups let the whole VPC in on TCP 988 and 1018 to 1023")
    ports_open_to: tuple[SecurityGroupId, ...] | None = _fact("The groups let in on TCP 988 and 1018 to 1023")


class KubernetesVersionFacts(Fact):
    """What EKS says of one Kubernetes version (`DescribeClusterVersions`)."""

    offered: StrictBool | None = _fact("Whether new clusters may have it")
    end_of_standard: datetime | None = _fact("endOfStandardSupportDate")
    end_of_extended: datetime | None = _fact("endOfExtendedSupportDate")


class Facts(Fact):
    """Everything known of the account."""

    contract: Literal[1] = PydanticField(default=1, description="The version of this form.")
    observed: datetime | None = PydanticField(default=None, description="When AWS said so.")
    kept: dict[str, datetime | None] = PydanticField(
        default={},
        description="What AWS was asked and did not answer by then, kept from before: JSON pointer, as in "
        "/reservations/cr-0123456789abcdef0 -> when AWS said so; null where a person wrote it.",
    )
    account: AccountFacts | None = _fact("Who was asked, and where.")
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
    ebs_encryption_by_default: StrictBool | None = _fact(
        "Whether the account encrypts every new EBS volume of this Region, whoever makes it and whatever it says."
    )
    zones: dict[ZoneName, ZoneId] = PydanticField(default={}, description="Zone name -> zone id in this account.")
    outputs: Cluster | None = _fact(
        "Of a stack with add-ons only (addons-of), whose cluster's stack file is elsewhere: what `pulumi stack output "
        "--json --stack ORGANIZATION/PROJECT/STACK` prints of that stack."
    )
