"""The zones of the account, and which of them offer the stack's instance types."""

from collections.abc import Iterator, Mapping, Sequence

from muster.account.ask import Inquiry
from muster.account.named import by_id
from muster.account.named import listed as listed_of
from muster.account.question import Question
from muster.account.topic import Learned, Said, Topic, Wanted
from muster.fleet.facts import Facts
from muster.fleet.zones import ZONE_NAME
from muster.words import listed


def _inquire(wanted: Wanted) -> Inquiry[Learned]:
    types = tuple(sorted(set(_types(wanted))))
    zoned = {"Filters": by_id("zone-type", ("availability-zone",))}
    offered = {"LocationType": "availability-zone", "Filters": by_id("instance-type", types)}
    zones, offerings = yield [
        Question("ec2", "DescribeAvailabilityZones", "zones", zoned),
        Question("ec2", "DescribeInstanceTypeOfferings", "offerings of instance types", offered),
    ]
    there = listed_of(zones, "AvailabilityZones", "ZoneName") or {}
    ids = {name: str(each["ZoneId"]) for name, each in there.items() if "ZoneId" in each}
    offered_ = (offerings.result or {}).get("InstanceTypeOfferings")
    # One of which AWS does not say where it is, or of what, may be any.
    whole = offered_ is not None and all("InstanceType" in each and "Location" in each for each in offered_)
    in_ = {each: _zones_of(each, offered_ or ()) for each in types} if whole else {}
    said = (
        *((Said("zones", ", ".join(f"{name} ({id_})" for name, id_ in sorted(ids.items()))),) if ids else ()),
        *(Said(each, f"offered in {listed(found)}" if found else "offered in no zone") for each, found in in_.items()),
    )
    return Learned(Facts(zones=ids, offerings=in_), said)


def _types(wanted: Wanted) -> Iterator[str]:
    """By EC2's names, whichever service runs them. A head node's, too."""
    described = wanted.blueprint.described
    yield from (group.instance for group in described.groups.values())
    if described.backend == "parallelcluster":
        yield described.head.instance


def _zones_of(type_: str, offerings: Sequence[Mapping[str, str]]) -> tuple[str, ...]:
    """Not Wavelength's, which no stack can name."""
    found = (each["Location"] for each in offerings if each["InstanceType"] == type_)
    return tuple(sorted(each for each in found if ZONE_NAME.fullmatch(each)))


OFFERINGS = Topic(
    "offerings",
    _inquire,
    frozenset({"offerings", "zones"}),
    rights={"ec2:DescribeAvailabilityZones": "*", "ec2:DescribeInstanceTypeOfferings": "*"},
)
