"""The Regions in which AWS sells Capacity Blocks of a type."""

from functools import cache

from muster.cost.prices import Item, Kind, price_table
from muster.hardware.offerings import zones_offering
from muster.hardware.tables import read_table


@cache
def regions_with_blocks(instance: str) -> frozenset[str]:
    """The Regions that AWS's prices or its guide name."""
    priced = {region for item, region in price_table().rows if item == Item(Kind.CAPACITY_BLOCK, instance)}
    listed = {row["region"] for row in read_table("capacity_block_regions.csv") if row["instance_type"] == instance}
    return frozenset(priced | listed)


def may_sell_blocks(instance: str, region: str) -> bool:
    """Whether there may be blocks of a type in a Region.

    Prices, guide and offers contradict each other: one that has the pair is enough. True for a type or a Region that
    none of them lists.
    """
    regions = regions_with_blocks(instance)
    return not regions or region in regions or zones_offering(instance, region) != frozenset()
