"""The account that validators query: simulated by moto, with content from the description and the facts; one for all
requests.

This module answers the queries that moto cannot (reservations, types of key pairs, images, file systems). Each answer
is validated against botocore's model. No connection is made, and no credentials are needed.
"""

import json
import os
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from ipaddress import ip_network
from typing import Any
from uuid import uuid4

import boto3
from botocore.client import BaseClient
from botocore.exceptions import ClientError
from botocore.validate import ParamValidator
from moto import mock_aws
from pcluster.aws.aws_api import AWSApi
from pcluster.aws.ec2 import Ec2Client
from pcluster.constants import (
    CAPACITY_RESERVATION_OS_MAP,
    OS_TO_IMAGE_NAME_PART_MAP,
    PCLUSTER_IMAGE_BUILD_STATUS_TAG,
    PCLUSTER_IMAGE_ID_TAG,
    PCLUSTER_IMAGE_OS_TAG,
    PCLUSTER_VERSION_TAG,
)
from pcluster.utils import get_installed_version

ACCOUNT = "123456789012"
"""The account number of moto."""

_ROOT_GIB = 40
"""The size of the root volume in ParallelCluster's images; the size in a custom image is not known offline."""

Answer = Callable[["MotoAccount", Mapping[str, Any]], dict[str, Any]]


