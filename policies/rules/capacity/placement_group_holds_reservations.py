"""Placement strategies under reservations."""

from collections.abc import Iterator

from muster.fleet.resources import CapacityReservation, ComputeResource, Fleet, LaunchTemplate, PlacementGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.compute_resources import placement, target
from policies.reading.targets import on_block, template_on_block
from policies.rule import Rule, Verdict, rule

_STRATEGY = "cluster"


@rule(
    "placement-group-holds-reservations",
    title="Reservations are in placement groups of the cluster strategy only",
    judges=CapacityReservation | LaunchTemplate | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="EC2 makes no reservation in a spread or partition group, and instances in one match none.",
    source="EC2 user guide, Capacity Reservations in cluster placement groups",
    remedy="Make the placement group's strategy cluster, or leave it out.",
    facts=("rules.md#33",),
)
def placement_group_holds_reservations(
    thing: CapacityReservation | LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    # A Capacity Block takes none: capacity-block-no-placement-group.
    if isinstance(thing, ComputeResource):
        held = target(thing).has_target and not on_block(thing, fleet)
        group = fleet.find(PlacementGroup, placement(thing)) if held else None
    else:
        held = isinstance(thing, CapacityReservation) or _on_reservation(thing, fleet)
        group = fleet.find(PlacementGroup, thing.placement_group) if held else None
    if group is None:
        return
    if group.strategy is UNKNOWN:
        yield rule.unjudged(thing.place, f"the strategy of placement group {group.ref.name}, not known before creation")
    elif group.strategy not in (None, _STRATEGY):
        what = "a reservation" if isinstance(thing, CapacityReservation) else "nodes on a reservation"
        yield rule.finding(
            thing.place,
            got=f"{what} in placement group {group.ref.name}, whose strategy is {group.strategy}",
            remedy=f"make the strategy of {group.ref.name} {_STRATEGY}, or leave the placement group out",
        )


def _on_reservation(template: LaunchTemplate, fleet: Fleet) -> bool:
    groups = list(fleet.groups_of(template))
    targets = [template.target, *(each.target for each in groups if each.target)]
    on_block_ = template_on_block(template, fleet) or any(on_block(each, fleet) for each in groups)
    return any(each.has_target for each in targets) and not on_block_
