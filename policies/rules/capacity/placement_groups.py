"""Placement groups, their reservations and zones."""

from collections.abc import Iterator

from muster.config.description.capacity import NO_PLACEMENT_GROUP, Provider
from muster.fleet.resources import (
    CapacityReservation,
    ComputeResource,
    Fleet,
    LaunchTemplate,
    NodeGroup,
    PlacementGroup,
    Ref,
    Reference,
)
from muster.fleet.resources.fleet import Ec2Group
from muster.unknown import UNKNOWN, UnknownType
from policies.engine.finding_text import and_list, name_list, name_of
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.capacity_targets import Kind, on_block, target_of, template_on_block
from policies.lookups.launch_templates import template_of
from policies.lookups.parallelcluster import MADE_PLACEMENT, placement, target
from policies.lookups.zones import one_zone_remedy, several_zones, zones_path


@rule(
    "placement-group-by-provenance",
    title="A group on a reservation is in the placement group the reservation was made in, and in no other",
    # ParallelCluster only warns; but the launches fail for insufficient capacity (docs/facts/hardware.md#R15).
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="Instances outside the reservation's placement group never match it. A reservation that AWS delivers has its "
    "placement already: one of ours makes launches fail with insufficient capacity.",
    source="EC2 user guide, Capacity Reservations in cluster placement groups; awsome-distributed-training "
    "2.aws-parallelcluster; eksctl#7949",
    remedy="Name the reservation's own placement group, or none where AWS delivered it.",
    facts=("rules.md#32", "hardware.md#R15", "pains.md#1", "pains.md#2"),
)
def placement_group_by_provenance(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, _ = target_of(group, fleet)  # reservation-zone-matches-subnet reports an unknown target
    if target is not None and target.kind is Kind.BLOCK:
        return  # a Capacity Block takes none at all: capacity-block-no-placement-group
    declared = group.capacity.on_demand_reservation if group.capacity else None
    at = f"{target.at if target else 'capacity.reservation'}.placement-group"
    by_aws = declared is not None and declared.provided_by is Provider.AWS
    if declared and by_aws and declared.placement_group not in (None, NO_PLACEMENT_GROUP):
        yield rule.finding(
            group.place,
            at=at,
            got=f"placement group {declared.placement_group} on a reservation that AWS provided",
            remedy="remove placement-group, or say provided-by: you",
        )
        return
    made_in = {each.placement_group for each in target.holdings if each.placement_group} if target else set()
    launched_in = _launched_in(group, fleet)
    if target and not made_in and launched_in is not None and not target.empty:
        yield rule.unjudged(group.place, fleet.missing(f"the placement group of {target.name}"))
    if target is None or not made_in or (NO_PLACEMENT_GROUP if launched_in is None else launched_in) in made_in:
        return
    if launched_in is UNKNOWN or (isinstance(launched_in, Ref) and declared is None):
        yield rule.unjudged(group.place, f"whether the template's placement group is {name_list(made_in)}")
    elif launched_in is not None or not by_aws:
        new = f"a new one ({name_of(launched_in)})" if isinstance(launched_in, Ref) else launched_in
        one = "none" if launched_in is None else new
        outside = made_in == {NO_PLACEMENT_GROUP}
        where = "outside any placement group" if outside else f"in placement group {name_list(made_in)}"
        yield rule.finding(
            group.place,
            at=at,
            got=f"{target.name} was made {where}; the group launches in {one}",
            remedy=f"{'say so' if outside else 'name it'}: placement-group: {name_list(made_in)}",
        )


def _launched_in(group: Ec2Group, fleet: Fleet) -> Reference | None | UnknownType:
    if isinstance(group, ComputeResource):
        return placement(group)
    template = fleet.template_of(group)
    return template.placement_group if template else None


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
        reserved = target(thing).has_target and not on_block(thing, fleet)
        group = fleet.find(PlacementGroup, placement(thing)) if reserved else None
    else:
        reserved = isinstance(thing, CapacityReservation) or _on_reservation(thing, fleet)
        group = fleet.find(PlacementGroup, thing.placement_group) if reserved else None
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
        place, at = zones_path(group, fleet)
        yield rule.finding(
            place,
            at=at,
            got=f"cluster placement group{placed} and subnets in {and_list(zones)}",
            remedy=f"give it one zone ({one_zone_remedy(zones, at)}), or take the placement group out"
            + (" of its template" if isinstance(group, NodeGroup) else ""),
        )


# With EFA efa-single-zone reports it, on a reservation reservation-zone-matches-subnet does.


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
