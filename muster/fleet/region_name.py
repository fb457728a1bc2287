"""Tells a misspelt Region from one that is newer than any table.

AWS opens Regions, so a name that no table has is taken where it is made as theirs are: with a direction and a number.
"""

from muster.fleet.hardware.offerings import regions
from muster.fleet.near_miss import did_you_mean
from muster.fleet.zones import REGION

_DIRECTIONS = frozenset(
    {"north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest", "central"}
)
"""The last word of every Region's name (AWS General Reference, Regions and endpoints)."""

_OTHER_PARTITIONS = ("cn-north-1", "cn-northwest-1", "us-gov-east-1", "us-gov-west-1")
"""Regions of which no types are tabled."""


def misspelt(name: object) -> str:
    """What is wrong with a Region's name, in words; empty where nothing is."""
    known = (*regions(), *_OTHER_PARTITIONS)
    if name in known:
        return ""
    if not isinstance(name, str):
        return f"'{name}' is not a Region"
    if meant := [each for each in known if sorted(each) == sorted(name)]:
        return f"'{name}' is not a Region; did you mean '{meant[0]}'?"
    if REGION.fullmatch(name) and name.split("-")[-2] in _DIRECTIONS:
        return ""
    return f"'{name}' is not a Region{did_you_mean(name, known)}"
