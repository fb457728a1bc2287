"""Cluster placement groups under nodes of several zones."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup, PlacementGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.templates import template_of
from policies.reading.zones import several_zones
from policies.rule import Rule, Verdict, rule
from policies.words import some


@rule(
    "placement-group-one-zone",
    title="A group in a cluster placement group has subnets in one zone only",
    judges=NodeGroup,
    why="A cluster placement group is in one zone, the first instance's; launches in another zone fail.",
    source="EC2 user guide, Placement strategies",
    remedy="Give the group the subnets of one zone, or take the placement group out.",
    facts=("rules.md#33",),
)
def placement_group_one_zone(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    template, _ = template_of(group, fleet)
    placement = fleet.find(PlacementGroup, template.placement_group) if template else None
    # With EFA efa-single-zone says so, on a reservation reservation-zone-matches-subnet does.
    if template is None or placement is None or template.efa_interfaces or (group.target or template.target).has_target:
        return
    if placement.strategy not in (None, "cluster") or group.subnets is UNKNOWN:
        return
    zones, missing = several_zones(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    elif zones:
        yield rule.finding(
            group.place,
            at="zone",
            got=f"cluster placement group {placement.ref.name} and subnets in {some(zones)}",
            remedy=f"give it one zone (zone: {min(zones)}), or take the placement group out of its template",
        )
