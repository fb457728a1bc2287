"""An account that a new stack is made for: what it holds, and the VPCs it has. Each test says what is another."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from typing import Any

from muster.hardware import hyperpod_quotas
from muster.versions import EKS_CALENDAR
from tests.account.aws import Answers, Refused
from tests.hardware_types import CLUSTER_TYPES

ACCOUNT = "210987654321"
REGION = "us-west-2"
ZONES = {"us-west-2a": "usw2-az2", "us-west-2b": "usw2-az1", "us-west-2c": "usw2-az3", "us-west-2d": "usw2-az4"}
ODCR = "cr-0a1b2c3d4e5f60718"
BLOCK = "cr-0b1b2c3d4e5f60718"
PLAN = f"arn:aws:sagemaker:{REGION}:{ACCOUNT}:training-plan/p5en-plan"
PRIVATE, PUBLIC, NEITHER = "private", "public", "neither"
"""Where a subnet's default route leads: to a NAT gateway, to an internet gateway, nowhere."""


def made_up(prefix: str, *names: object) -> str:
    """An id, the same for the same names."""
    return f"{prefix}-{sum(map(ord, '/'.join(map(str, names)))) * 2654435761 % 16**17:017x}"


def reservation(id: str = ODCR, **other: Any) -> dict[str, Any]:
    """A sound On-Demand Capacity Reservation, as EC2 tells of it."""
    zone = other.get("AvailabilityZone", "us-west-2a")
    return {
        "CapacityReservationId": id,
        "OwnerId": ACCOUNT,
        "AvailabilityZone": zone,
        "AvailabilityZoneId": ZONES.get(zone, "usw2-az2"),
        "InstanceType": "p5.48xlarge",
        "InstancePlatform": "Linux/UNIX",
        "Tenancy": "default",
        "TotalInstanceCount": 4,
        "AvailableInstanceCount": 4,
        "State": "active",
        "ReservationType": "default",
        "StartDate": "2026-11-01T00:00:00Z",
        **other,
    }


def block(id: str = BLOCK, **other: Any) -> dict[str, Any]:
    """A Capacity Block that has not begun."""
    dates = {"StartDate": "2026-12-01T11:30:00Z", "EndDate": "2026-12-15T11:30:00Z"}
    said = {"ReservationType": "capacity-block", "State": "scheduled", "AvailableInstanceCount": 0, **dates}
    return reservation(id, **(said | other))


WAITING_BLOCK = {
    "id": BLOCK,
    "zone": "us-west-2a",
    "count": 4,
    "starts": "2026-12-01",
    "ends": "2026-12-15",
    "active": False,
}
"""The same, as the file of a new stack has it."""


def plan(**other: Any) -> dict[str, Any]:
    """A training plan, as SageMaker tells of it."""
    zone = {"InstanceType": "ml.p5en.48xlarge", "AvailabilityZone": "us-west-2a", "TotalInstanceCount": 8}
    return {
        "TrainingPlanArn": PLAN,
        "TrainingPlanName": "p5en-plan",
        "Status": "Active",
        "TotalInstanceCount": 8,
        "AvailableInstanceCount": 8,
        "TargetResources": ["hyperpod-cluster"],
        "StartTime": 1764547200,
        "EndTime": 1801267200,
        "ReservedCapacitySummaries": [zone],
        **other,
    }


