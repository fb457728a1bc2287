"""The zones of the account, and which of them offer the stack's instance types."""

from collections.abc import Iterator

from muster.account.query import Inquiry, Query
from muster.account.topic import PreflightRequest, Topic, id_filter
from muster.fleet.facts import Facts
from muster.hardware.hyperpod_types import ML
from muster.hardware.zones import ZONE_NAME


def _inquire(wanted: PreflightRequest) -> Inquiry[Facts]:
    types = tuple(sorted(set(_types(wanted))))
    zones, offerings = yield [
        Query(
            "ec2",
            "DescribeAvailabilityZones",
            "zones",
            {"Filters": id_filter("zone-type", ("availability-zone",))},
            needs=("AvailabilityZones[].ZoneName", "AvailabilityZones[].ZoneId"),
        ),
        Query(
            "ec2",
            "DescribeInstanceTypeOfferings",
            "offerings of instance types",
            {"LocationType": "availability-zone", "Filters": id_filter("instance-type", types)},
            needs=("InstanceTypeOfferings[].InstanceType", "InstanceTypeOfferings[].Location"),
        ),
    ]
    ids = {each["ZoneName"]: each["ZoneId"] for each in (zones.result or {}).get("AvailabilityZones", ())}
    if offerings.result is None:
        return Facts(zones=ids)
    offered = [(each["InstanceType"], each["Location"]) for each in offerings.result["InstanceTypeOfferings"]]
    # Without Wavelength Zones, which a stack cannot use.
    of_zones = sorted((type_, zone) for type_, zone in offered if ZONE_NAME.fullmatch(zone))
    in_ = {each: tuple(zone for type_, zone in of_zones if type_ == each) for each in types}
    return Facts(zones=ids, offerings=in_)


def _types(wanted: PreflightRequest) -> Iterator[str]:
    """The stack's instance types, by EC2's names for every backend, including those of the head node, of HyperPod's
    controller and of login nodes."""
    yield from (group.described.instance for group in wanted.blueprint.groups)
    for group in wanted.blueprint.hyperpod_groups:
        yield from (each.removeprefix(ML) for each in group.instance_types)
    yield from wanted.blueprint.other_instances


OFFERINGS = Topic(
    "offerings",
    "The zones of the account, and which of them offer the stack's instance types.",
    _inquire,
    frozenset({"offerings", "zones"}),
)
