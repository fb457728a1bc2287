"""Reads `offerings.csv`: the zones that may offer each catalogued type. Indicative: it may warn, never refuse.

Source: moto 5.2.5, the files ``ec2/resources/instance_type_offerings/availability-zone-id/REGION.json.gz``, which moto
renews about monthly from what DescribeInstanceTypeOfferings answers one account. Newer rows come with their `OBSERVED`
and `SOURCE`; the laws in ``tests/fleet/test_offerings.py`` judge them.

Zones are given by id; names are dropped, because they differ between accounts (see `muster.hardware.zones`).

Why it may only warn: AWS's own table of Capacity Block Regions (EC2 user guide) names pairs that are not here (p5e in
us-east-1, p5en in eu-west-2, trn1.32xlarge in eu-north-1), and the other way round (p5 in ca-central-1, p6-b200 in
eu-west-3). And no conclusion is possible on what has no rows: GovCloud, China, Local Zones, p6e-gb200, and zones that
an account does not see (usw1-az2: an account sees two of the three zones of us-west-1).
"""

from collections.abc import Mapping
from datetime import date
from functools import cache

from muster.hardware.tables import read_table

SOURCE = "moto 5.2.5 instance_type_offerings"
"""The source in every row of the table."""

OBSERVED = date(2026, 10, 27)
"""The day moto 5.2.5 was published: the rows were observed then at the latest. Moto does not date them one by one."""


@cache
def _offerings() -> Mapping[str, Mapping[str, frozenset[str]]]:
    """Type -> Region -> zone ids."""
    offered: dict[str, dict[str, frozenset[str]]] = {}
    for row in read_table("offerings.csv"):
        offered.setdefault(row["instance_type"], {})[row["region"]] = frozenset(row["zone_ids"].split())
    return offered


@cache
def regions() -> tuple[str, ...]:
    """Every Region in the table, sorted."""
    return tuple(sorted({region for by_region in _offerings().values() for region in by_region}))


def zones_of_region(region: str) -> frozenset[str]:
    """The ids of all zones of a Region that the table knows: where a type is in each, no zone can lack it."""
    named = (by_region.get(region, frozenset()) for by_region in _offerings().values())
    return frozenset().union(*named)


def zones_offering(instance: str, region: str) -> frozenset[str] | None:
    """The ids of a Region's zones that were seen to offer a type.

    The empty set: type and Region are both known, and no zone was seen; the type was most likely not offered there.
    None: the table knows nothing of that type, or nothing of that Region; then nothing follows, least of all "not
    offered".
    """
    by_region = _offerings().get(instance)
    if by_region is None or region not in regions():
        return None
    return by_region.get(region, frozenset())