@dataclass
class Vpc:
    """A VPC: zone letter -> the kinds of its subnets there."""

    id: str
    cidr: str = "10.0.0.0/16"
    subnets: Mapping[str, Sequence[str]] = field(
        default_factory=lambda: {"a": (PRIVATE, PUBLIC), "b": (PRIVATE, PUBLIC)}
    )
    free: int = 4000
    dns: bool = True

    def subnet(self, letter: str, kind: str = PRIVATE) -> str:
        """A subnet's id."""
        return made_up("subnet", self.id, letter, kind)

    def described(self) -> list[dict[str, Any]]:
        """Its subnets, as EC2 tells of them."""
        return [
            {
                "SubnetId": self.subnet(letter, kind),
                "VpcId": self.id,
                "OwnerId": ACCOUNT,
                "State": "available",
                "AvailabilityZone": f"{REGION}{letter}",
                "AvailabilityZoneId": ZONES.get(f"{REGION}{letter}", f"usw2-az{letter}"),
                "AvailableIpAddressCount": self.free,
                "MapPublicIpOnLaunch": kind == PUBLIC,
                "CidrBlock": "10.0.0.0/20",
            }
            for letter, kinds in self.subnets.items()
            for kind in kinds
        ]

    def tables(self) -> list[dict[str, Any]]:
        """The main route table leads to an internet gateway, private subnets' own to NAT."""
        table = made_up("rtb", self.id)
        main = {"VpcId": self.id, "RouteTableId": table, "Associations": [{"Main": True}], "Routes": [_internet()]}
        return [main, *(self._own(kind) for kind in (PRIVATE, NEITHER))]

    def nat(self) -> dict[str, Any]:
        """The NAT gateway of the private subnets, which is where the main route table leads."""
        said = {"State": "available", "ConnectivityType": "public", "AvailabilityMode": "zonal"}
        return {
            "NatGatewayId": made_up("nat", self.id),
            "VpcId": self.id,
            "SubnetId": made_up("subnet", self.id),
            **said,
        }

    def _own(self, kind: str) -> dict[str, Any]:
        ids = [self.subnet(letter, each) for letter, kinds in self.subnets.items() for each in kinds if each == kind]
        nat = {"DestinationCidrBlock": "0.0.0.0/0", "NatGatewayId": made_up("nat", self.id), "State": "active"}
        return {
            "VpcId": self.id,
            "RouteTableId": made_up("rtb", self.id, kind),
            "Associations": [{"Main": False, "SubnetId": each} for each in ids],
            "Routes": [nat] if kind == PRIVATE else [],
        }


def _internet() -> dict[str, Any]:
    return {"DestinationCidrBlock": "0.0.0.0/0", "GatewayId": "igw-0123456789abcdef0", "State": "active"}


