"""Whether a group's subnets are in one zone."""

from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.resources.fleet import AnyGroup
from muster.fleet.unknown import UNKNOWN
from policies.words import names


def several_zones(group: AnyGroup, fleet: Fleet) -> tuple[frozenset[str], str]:
    """The zones of a group that is in more than one, else none; and what is missing to say so.

    One subnet is one zone, whichever; no subnet at all is group-has-subnet's finding.
    """
    if group.subnets is UNKNOWN:
        among = group.subnets_among if isinstance(group, InstanceGroup) else None
        zones = fleet.zones_of(among.candidates) if among else None
        if among and (among.count <= 1 or (zones and len(zones) == 1)):
            return frozenset(), ""
        return frozenset(), "the subnets, not known before creation"
    if len(group.subnets) <= 1:
        return frozenset(), ""
    zones = fleet.zones_of(group.subnets)
    if zones is None:
        return frozenset(), fleet.missing(f"the zones of subnets {names(group.subnets)}")
    return (zones if len(zones) > 1 else frozenset()), ""
