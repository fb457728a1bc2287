"""Cluster placement groups under nodes of several zones."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup, PlacementGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.reading.compute_resources import MADE_PLACEMENT, placement, target
from policies.reading.templates import template_of
from policies.reading.zones import one_zone, several_zones, zones_said
from policies.rule import Rule, Verdict, rule
from policies.words import name_of, some


@rule(
    "placement-group-one-zone",
    title="A group in a cluster placement group has subnets in one zone only",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="A cluster placement group is in one zone, the first instance's; launches in another zone fail.",
    source="EC2 user guide, Placement strategies",
    remedy="Give the group the subnets of one zone, or take the placement group out.",
    facts=("rules.md#33", "pains.md#2"),
)
def placement_group_one_zone(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    placed = _of_slurm(group, fleet) if isinstance(group, ComputeResource) else _of_template(group, fleet)
    if placed is None or group.subnets is UNKNOWN:
        return
    zones, missing = several_zones(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    elif zones:
        place, at = zones_said(group, fleet)
        yield rule.finding(
            place,
            at=at,
            got=f"cluster placement group{placed} and subnets in {some(zones)}",
            remedy=f"give it one zone ({one_zone(zones, at)}), or take the placement group out"
            + (" of its template" if isinstance(group, NodeGroup) else ""),
        )


# With EFA efa-single-zone says so, on a reservation reservation-zone-matches-subnet does.


def _of_template(group: NodeGroup, fleet: Fleet) -> str | None:
    """The name of its cluster placement group; None without one, and where another rule speaks."""
    template, _ = template_of(group, fleet)
    placement = fleet.find(PlacementGroup, template.placement_group) if template else None
    if template is None or placement is None or template.efa_interfaces or (group.target or template.target).has_target:
        return None
    return f" {placement.ref.name}" if placement.strategy in (None, "cluster") else None


def _of_slurm(group: ComputeResource, fleet: Fleet) -> str | None:
    """Likewise. One that ParallelCluster makes has no name yet."""
    named = placement(group)
    if named is None or named is UNKNOWN or group.has_efa is not False or target(group).has_target:
        return None
    made = fleet.find(PlacementGroup, named)
    if made and made.strategy not in (None, "cluster"):
        return None
    return "" if named == MADE_PLACEMENT else f" {name_of(named)}"
