"""The zones of the account, and which of them offer the stack's instance types."""

from collections.abc import Iterator, Mapping, Sequence

from muster.account.query import Inquiry, Query
from muster.account.topic import PreflightRequest, Topic, TopicLine, TopicResult, id_filter
from muster.account.topic import index_by_id as listed_of
from muster.fleet.facts import Facts
from muster.hardware.hyperpod_types import ML
from muster.hardware.zones import ZONE_NAME
from muster.message_text import list_names
from muster.unknown import UNKNOWN


def _inquire(wanted: PreflightRequest) -> Inquiry[TopicResult]:
    types = tuple(sorted(set(_types(wanted))))
    zoned = {"Filters": id_filter("zone-type", ("availability-zone",))}
    offered = {"LocationType": "availability-zone", "Filters": id_filter("instance-type", types)}
    zones, offerings = yield [
        Query("ec2", "DescribeAvailabilityZones", "zones", zoned),
        Query("ec2", "DescribeInstanceTypeOfferings", "offerings of instance types", offered),
    ]
    there = listed_of(zones, "AvailabilityZones", "ZoneName") or {}
    ids = {name: str(each["ZoneId"]) for name, each in there.items() if "ZoneId" in each}
    offered_ = (offerings.result or {}).get("InstanceTypeOfferings")
    # An entry without its type or its location may be any offering.
    whole = offered_ is not None and all("InstanceType" in each and "Location" in each for each in offered_)
    in_ = {each: _zones_of(each, offered_ or ()) for each in types} if whole else {}
    lines = (
        *((TopicLine("zones", ", ".join(f"{name} ({id_})" for name, id_ in sorted(ids.items()))),) if ids else ()),
        *(
            TopicLine(each, f"offered in {list_names(found)}" if found else "offered in no zone")
            for each, found in in_.items()
        ),
    )
    return TopicResult(Facts(zones=ids, offerings=in_), lines)


def _types(wanted: PreflightRequest) -> Iterator[str]:
    """The stack's instance types, by EC2's names for every backend, including those of the head node, of HyperPod's
    controller and of login nodes."""
    yield from (group.described.instance for group in wanted.blueprint.groups)
    for group in wanted.blueprint.hyperpod_groups:
        types = () if group.instance_types is UNKNOWN else group.instance_types
        yield from (each.removeprefix(ML) for each in types)
    yield from wanted.blueprint.other_instances


def _zones_of(type_: str, offerings: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """The zones of a type, without Wavelength Zones, which a stack cannot use."""
    found = (each["Location"] for each in offerings if each["InstanceType"] == type_)
    return tuple(sorted(each for each in found if ZONE_NAME.fullmatch(each)))


OFFERINGS = Topic(
    "offerings",
    "The zones of the account, and which of them offer the stack's instance types.",
    _inquire,
    frozenset({"offerings", "zones"}),
    rights={"ec2:DescribeAvailabilityZones": "*", "ec2:DescribeInstanceTypeOfferings": "*"},
)
