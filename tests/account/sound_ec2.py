"""A sound account's EC2, as a stack wants it: what it names is there, and fits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatch
from typing import Any

from muster.account.topic import PreflightRequest
from muster.blueprint.account_references import find_references
from muster.config.description.capacity import Reservation
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources.ec2 import GENERIC, POOL
from muster.versions import PARALLELCLUSTER
from tests.account.aws import Answers, Refused, Said
from tests.account.needs import id_for

ACCOUNT = "111122223333"
ZONE_IDS = {"us-west-2a": "usw2-az2", "us-west-2b": "usw2-az1", "us-west-2c": "usw2-az3", "us-west-2d": "usw2-az4"}
OTHER_ZONE_IDS = {
    "us-east-1": {"us-east-1a": "use1-az1", "us-east-1b": "use1-az2", "us-east-1-dfw-2a": "use1-dfw2-az1"},
    "us-east-2": {"us-east-2a": "use2-az1", "us-east-2b": "use2-az2"},
}
"""Those of other Regions than us-west-2."""
FREE = 4000
"""Addresses of each subnet."""
VPC = id_for("vpc-fill-me-in")
NAT, IGW = "nat-0123456789abcdef0", "igw-0123456789abcdef0"
PRIVATE, PUBLIC = "rtb-0aaaaaaaaaaaaaaaa", "rtb-0cccccccccccccccc"
"""The route tables of the private subnets and of the public ones."""

Json = dict[str, Any]
Asked = Mapping[str, Any]


@dataclass
class Ec2:
    """What an account has in one Region. A test takes away or changes what it is about."""

    zones: dict[str, str] = field(default_factory=lambda: dict(ZONE_IDS))
    offerings: dict[str, list[str]] = field(default_factory=dict)
    """Instance type -> zones."""
    vpcs: list[Json] = field(default_factory=list)
    attributes: dict[str, bool] = field(default_factory=lambda: {"enableDnsSupport": True, "enableDnsHostnames": True})
    endpoints: list[Json] = field(default_factory=list)
    subnets: list[Json] = field(default_factory=list)
    tables: list[Json] = field(default_factory=list)
    nats: list[Json] = field(default_factory=list)
    groups: list[Json] = field(default_factory=list)
    rules: list[Json] = field(default_factory=list)
    interfaces: list[Json] = field(default_factory=list)
    instances: list[Json] = field(default_factory=list)
    reservations: dict[str, Json] = field(default_factory=dict)
    resource_groups: dict[str, list[str]] = field(default_factory=dict)
    """ARN -> the reservations in it."""
    shared: dict[str, list[str]] = field(default_factory=dict)
    """Invitation that waits -> the reservations that it shares."""
    images: list[Json] = field(default_factory=list)
    key_pairs: list[Json] = field(default_factory=list)

    def answers(self) -> dict[str, Answers]:
        """What EC2, Resource Groups and RAM say, and STS of who asks."""
        listed = {
            "DescribeVpcs": ("Vpcs", self.vpcs),
            "DescribeVpcEndpoints": ("VpcEndpoints", self.endpoints),
            "DescribeSubnets": ("Subnets", self.subnets),
            "DescribeRouteTables": ("RouteTables", self.tables),
            "DescribeNatGateways": ("NatGateways", self.nats),
            "DescribeSecurityGroups": ("SecurityGroups", self.groups),
            "DescribeSecurityGroupRules": ("SecurityGroupRules", self.rules),
            "DescribeNetworkInterfaces": ("NetworkInterfaces", self.interfaces),
            "DescribeImages": ("Images", self.images),
            "DescribeKeyPairs": ("KeyPairs", self.key_pairs),
        }
        return {
            "sts.GetCallerIdentity": {"Account": ACCOUNT},
            **{f"ec2.{operation}": _listing(key, every) for operation, (key, every) in listed.items()},
            "ec2.DescribeAvailabilityZones": {
                "AvailabilityZones": [{"ZoneName": name, "ZoneId": id_} for name, id_ in self.zones.items()]
            },
            "ec2.DescribeInstanceTypeOfferings": self._offered,
            "ec2.DescribeVpcAttribute": self._attribute,
            "ec2.DescribeInstances": lambda asked: {
                "Reservations": [{"Instances": [each for each in self.instances if _fits(each, asked)]}]
            },
            "ec2.DescribeCapacityReservations": self._reserved,
            "resource-groups.GetGroupConfiguration": lambda asked: self._group(
                asked, {"GroupConfiguration": {"Configuration": [{"Type": POOL}, {"Type": GENERIC}]}}
            ),
            "resource-groups.ListGroupResources": lambda asked: self._group(asked, {"Resources": self._members(asked)}),
            "ram.GetResourceShareInvitations": {
                "resourceShareInvitations": [
                    {"resourceShareInvitationArn": each, "status": "PENDING"} for each in self.shared
                ]
            },
            "ram.ListPendingInvitationResources": lambda asked: {
                "resources": [
                    {"arn": arn_of(each), "type": "ec2:CapacityReservation"}
                    for each in self.shared[asked["resourceShareInvitationArn"]]
                ]
            },
        }

    def _offered(self, asked: Asked) -> Said:
        (types,) = (each["Values"] for each in asked["Filters"] if each["Name"] == "instance-type")
        found = ((type_, zone) for type_ in types for zone in self.offerings.get(type_, ()))
        return {
            "InstanceTypeOfferings": [
                {"InstanceType": type_, "LocationType": "availability-zone", "Location": zone} for type_, zone in found
            ]
        }

    def _attribute(self, asked: Asked) -> Said:
        if asked["VpcId"] not in {each["VpcId"] for each in self.vpcs}:
            return Refused("InvalidVpcID.NotFound", f"The vpc ID '{asked['VpcId']}' does not exist")
        key = asked["Attribute"]
        return {"VpcId": asked["VpcId"], f"{key[0].upper()}{key[1:]}": {"Value": self.attributes[key]}}

    def _reserved(self, asked: Asked) -> Said:
        unknown = [each for each in asked["CapacityReservationIds"] if each not in self.reservations]
        if unknown:
            words = f"The Capacity Reservation ID '{unknown[0]}' does not exist."
            return Refused("InvalidCapacityReservationId.NotFound", words)
        return {"CapacityReservations": [self.reservations[each] for each in asked["CapacityReservationIds"]]}

    def _group(self, asked: Asked, said: Said) -> Said:
        known = asked["Group"] in self.resource_groups
        return said if known else Refused("NotFoundException", "Cannot find group.")

    def _members(self, asked: Asked) -> list[Json]:
        inside = self.resource_groups.get(asked["Group"], [])
        kind = "AWS::EC2::CapacityReservation"
        return [{"Identifier": {"ResourceArn": arn_of(each), "ResourceType": kind}} for each in inside]


def arn_of(reservation: str, region: str = "us-west-2") -> str:
    """Of a reservation of this account."""
    return f"arn:aws:ec2:{region}:{ACCOUNT}:capacity-reservation/{reservation}"


def _listing(key: str, every: list[Json]) -> Callable[[Asked], Said]:
    return lambda asked: {key: [each for each in every if _fits(each, asked)]}


_OF_FILTER = {
    "vpc-id": "VpcId",
    "subnet-id": "SubnetId",
    "group-id": "GroupId",
    "network-interface-id": "NetworkInterfaceId",
    "image-id": "ImageId",
    "key-name": "KeyName",
    "vpc-endpoint-state": "State",
    "state": "State",
}


def _fits(each: Json, asked: Asked) -> bool:
    """Whether a thing is among what is asked for. A filter that is not known here fails the test."""
    filters = asked.get("Filters", asked.get("Filter", ()))
    return all(
        any(fnmatch(value, wanted) for value in _values(each, one["Name"]) for wanted in one["Values"])
        for one in filters
    )


def _values(each: Json, name: str) -> set[str]:
    if name.startswith("tag:"):
        return {tag["Value"] for tag in each.get("Tags", ()) if tag["Key"] == name[4:]}
    if name == "instance-state-name":
        return {each["State"]["Name"]}
    if name == "group-id" and "Groups" in each:
        return {group["GroupId"] for group in each["Groups"]}
    if name == "group-name":
        return {group.get("GroupName", "") for group in each["Groups"]}
    value = each.get(_OF_FILTER[name], "")
    # EC2's model has `Available`; its filter, and its answers, `available`.
    return {value.lower() if name == "vpc-endpoint-state" else value}


def ec2(wanted: PreflightRequest) -> Ec2:
    """What the stack names, as it is described."""
    zones = dict(OTHER_ZONE_IDS.get(wanted.region, ZONE_IDS))
    made = Ec2(zones=zones, offerings={each: [*zones] for each in _types(wanted)})
    network = wanted.blueprint.described.network.existing
    if network:
        made.vpcs.append({"VpcId": network.vpc, "OwnerId": ACCOUNT})
        _subnets(made, network.vpc, network.private, NAT)
        _subnets(made, network.vpc, network.public, IGW)
        _nat(made, network.vpc)
    for each in find_references(wanted.blueprint.described):
        if each.kind is ResourceKind.SECURITY_GROUP:
            made.groups.append({"GroupId": each.id, "VpcId": network.vpc if network else "vpc-0123456789abcdef0"})
            made.rules += [itself(each.id, egress=egress) for egress in (False, True)]
        elif each.kind is ResourceKind.IMAGE:
            made.images.append(_image(each.id, wanted))
        elif each.kind is ResourceKind.KEY_PAIR:
            made.key_pairs.append({"KeyName": each.id, "KeyType": "ed25519"})
    for group in wanted.blueprint.groups:
        _held(made, group.described, wanted)
    return made


def _types(wanted: PreflightRequest) -> set[str]:
    described = wanted.blueprint.described
    beside = {described.head.instance} if described.backend == "parallelcluster" else set[str]()
    if described.backend == "hyperpod-slurm":
        beside = {each.instance for each in (described.controller, described.login) if each}
    if described.backend == "pcs":
        beside = {each.instance for each in described.login_nodes.values()}
    return {group.instance for group in described.groups.values()} | beside


def _subnets(made: Ec2, vpc: str, tier: Mapping[str, tuple[str, ...]], gateway: str) -> None:
    """The private ones with NAT, the public ones at the internet gateway: a table for both of a tier."""
    if not tier:
        return
    public = gateway == IGW
    listed = [(zone, id_) for zone, ids in tier.items() for id_ in ids]
    for number, (zone, id_) in enumerate(listed):
        where = {"AvailabilityZone": zone, "AvailabilityZoneId": made.zones[zone]}
        where["CidrBlock"] = f"10.0.{number * 16 + public * 128}.0/20"
        has = {"MapPublicIpOnLaunch": public, "AvailableIpAddressCount": FREE}
        made.subnets.append({"SubnetId": id_, "VpcId": vpc, "OwnerId": ACCOUNT, **where, **has})
    to = {"GatewayId" if public else "NatGatewayId": gateway}
    routes = [{"DestinationCidrBlock": "10.0.0.0/16", "GatewayId": "local", "State": "active"}]
    routes.append({"DestinationCidrBlock": "0.0.0.0/0", "State": "active", **to})
    beside = [{"SubnetId": id_, "Main": False} for _, id_ in listed]
    made.tables.append({"RouteTableId": PUBLIC if public else PRIVATE, "VpcId": vpc, "Routes": routes})
    made.tables[-1]["Associations"] = beside


def _nat(made: Ec2, vpc: str) -> None:
    """The NAT gateway that the private ones lead to, in a subnet of its own with a route to the internet gateway."""
    subnet = "subnet-0eeeeeeeeeeeeeeee"
    routes = [{"DestinationCidrBlock": "0.0.0.0/0", "State": "active", "GatewayId": IGW}]
    beside = [{"SubnetId": subnet, "Main": False}]
    made.tables.append(
        {"RouteTableId": "rtb-0eeeeeeeeeeeeeeee", "VpcId": vpc, "Routes": routes, "Associations": beside}
    )
    said = {"State": "available", "ConnectivityType": "public", "AvailabilityMode": "zonal"}
    made.nats.append({"NatGatewayId": NAT, "VpcId": vpc, "SubnetId": subnet, **said})


def gateway(service: str, table: str) -> Json:
    """A gateway endpoint in a route table of the VPC."""
    return {**_endpoint(service), "VpcEndpointType": "Gateway", "RouteTableIds": [table]}


def interface(made: Ec2, service: str, **lets: Any) -> Json:
    """An interface endpoint with private DNS, whose security group lets the VPC in, or whom is said."""
    group = f"sg-{service.replace('.', ''):0>17}"
    in_ = {"IsEgress": False, "IpProtocol": "tcp", "FromPort": 443, "ToPort": 443, "CidrIpv4": "10.0.0.0/16"}
    made.rules.append({"SecurityGroupRuleId": f"sgr-{group[3:]}", "GroupId": group, **(lets or in_)})
    said = {"VpcEndpointType": "Interface", "PrivateDnsEnabled": True, "Groups": [{"GroupId": group}]}
    return {**_endpoint(service), **said}


def _endpoint(service: str) -> Json:
    return {"VpcId": VPC, "ServiceName": f"com.amazonaws.us-west-2.{service}", "State": "Available"}


def itself(group: str, *, egress: bool) -> Json:
    """A rule that lets a group's members pass everything among themselves."""
    return {
        "SecurityGroupRuleId": f"sgr-{group[3:]}{int(egress)}",
        "GroupId": group,
        "IsEgress": egress,
        **EVERYTHING,
        "ReferencedGroupInfo": {"GroupId": group},
    }


