"""Reads `offerings.csv`: the zones that may offer each type. Indicative: it may warn, never refuse.

Source: moto 5.2.5, the files ``ec2/resources/instance_type_offerings/availability-zone-id/REGION.json.gz``, which moto
renews about monthly from what DescribeInstanceTypeOfferings answers one account; `python -m tools.ec2_types` makes the
table of them. A row has all types that the same zones offer. The laws in ``tests/hardware/test_offerings.py`` judge it.

Zones are given by id; names are dropped, because they differ between accounts (see `muster.hardware.zones`).

Why it may only warn: AWS's own table of Capacity Block Regions (EC2 user guide) names pairs that are not here (p5e in
us-east-1, p5en in eu-west-2, trn1.32xlarge in eu-north-1), and the other way round (p5 in ca-central-1, p6-b200 in
eu-west-3). And no conclusion is possible on what has no rows: GovCloud, China, Local Zones, p6e-gb200, and zones that
an account does not see (usw1-az2: an account sees two of the three zones of us-west-1).
"""

from collections.abc import Mapping
from datetime import date
from functools import cache

from muster.hardware.tables import read_text

SOURCE = "moto 5.2.5 instance_type_offerings"
"""The source of the table."""

OBSERVED = date(2026, 10, 27)
"""The day moto 5.2.5 was published: the rows were observed then at the latest. Moto does not date them one by one."""


@cache
def _table() -> str:
    return read_text("offerings.csv")


@cache
def _offered(instance: str) -> Mapping[str, frozenset[str]] | None:
    """Region -> zone ids; None of a type that the table does not have."""
    for line in _table().splitlines()[1:]:
        types, _, offered = line.partition(",")
        if instance in types.split():
            return _by_region(offered)
    return None


def _by_region(offered: str) -> Mapping[str, frozenset[str]]:
    """``us-east-1:use1-az1;use1-az2 us-west-2:usw2-az1``."""
    pairs = (each.split(":") for each in offered.split())
    return {region: frozenset(zones.split(";")) for region, zones in pairs}


@cache
def _zones() -> Mapping[str, frozenset[str]]:
    """Region -> the ids of all its zones that offer anything."""
    every: dict[str, frozenset[str]] = {}
    for line in _table().splitlines()[1:]:
        for region, zones in _by_region(line.partition(",")[2]).items():
            every[region] = every.get(region, frozenset()) | zones
    return every


@cache
def regions() -> tuple[str, ...]:
    """Every Region in the table, sorted."""
    return tuple(sorted(_zones()))


def zones_of_region(region: str) -> frozenset[str]:
    """The ids of all zones of a Region that the table knows: where a type is in each, no zone can lack it."""
    return _zones().get(region, frozenset())


def region_of_zone_id(id_: str) -> str | None:
    """The Region that has a zone; None where the table does not know the zone."""
    return next((region for region, ids in _zones().items() if id_ in ids), None)


def zones_offering(instance: str, region: str) -> frozenset[str] | None:
    """The ids of a Region's zones that were seen to offer a type.

    The empty set: type and Region are both known, and no zone was seen; the type was most likely not offered there.
    None: the table knows nothing of that type, or nothing of that Region; then nothing follows, least of all "not
    offered".
    """
    by_region = _offered(instance)
    if by_region is None or region not in regions():
        return None
    return by_region.get(region, frozenset())
