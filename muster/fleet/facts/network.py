"""Facts of VPCs, subnets, their ways out, and security groups."""

from enum import StrEnum

from pydantic import Field as PydanticField
from pydantic import StrictBool, StrictInt

from muster.fleet.description.identifiers import SecurityGroupId, VpcId
from muster.fleet.facts.fact import EXISTS, Fact, a_fact
from muster.fleet.zones import ZoneId, ZoneName


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