@dataclass
class Account:
    """What `muster init` finds."""

    reservations: Sequence[Mapping[str, Any]] = field(default_factory=lambda: [reservation()])
    plans: Sequence[Mapping[str, Any]] = ()
    vpcs: Sequence[Vpc] = field(default_factory=lambda: [Vpc("vpc-0000000000000aaaa")])
    lacking: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Type -> the letters of zones that do not offer it."""

    def answers(self) -> dict[str, Answers]:
        """What AWS says of it. What else is asked is denied."""
        return {
            "sts.GetCallerIdentity": {
                "Account": ACCOUNT,
                "Arn": f"arn:aws:sts::{ACCOUNT}:assumed-role/ml/someone",
                "UserId": "AROAEXAMPLE:someone",
            },
            "ec2.DescribeRegions": {"Regions": [{"RegionName": REGION}]},
            "ec2.DescribeCapacityReservations": self._reservations,
            "sagemaker.DescribeTrainingPlan": self._plan,
            "sagemaker.DescribeCluster": Refused("ResourceNotFound", "no such cluster"),
            "sagemaker.ListTrainingPlans": lambda _: {
                "TrainingPlanSummaries": [
                    {key: value for key, value in each.items() if key != "AvailableInstanceCount"}
                    for each in self.plans
                ]
            },
            "ec2.DescribeVpcs": lambda asked: {
                "Vpcs": [
                    {
                        "VpcId": each.id,
                        "OwnerId": ACCOUNT,
                        "CidrBlock": each.cidr,
                        "CidrBlockAssociationSet": [{"CidrBlock": each.cidr}],
                        "State": "available",
                    }
                    for each in self.vpcs
                    if each.id in _filtered(asked, "vpc-id", [vpc.id for vpc in self.vpcs])
                ]
            },
            "ec2.DescribeSubnets": lambda asked: {
                "Subnets": [
                    subnet
                    for each in self.vpcs
                    for subnet in each.described()
                    if subnet["SubnetId"] in _filtered(asked, "subnet-id", [subnet["SubnetId"]])
                ]
            },
            "ec2.DescribeRouteTables": lambda _: {
                "RouteTables": [table for each in self.vpcs for table in each.tables()]
            },
            "ec2.DescribeNatGateways": lambda _: {"NatGateways": [each.nat() for each in self.vpcs]},
            "ec2.DescribeVpcAttribute": self._attribute,
            "ec2.DescribeVpcEndpoints": {"VpcEndpoints": []},
            "ec2.DescribeInstances": {"Reservations": []},
            "ec2.DescribeNetworkInterfaces": {"NetworkInterfaces": []},
            "ec2.DescribeAvailabilityZones": {
                "AvailabilityZones": [
                    {"ZoneName": name, "ZoneId": id_, "ZoneType": "availability-zone", "State": "available"}
                    for name, id_ in ZONES.items()
                ]
            },
            "ec2.DescribeInstanceTypeOfferings": self._offerings,
            **_generous(),
        }

    def _reservations(self, asked: Mapping[str, Any]) -> Any:
        ids = asked.get("CapacityReservationIds")
        if not ids:
            return {"CapacityReservations": list(self.reservations)}
        found = [each for each in self.reservations if each["CapacityReservationId"] in ids]
        if len(found) < len(ids):
            return Refused("InvalidCapacityReservationId.NotFound", f"The reservation {ids[0]} does not exist")
        return {"CapacityReservations": found}

    def _plan(self, asked: Mapping[str, Any]) -> Any:
        found = [each for each in self.plans if each["TrainingPlanArn"] == asked["TrainingPlanName"]]
        return found[0] if found else Refused("ResourceNotFound", "no such plan")

    def _attribute(self, asked: Mapping[str, Any]) -> Any:
        vpc = next(each for each in self.vpcs if each.id == asked["VpcId"])
        name = asked["Attribute"]
        return {"VpcId": vpc.id, f"{name[0].upper()}{name[1:]}": {"Value": vpc.dns}}

    def _offerings(self, asked: Mapping[str, Any]) -> Any:
        types = _filtered(asked, "instance-type", [])
        return {
            "InstanceTypeOfferings": [
                {"InstanceType": type_, "LocationType": "availability-zone", "Location": zone}
                for type_ in types
                for zone in ZONES
                if zone[-1] not in self.lacking.get(type_, ())
            ]
        }


_QUOTAS = {code: name for name, code in hyperpod_quotas.CODES.items()}


def _generous() -> dict[str, Answers]:
    """What has nothing to do with what is chosen: quotas that nothing reaches, every right, every image."""
    return {
        "service-quotas.GetServiceQuota": lambda asked: {
            "Quota": {
                "QuotaCode": asked["QuotaCode"],
                "QuotaName": _QUOTAS.get(asked["QuotaCode"], "a quota"),
                "ServiceCode": asked["ServiceCode"],
                "Value": 10000.0,
                "UsageMetric": {"MetricNamespace": "AWS/Usage", "MetricName": "ResourceCount", "MetricDimensions": {}},
            }
        },
        "cloudwatch.GetMetricData": lambda asked: {
            "MetricDataResults": [
                {"Id": each["Id"], "StatusCode": "Complete", "Timestamps": [], "Values": []}
                for each in asked["MetricDataQueries"]
            ]
        },
        "service-quotas.ListServiceQuotas": lambda asked: {
            "Quotas": [
                {"QuotaName": f"ml.{type_} for cluster usage", "QuotaCode": f"L-{number:08}", "Value": 100.0}
                for number, type_ in enumerate(CLUSTER_TYPES)
            ]
        },
        "eks.ListClusters": {"clusters": []},
        "eks.ListNodegroups": Refused("ResourceNotFoundException", "No cluster found"),
        "sagemaker.ListClusters": {"ClusterSummaries": []},
        "eks.DescribeClusterVersions": {
            "clusterVersions": [
                {
                    "clusterVersion": version,
                    "endOfStandardSupportDate": datetime.combine(support.standard_ends, time(), UTC),
                    "endOfExtendedSupportDate": datetime.combine(support.extended_ends, time(), UTC),
                    "versionStatus": "STANDARD_SUPPORT",
                }
                for version, support in EKS_CALENDAR.items()
            ]
        },
        "ssm.GetParameter": lambda asked: {"Parameter": {"Name": asked["Name"], "Value": "ami-0123456789abcdef0"}},
        "ec2.GetEbsEncryptionByDefault": {"EbsEncryptionByDefault": False},
        "ec2.DescribeAddresses": {"Addresses": []},
        "ec2.DescribeInternetGateways": {"InternetGateways": []},
        "ec2.DescribeSecurityGroups": {"SecurityGroups": []},
        "iam.GetRole": {
            "Role": {
                "RoleName": "ml",
                "RoleId": "AROAEXAMPLEEXAMPLE",
                "Arn": f"arn:aws:iam::{ACCOUNT}:role/ml",
                "Path": "/",
                "CreateDate": datetime(2026, 1, 1, tzinfo=UTC),
            }
        },
        "iam.SimulatePrincipalPolicy": lambda asked: {
            "IsTruncated": False,
            "EvaluationResults": [
                {"EvalActionName": each, "EvalResourceName": "*", "EvalDecision": "allowed"}
                for each in asked["ActionNames"]
            ],
        },
    }


def _filtered(asked: Mapping[str, Any], name: str, otherwise: Sequence[str]) -> Sequence[str]:
    """The values of a filter."""
    return next((each["Values"] for each in asked.get("Filters") or () if each["Name"] == name), otherwise)
