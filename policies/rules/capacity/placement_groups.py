"""Placement groups, their reservations and zones."""

from collections.abc import Callable, Iterator
from typing import Any

from muster.config.description.capacity import NO_PLACEMENT_GROUP, Provider
from muster.edits import Edit, remove, set_to
from muster.fleet.resources import (
    CapacityReservation,
    ComputeNodeGroup,
    ComputeResource,
    Fleet,
    LaunchTemplate,
    NodeGroup,
    PlacementGroup,
    Ref,
    Reference,
)
from muster.fleet.resources.fleet import Ec2Group, TemplateGroup
from muster.policies.engine.finding_text import and_list, name_list, name_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import Kind, on_block, target_of, template_on_block
from muster.policies.lookups.parallelcluster import MADE_PLACEMENT, placement
from muster.policies.lookups.zones import in_one_zone, several_zones, zones_path
from muster.unknown import NotKnown, all_of, any_of, stored


def placement_group_fits_capacity(
    thing: CapacityReservation | LaunchTemplate | Ec2Group, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    parts: list[_Part] = []
    if not isinstance(thing, CapacityReservation | LaunchTemplate):
        parts.append(_by_provenance)
    if not isinstance(thing, NodeGroup | ComputeNodeGroup):
        parts.append(_holds_reservations)
    if isinstance(thing, LaunchTemplate):
        parts.append(_template_on_block)
    elif isinstance(thing, ComputeResource):
        parts.append(_slurm_on_block)
    yield from rule.each(parts, lambda judge: judge(thing, fleet, rule), thing.place)


_Part = Callable[[Any, Fleet, Rule], Iterator[Verdict]]


def _by_provenance(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges a group on a reservation by where that was created."""
    target = target_of(group, fleet)
    if target is not None and target.kind is Kind.BLOCK:
        return  # a Capacity Block needs none: `_template_on_block`, `_slurm_on_block`
    declared = group.capacity.on_demand_reservation if group.capacity else None
    held = target.at if target else "capacity.reservation"
    at = f"{held}.placement-group"
    by_aws = declared is not None and declared.provided_by is Provider.AWS
    if declared and by_aws and declared.placement_group not in (None, NO_PLACEMENT_GROUP):
        got = f"AWS provided the reservation, but the group sets placement group {declared.placement_group}"
        yield rule.finding(group, at, got=got, change=(remove(), set_to(Provider.YOU.value, at=f"{held}.provided-by")))
        return
    if target is None or target.empty:
        return
    made_in = {each.placement_group for each in target.holdings if each.placement_group}
    launched_in = _launched_in(group, fleet)
    if not made_in and launched_in is not None:
        raise NotKnown(fleet.missing(f"the placement group of {target.name}"))
    if not made_in or (NO_PLACEMENT_GROUP if launched_in is None else launched_in) in made_in:
        return
    if isinstance(launched_in, Ref) and declared is None:
        raise NotKnown(f"whether the template's placement group is {name_list(made_in)}")
    if launched_in is not None or not by_aws:
        new = f"a new one ({name_of(launched_in)})" if isinstance(launched_in, Ref) else launched_in
        one = "none" if launched_in is None else new
        outside = made_in == {NO_PLACEMENT_GROUP}
        where = "outside any placement group" if outside else f"in placement group {name_list(made_in)}"
        change = _outside(group) if outside and not group.place.described else set_to(*sorted(map(name_of, made_in)))
        got = f"{target.name} was created {where}, but the group launches in {one}"
        yield rule.finding(group, at, got=got, change=change)


def _outside(thing: LaunchTemplate | Ec2Group) -> Edit:
    """Takes it out of its placement group."""
    return set_to(False, at="placement") if isinstance(thing, ComputeResource) else remove(at="placement")


def _launched_in(group: Ec2Group, fleet: Fleet) -> Reference | None:
    if isinstance(group, ComputeResource):
        return placement(group)
    template = fleet.template_of(group)
    return template.placement_group if template else None


def _template_on_block(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges a template for a Capacity Block."""
    group = stored(template, "placement_group", "")
    if group is not None and _for_block(template, fleet):
        named = f"placement group {name_of(group)}" if group else "a placement group"
        got = f"the launch template is for a Capacity Block, but sets {named}"
        yield rule.finding(template, "capacity.capacity-block", got=got, change=_outside(template))


def _slurm_on_block(group: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if on_block(group, fleet) and (placed := placement(group)) is not None:
        named = "a placement group" if placed == MADE_PLACEMENT else f"placement group {name_of(placed)}"
        got = f"the compute resource is on a Capacity Block, but uses {named}"
        yield rule.advice.finding(group, "capacity.capacity-block", got=got, change=_outside(group))


_STRATEGY = "cluster"


def _holds_reservations(
    thing: CapacityReservation | LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    """Judges the strategy of a placement group with reserved capacity."""
    if not all_of(lambda: _on_reservation(thing, fleet), lambda: _placed_in(thing, fleet) is not None):
        return
    group = _placed_in(thing, fleet)
    if group and group.strategy not in (None, _STRATEGY):
        what = "the reservation is" if isinstance(thing, CapacityReservation) else "nodes on a reservation are"
        key = rule.terms.key("strategy")
        got = f"{what} in placement group {group.ref.name}, whose {key} is {group.strategy}"
        change = f"set {key} of {group.ref.name} to {_STRATEGY}, or remove the placement group"
        yield rule.finding(thing, "", got=got, change=change)


def _placed_in(thing: CapacityReservation | LaunchTemplate | ComputeResource, fleet: Fleet) -> PlacementGroup | None:
    placed = placement(thing) if isinstance(thing, ComputeResource) else thing.placement_group
    return fleet.find(PlacementGroup, placed)


def _on_reservation(thing: CapacityReservation | LaunchTemplate | ComputeResource, fleet: Fleet) -> bool:
    """Whether it is a reservation, or targets some. A Capacity Block needs no placement group: `_template_on_block`,
    `_slurm_on_block`."""
    if isinstance(thing, CapacityReservation):
        return True
    if isinstance(thing, ComputeResource):
        return thing.target.has_target and not on_block(thing, fleet)
    targets = [thing.target, *(each.target for each in fleet.groups_of(thing) if each.target)]
    return any(each.has_target for each in targets) and not _for_block(thing, fleet)


def _for_block(template: LaunchTemplate, fleet: Fleet) -> bool:
    groups = fleet.groups_of(template)
    of_groups = (lambda group=group: on_block(group, fleet) for group in groups)
    return any_of(lambda: template_on_block(template, fleet), *of_groups)


def placement_group_one_zone(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    def placed() -> str | None:
        return _of_slurm(group, fleet) if isinstance(group, ComputeResource) else _of_template(group, fleet)

    if all_of(lambda: bool(several_zones(group, fleet)), lambda: placed() is not None):
        zones = several_zones(group, fleet)
        place, at = zones_path(group, fleet)
        got = f"the group uses {placed()}, but its subnets are in {and_list(zones)}"
        change = (in_one_zone(zones, at), "remove the placement group")
        yield rule.finding(group, at, got=got, change=change, place=place)


# With EFA, efa-single-zone reports it. On a reservation, reservation-zone-matches-subnet does.


def _of_template(group: TemplateGroup, fleet: Fleet) -> str | None:
    """Its cluster placement group, as text; None if it has none, or another rule reports it."""
    template = fleet.template_of(group)
    placement = fleet.find(PlacementGroup, template.placement_group) if template else None
    if template is None or placement is None or template.efa_interfaces or (group.target or template.target).has_target:
        return None
    return f"cluster placement group {placement.ref.name}" if placement.strategy in (None, "cluster") else None


def _of_slurm(group: ComputeResource, fleet: Fleet) -> str | None:
    """The same for a compute resource. A placement group that ParallelCluster creates has no name yet."""
    named = placement(group)
    if named is None or group.has_efa or group.target.has_target:
        return None
    made = fleet.find(PlacementGroup, named)
    if made and made.strategy not in (None, "cluster"):
        return None
    return "a cluster placement group" if named == MADE_PLACEMENT else f"cluster placement group {name_of(named)}"
