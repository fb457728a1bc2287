"""Availability Zones: names and ids are different things.

``us-west-2a`` is a *name*: which building it means differs between accounts. ``usw2-az1`` is an *id*: the same
building for everyone. Subnets and reservations are written here by name, because one account describes itself;
what holds for a building (the zones without EKS control planes) is known by id.
"""

import re
from typing import Annotated

from pydantic import AfterValidator, Field

ZONE_NAME = re.compile(r"[a-z]{2}(-[a-z]+)+-\d(-[a-z]+-\d)?[a-z]")
ZONE_ID = re.compile(r"[a-z]{3,4}\d(-[a-z]+\d)?-az\d{1,2}")
OTHER_PARTITIONS = ("cn-north-1", "cn-northwest-1", "us-gov-east-1", "us-gov-west-1")
"""Regions of which no types are in the tables."""
REGION = re.compile(r"[a-z]{2}(-[a-z]+)+-\d")

CONTROL_PLANE_REFUSED = frozenset({"use1-az3", "usw1-az2", "cac1-az3"})
"""Zone ids where EKS takes no control-plane subnets (EKS user guide, "network requirements"; eksctl `pkg/az/az.go`).

Nodes may live there: p5.48xlarge is offered in use1-az3.
"""

REGIONS_WITH_REFUSED_ZONES = frozenset({"us-east-1", "us-west-1", "ca-central-1"})
"""The Regions of those three ids; elsewhere the question does not arise."""


def _zone_name(value: str) -> str:
    if ZONE_ID.fullmatch(value):
        raise ValueError(f"'{value}' is a zone id; write the zone's name, as in us-west-2a")
    if REGION.fullmatch(value):
        raise ValueError(f"'{value}' is a Region; write a zone in it, as in {value}a")
    if not ZONE_NAME.fullmatch(value):
        raise ValueError(f"'{value}' is not the name of a zone; write a name like us-west-2a")
    return value


def _zone_id(value: str) -> str:
    if not ZONE_ID.fullmatch(value):
        raise ValueError(f"'{value}' is not a zone id; write an id like usw2-az1")
    return value


ZoneName = Annotated[str, AfterValidator(_zone_name), Field(json_schema_extra={"pattern": f"^{ZONE_NAME.pattern}$"})]
ZoneId = Annotated[str, AfterValidator(_zone_id), Field(json_schema_extra={"pattern": f"^{ZONE_ID.pattern}$"})]


LOCAL_ZONE = re.compile(r"[a-z]{2}(-[a-z]+)+-\d-[a-z]+-\d[a-z]")
"""The name of a Local Zone: ``us-west-2-lax-1a``. `ZONE_NAME` takes no names of Wavelength Zones
(``us-west-2-wl1-las-wlz-1``)."""


def takes_control_plane(zone: str | None, zone_id: str | None) -> bool:
    """Whether EKS puts a control plane's interfaces into a zone, as far as its name and id are known."""
    return zone_id not in CONTROL_PLANE_REFUSED and not (zone and LOCAL_ZONE.fullmatch(zone))


def region_of(zone: str) -> str:
    """The Region in a zone's name: ``us-west-2`` for ``us-west-2a`` and for ``us-west-2-lax-1a``."""
    match = REGION.match(zone)
    if match is None:
        raise ValueError(f"'{zone}' is not the name of a zone")
    return match.group()


_PARTITIONS = {
    "cn": "aws-cn",
    "eusc": "aws-eusc",
    "us-gov": "aws-us-gov",
    "us-iso": "aws-iso",
    "us-isob": "aws-iso-b",
    "us-isof": "aws-iso-f",
    "eu-isoe": "aws-iso-e",
}
"""What Regions' names begin with, before their direction -> the partition (botocore, `data/partitions.json`)."""


def partition_of(region: str) -> str:
    """The ARN partition of a Region: ``aws``, ``aws-cn``, ``aws-us-gov``."""
    return next((name for start, name in _PARTITIONS.items() if region.startswith(f"{start}-")), "aws")


def domain_of(region: str) -> str:
    """What names of AWS's services end in, in a Region: ``amazonaws.com``, in China ``amazonaws.com.cn``."""
    return "amazonaws.com.cn" if region.startswith("cn-") else "amazonaws.com"