class MotoAccount:
    """One stack's part of the account. Each of Muster's identifiers for a resource (its id, or its name if it has no id
    yet) gets an id in AWS's format; in messages, these are replaced by Muster's identifiers again."""

    current: "MotoAccount | None" = None

    def __init__(self, account: Mapping[str, Any]) -> None:
        """Creates all resources of the account, in its Region."""
        _start(account["region"])
        MotoAccount.current = self
        self.account = account
        self._ec2 = boto3.client("ec2", region_name=account["region"])
        self.ids: dict[str, str] = {}
        """Muster's identifier -> the id in AWS's format."""
        self._vpc()
        self._groups()
        for prefix, kind in (("cr", "reservations"), ("ami", "images"), ("fs", "file_systems")):
            self.ids |= {name: f"{prefix}-0{uuid4().hex[:16]}" for name in account[kind]}
        self.ids |= {name: self._group_arn(name) for name in account["reservation_groups"]}
        self.names = {made: name for name, made in self.ids.items()}

    def placed(self, value: Any) -> Any:
        """A configuration in which ids in AWS's format replace Muster's identifiers."""
        if isinstance(value, dict):
            return {key: self.placed(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self.placed(each) for each in value]
        return self.ids.get(value, value) if isinstance(value, str) else value

    def with_muster_names(self, text: str) -> str:
        """A message in which Muster's identifiers replace the ids."""
        for made, name in self.names.items():
            text = text.replace(made, name)
        return text

    def _vpc(self) -> None:
        made = self._ec2.create_vpc(CidrBlock=self.account["vpc"]["cidr"])["Vpc"]["VpcId"]
        self.ids[self.account["vpc"]["name"]] = self.vpc = made
        for name in ("EnableDnsSupport", "EnableDnsHostnames"):
            self._ec2.modify_vpc_attribute(VpcId=made, **{name: {"Value": self.account["vpc"]["dns"]}})
        known = [ip_network(each["cidr"]) for each in self.account["subnets"].values() if each["cidr"]]
        free = (
            each
            for each in ip_network(self.account["vpc"]["cidr"]).subnets(new_prefix=22)
            if not any(each.overlaps(other) for other in known)
        )
        for name, subnet in self.account["subnets"].items():
            block = subnet["cidr"] or str(next(free))
            self.ids[name] = self._ec2.create_subnet(VpcId=made, CidrBlock=block)["Subnet"]["SubnetId"]

    def _groups(self) -> None:
        for name in self.account["security_groups"]:
            made = self._ec2.create_security_group(GroupName=uuid4().hex, Description=name[:200], VpcId=self.vpc)
            self.ids[name] = made["GroupId"]
        for name, rules in self.account["security_groups"].items():
            self._ec2.revoke_security_group_egress(
                GroupId=self.ids[name], IpPermissions=[{"IpProtocol": "-1", "IpRanges": [{"CidrIp": "0.0.0.0/0"}]}]
            )
            for rule in rules["ingress"]:
                self._ec2.authorize_security_group_ingress(GroupId=self.ids[name], IpPermissions=[self._rule(rule)])
            for rule in rules["egress"]:
                self._ec2.authorize_security_group_egress(GroupId=self.ids[name], IpPermissions=[self._rule(rule)])

    def _rule(self, rule: Mapping[str, Any]) -> dict[str, Any]:
        ports = {} if rule["protocol"] == "-1" else {"FromPort": rule["from"], "ToPort": rule["to"]}
        return {
            "IpProtocol": rule["protocol"],
            **ports,
            "IpRanges": [{"CidrIp": each} for each in rule["cidrs"]],
            "UserIdGroupPairs": [{"GroupId": self.ids[each]} for each in rule["groups"]],
        }

    def _group_arn(self, name: str) -> str:
        return f"arn:aws:resource-groups:{self.account['region']}:{ACCOUNT}:group/{uuid4().hex}" if name else name

    @cached_property
    def interfaces(self) -> Mapping[str, str]:
        """File system -> its network interface, which has its security groups."""
        return {
            name: self._ec2.create_network_interface(
                SubnetId=self.ids[each["subnet"]], Groups=[self.ids[group] for group in each["security_groups"]]
            )["NetworkInterface"]["NetworkInterfaceId"]
            for name, each in self.account["file_systems"].items()
        }

    def named(self, made: str, kind: str) -> tuple[str, Mapping[str, Any]]:
        """Muster's identifier and the content of the resource with an id.

        Raises:
            ClientError: the resource is not in the account. The message is that of EC2.
        """
        name = self.names.get(made, made)
        if name not in self.account[kind]:
            raise ClientError({"Error": {"Code": "NotFound", "Message": f"{made} does not exist"}}, kind)
        return name, self.account[kind][name]


def _reservations(account: MotoAccount, parameters: Mapping[str, Any]) -> dict[str, Any]:
    found = [(id_, account.named(id_, "reservations")[1]) for id_ in parameters["CapacityReservationIds"]]
    return {"CapacityReservations": [_reservation(account, id_, dict(content)) for id_, content in found]}


def _reservation(account: MotoAccount, id_: str, entry: dict[str, Any]) -> dict[str, Any]:
    count = str(entry.get("TotalInstanceCount", 0))
    tags = [
        {"Key": f"aws:ec2capacityreservation:{key}", "Value": value}
        for key, value in (("incrementalRequestedQuantity", count), ("capacityReservationType", "capacity-block"))
        if entry.get("ReservationType") == "capacity-block"
    ]
    arn = f"arn:aws:ec2:{account.account['region']}:{ACCOUNT}"
    entry.setdefault("InstancePlatform", CAPACITY_RESERVATION_OS_MAP.get(account.account["os"], "Linux/UNIX"))
    if group := entry.pop("PlacementGroup", None):
        entry["PlacementGroupArn"] = f"{arn}:placement-group/{group}"
    own = {"CapacityReservationId": id_, "CapacityReservationArn": f"{arn}:capacity-reservation/{id_}", "Tags": tags}
    return {**own, **entry}


def _images(account: MotoAccount, parameters: Mapping[str, Any]) -> dict[str, Any]:
    if parameters.get("ImageIds"):
        return {"Images": [_image(account, id_) for id_ in parameters["ImageIds"]]}
    names = [each["Values"][0] for each in parameters["Filters"] if each["Name"] == "name"]
    return {"Images": [_official(names[0].rstrip("*"))]}


_OFFICIAL: dict[str, str] = {}
"""Id -> name, for ParallelCluster's images."""


def _official(name: str) -> dict[str, Any]:
    id_ = next((each for each, known in _OFFICIAL.items() if known == name), f"ami-0{uuid4().hex[:16]}")
    _OFFICIAL[id_] = name
    os_ = next(os_ for os_, part in OS_TO_IMAGE_NAME_PART_MAP.items() if f"-{part}-" in f"{name}-")
    return _image_data(id_, name, os_, name.rpartition("-")[2], f"AWS ParallelCluster AMI for {os_}")


def _image(account: MotoAccount, id_: str) -> dict[str, Any]:
    if id_ in _OFFICIAL:
        return _official(_OFFICIAL[id_])
    name, content = account.named(id_, "images")
    made = _image_data(id_, name, content["os"], content["architecture"], "a custom image")
    for tag in made["Tags"]:
        tag["Value"] = content["version"] if tag["Key"] == PCLUSTER_VERSION_TAG else tag["Value"]
    made["BlockDeviceMappings"][0]["Ebs"]["VolumeSize"] = content["root_gib"] or _ROOT_GIB
    return made


def _image_data(id_: str, name: str, os_: str, architecture: str, description: str) -> dict[str, Any]:
    device = "/dev/xvda" if os_.startswith("alinux") else "/dev/sda1"
    tags = {
        PCLUSTER_VERSION_TAG: get_installed_version(),
        PCLUSTER_IMAGE_OS_TAG: os_,
        PCLUSTER_IMAGE_ID_TAG: name,
        PCLUSTER_IMAGE_BUILD_STATUS_TAG: "available",
    }
    return {
        "ImageId": id_,
        "Name": name,
        "Description": description,
        "Architecture": architecture,
        "State": "available",
        "CreationDate": "2026-01-01T00:00:00.000Z",
        "RootDeviceName": device,
        "BlockDeviceMappings": [{"DeviceName": device, "Ebs": {"VolumeSize": _ROOT_GIB, "SnapshotId": "snap-0"}}],
        "Tags": [{"Key": key, "Value": value} for key, value in tags.items()],
    }


def _key_pairs(account: MotoAccount, parameters: Mapping[str, Any]) -> dict[str, Any]:
    named = [(name, account.named(name, "key_pairs")[1]) for name in parameters["KeyNames"]]
    return {"KeyPairs": [{"KeyName": name, "KeyType": content["type"]} for name, content in named]}


def _placement_groups(account: MotoAccount, parameters: Mapping[str, Any]) -> dict[str, Any]:
    named = [account.named(name, "placement_groups")[0] for name in parameters["GroupNames"]]
    return {"PlacementGroups": [{"GroupName": name, "State": "available", "Strategy": "cluster"} for name in named]}


def _file_systems(account: MotoAccount, parameters: Mapping[str, Any]) -> dict[str, Any]:
    found = [(id_, *account.named(id_, "file_systems")) for id_ in parameters["FileSystemIds"]]
    return {
        "FileSystems": [
            {
                "FileSystemId": id_,
                "FileSystemType": "LUSTRE",
                "VpcId": account.vpc if content["in_vpc"] else "vpc-of-another-cluster",
                "SubnetIds": [account.ids[content["subnet"]]],
                "NetworkInterfaceIds": [account.interfaces[name]],
                "DNSName": f"{id_}.fsx.amazonaws.com",
                "LustreConfiguration": {"MountName": "fsx"},
            }
            for id_, name, content in found
        ]
    }


def _policy(_: MotoAccount, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """A managed policy of AWS must be in moto's list; a policy of the account is assumed to exist."""
    arn = parameters["PolicyArn"]
    if arn.startswith("arn:aws:iam::aws:policy/") and arn not in _managed_policies():
        raise ClientError({"Error": {"Code": "NoSuchEntity", "Message": f"Policy {arn} not found"}}, "GetPolicy")
    return {"Policy": {"Arn": arn}}


@cache
def _managed_policies() -> frozenset[str]:
    from moto.iam.aws_managed_policies import aws_managed_policies_data  # noqa: PLC0415  (a large table)

    known = json.loads(aws_managed_policies_data)
    return frozenset(f"arn:aws:iam::aws:policy{each['Path']}{name}" for name, each in known.items())


def _group_configuration(account: MotoAccount, parameters: Mapping[str, Any]) -> dict[str, Any]:
    content = account.named(parameters["Group"], "reservation_groups")[1]
    return {"GroupConfiguration": {"Configuration": [{"Type": each} for each in content["configurations"]]}}


def _group_resources(account: MotoAccount, parameters: Mapping[str, Any]) -> dict[str, Any]:
    content = account.named(parameters["Group"], "reservation_groups")[1]
    arns = [
        f"arn:aws:ec2:{account.account['region']}:{ACCOUNT}:capacity-reservation/{account.ids[each]}"
        for each in content["reservations"]
    ]
    kind = "AWS::EC2::CapacityReservation"
    return {"Resources": [{"Identifier": {"ResourceArn": arn, "ResourceType": kind}} for arn in arns]}


ANSWERS: Mapping[tuple[str, str], Answer] = {
    ("ec2", "DescribeCapacityReservations"): _reservations,
    ("ec2", "DescribeImages"): _images,
    ("ec2", "DescribeKeyPairs"): _key_pairs,
    ("ec2", "DescribePlacementGroups"): _placement_groups,
    ("fsx", "DescribeFileSystems"): _file_systems,
    ("iam", "GetPolicy"): _policy,
    ("resource-groups", "GetGroupConfiguration"): _group_configuration,
    ("resource-groups", "ListGroupResources"): _group_resources,
}
"""What moto does not answer, or not from what is known here."""

_moto: Any = None
_real_call = BaseClient._make_api_call  # noqa: SLF001  (the one door that every call of boto3 goes through)
_real_offerings = Ec2Client.describe_instance_type_offerings
_real_types = Ec2Client.list_instance_types


def _call(client: Any, operation: str, parameters: dict[str, Any]) -> Any:
    answer = ANSWERS.get((client.meta.service_model.service_name, operation))
    assert MotoAccount.current is not None
    if answer is None:
        given = _real_call(client, operation, parameters)
        return _in_their_zones(MotoAccount.current, given) if operation == "DescribeSubnets" else given
    given = answer(MotoAccount.current, parameters)
    shape = client.meta.service_model.operation_model(operation).output_shape
    report = ParamValidator().validate(given, shape)
    if report.has_errors():
        raise TypeError(f"no answer of {operation}'s: {report.generate_report()}")
    return given


def _in_their_zones(account: MotoAccount, given: Any) -> Any:
    """Sets the zones of subnets as described: zone names differ between accounts, and moto has those of one account."""
    for each in given["Subnets"]:
        name = account.names.get(each["SubnetId"])
        if name in account.account["subnets"]:
            each["AvailabilityZone"] = account.account["subnets"][name]["zone"]
    return given


def _offerings(client: Any, *arguments: Any, **named: Any) -> list[dict[str, Any]]:
    """The offerings in moto's table, and the instance types of the description: the table lacks types that are sold as
    Capacity Blocks in a Region, so a missing type proves nothing. Muster's rule on offerings only warns, for the same
    reason."""
    assert MotoAccount.current is not None
    offered = _real_offerings(client, *arguments, **named)
    types = MotoAccount.current.account["instance_types"]
    zones = [each["zone"] for each in MotoAccount.current.account["subnets"].values()]
    places = zones if named.get("location_type") == "availability-zone" else [MotoAccount.current.account["region"]]
    return [*offered, *({"InstanceType": type_, "Location": place} for type_ in types for place in places)]


def _instance_types(client: Any) -> list[str]:
    """The instance types of moto and of the current description. The package caches the first list; the next stack has
    other types."""
    assert MotoAccount.current is not None
    return [*_real_types(client), *MotoAccount.current.account["instance_types"]]


def _start(region: str) -> None:
    """Starts moto, once in a process, and clears the package's cache if the Region changes: it has the Region's
    instance types."""
    global _moto  # noqa: PLW0603
    if _moto is None:
        _moto = mock_aws()
        _moto.start()
        BaseClient._make_api_call = _call  # noqa: SLF001
        Ec2Client.describe_instance_type_offerings = _offerings
        Ec2Client.list_instance_types = _instance_types
    if os.environ.get("AWS_DEFAULT_REGION") != region:
        os.environ["AWS_DEFAULT_REGION"] = region
        boto3.DEFAULT_SESSION = None
        AWSApi.reset()