EVERYTHING = {"IpProtocol": "-1", "FromPort": -1, "ToPort": -1}
"""What a rule for all protocols has."""


def _image(id_: str, wanted: PreflightRequest) -> Json:
    described = wanted.blueprint.described
    os = described.os.value if described.backend == "parallelcluster" else "none"
    tags = {"parallelcluster:version": PARALLELCLUSTER, "parallelcluster:os": os}
    return {
        "ImageId": id_,
        "Tags": [{"Key": key, "Value": value} for key, value in tags.items()],
    }


def _held(made: Ec2, group: Any, wanted: PreflightRequest) -> None:
    """The reservation, the block, or the group of them that a group is on."""
    held = group.capacity.held
    if held is None or not hasattr(held, "zone") or wanted.blueprint.described.backend.startswith("hyperpod"):
        return
    block = group.capacity.capacity_block
    ids = _ids(held)
    if getattr(held, "arn", None):
        ids = ["cr-0aaaaaaaaaaaaaaaa"]
        made.resource_groups[held.arn] = ids
    for id_ in ids:
        made.reservations[id_] = {
            "CapacityReservationId": id_,
            "OwnerId": ACCOUNT,
            "CapacityReservationArn": arn_of(id_, wanted.region),
            "InstanceType": group.instance,
            "InstancePlatform": "Linux/UNIX",
            "AvailabilityZone": held.zone,
            "AvailabilityZoneId": made.zones[held.zone],
            "Tenancy": "default",
            "TotalInstanceCount": held.count,
            "AvailableInstanceCount": held.count,
            "State": "active",
            "ReservationType": "capacity-block" if block else "default",
            "EndDateType": "limited" if block else "unlimited",
        }
        if getattr(held, "placement_group", None) not in (None, "none"):
            group_arn = f"arn:aws:ec2:{wanted.region}:{ACCOUNT}:placement-group/{held.placement_group}"
            made.reservations[id_]["PlacementGroupArn"] = group_arn
        if block:
            starts = datetime.combine(block.starts, datetime.min.time(), UTC) + timedelta(hours=11, minutes=30)
            ends = datetime.combine(block.ends, datetime.min.time(), UTC) + timedelta(hours=11, minutes=30)
            waits = wanted.observed.date() < block.starts
            made.reservations[id_] |= {"StartDate": starts, "EndDate": ends}
            made.reservations[id_] |= {"State": "scheduled", "AvailableInstanceCount": 0} if waits else {}


def _ids(held: Any) -> list[str]:
    if isinstance(held, Reservation):
        return [held.id]
    if getattr(held, "create", None):
        return [arn.rpartition("/")[2] for arn in held.create]
    return [held.id] if getattr(held, "id", None) else []
