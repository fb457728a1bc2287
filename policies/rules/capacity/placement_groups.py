"""Placement groups, their reservations and zones."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from muster.config.description.capacity import NO_PLACEMENT_GROUP, Provider
from muster.edits import OF_FILE, Edit, remove, set_to
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
from muster.fleet.resources.fleet import Ec2Group
from muster.policies.engine.finding_text import and_list, name_list, name_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import Kind, on_block, target_of, template_on_block
from muster.policies.lookups.parallelcluster import MADE_PLACEMENT, placement
from muster.policies.lookups.zones import in_one_zone, several_zones, zones_path
from muster.unknown import NotKnown, all_of, any_of, if_known, needed, stored


def placement_group_fits_capacity(
    thing: CapacityReservation | LaunchTemplate | Ec2Group, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    parts: list[Callable[[Any, Fleet, Rule], Iterator[Verdict]]] = []
    if not isinstance(thing, CapacityReservation | LaunchTemplate):
        parts.append(_by_provenance)
    if not isinstance(thing, NodeGroup | ComputeNodeGroup):
        parts.append(_holds_reservations)
    if isinstance(thing, LaunchTemplate | ComputeResource):
        parts.append(_on_block)
    yield from rule.each(parts, lambda judge: judge(thing, fleet, rule), thing.place)


def _by_provenance(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges a group on a reservation by where that was created."""
    target = target_of(group, fleet)
    if target is not None and target.kind is Kind.BLOCK:
        return  # a Capacity Block needs none: `_on_block`
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
    launched_in = _launched_in(group, fleet)
    made = fleet.find(PlacementGroup, launched_in)
    if made and if_known(lambda: made.strategy) not in _STRATEGIES:
        return  # `_holds_reservations` reports it
    name = if_known(lambda: made.name) if made else None
    made_in = {each.placement_group for each in if_known(lambda: target.holdings, ()) if each.placement_group}
    if not made_in and not isinstance(target.ref, Ref) and (made or launched_in == MADE_PLACEMENT):
        # eksctl creates it with the group, once. That of a program may be older than the reservation; ParallelCluster
        # only warns.
        sure = rule if made and fleet.terms.document == OF_FILE.document else rule.advice
        got = f"{target.name} exists, so it was not created in the placement group that is made for the group"
        none = set_to(NO_PLACEMENT_GROUP) if declared else _outside(group)
        yield sure.finding(group, at, got=got, change=(set_to(words="the one in which it was created"), none))
        return
    needed(target.holdings)
    if not made_in and launched_in is not None:
        raise NotKnown(fleet.missing(f"the placement group of {target.name}"))
    if not made_in or {NO_PLACEMENT_GROUP if launched_in is None else launched_in, name} & made_in:
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


_Placed = LaunchTemplate | ComputeResource


def _placement(thing: CapacityReservation | _Placed) -> Reference | None:
    return placement(thing) if isinstance(thing, ComputeResource) else thing.placement_group


def _on_block(thing: _Placed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges nodes on a Capacity Block. A template's placement group counts as set, even if it is unknown."""
    slurms = isinstance(thing, ComputeResource)
    if all_of(
        lambda: slurms or stored(thing, "placement_group", "") is not None,
        lambda: _for_block(thing, fleet),
        lambda: not slurms or _placement(thing) is not None,
    ):
        placed = if_known(lambda: _placement(thing), "") or ""
        named = "a placement group" if placed in ("", MADE_PLACEMENT) else f"placement group {name_of(placed)}"
        got = f"nodes on a Capacity Block launch in {named}"
        leveled = rule.advice if slurms else rule
        yield leveled.finding(thing, "capacity.capacity-block", got=got, change=_outside(thing))


def _for_block(thing: _Placed, fleet: Fleet) -> bool:
    if isinstance(thing, ComputeResource):
        return on_block(thing, fleet)
    of_groups = (partial(on_block, group, fleet) for group in fleet.groups_of(thing))
    return any_of(lambda: template_on_block(thing, fleet), *of_groups)


_STRATEGIES = (None, "cluster")


def _holds_reservations(thing: CapacityReservation | _Placed, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the strategy of a placement group with reserved capacity."""

    def placed_in() -> PlacementGroup | None:
        return fleet.find(PlacementGroup, _placement(thing))

    if not all_of(lambda: _on_reservation(thing, fleet), lambda: placed_in() is not None):
        return
    group = placed_in()
    if group and group.strategy not in _STRATEGIES:
        key = rule.terms.key("strategy")
        got = f"reserved capacity is in placement group {group.ref.name}, whose {key} is {group.strategy}"
        change = f"set {key} of {group.ref.name} to cluster, or remove the placement group"
        yield rule.finding(thing, "", got=got, change=change)


def _on_reservation(thing: CapacityReservation | _Placed, fleet: Fleet) -> bool:
    """Whether it is a reservation, or targets some. A Capacity Block needs no placement group: `_on_block`."""
    if isinstance(thing, CapacityReservation):
        return True
    targets = [thing.target]
    if isinstance(thing, LaunchTemplate):
        targets += [each.target for each in fleet.groups_of(thing) if each.target]
    return any(each.has_target for each in targets) and not _for_block(thing, fleet)


def placement_group_one_zone(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if all_of(lambda: bool(several_zones(group, fleet)), lambda: _in_cluster(group, fleet)):
        zones = several_zones(group, fleet)
        place, at = zones_path(group, fleet)
        launched_in = _launched_in(group, fleet)
        named = f" {name_of(launched_in)}" if launched_in and launched_in != MADE_PLACEMENT else ""
        got = f"the group launches in cluster placement group{named}, but its subnets are in {and_list(zones)}"
        change = (in_one_zone(zones, group, fleet, at=at), "remove the placement group")
        yield rule.finding(group, at, got=got, change=change, place=place)


def _in_cluster(group: Ec2Group, fleet: Fleet) -> bool:
    """Whether it launches in a cluster placement group. With EFA, efa-single-zone reports it; on a reservation,
    reservation-zone-matches-subnet does."""
    placed = _launched_in(group, fleet)
    if placed is None:
        return False
    made = fleet.find(PlacementGroup, placed)
    if isinstance(group, ComputeResource):
        ours, efa, target = True, group.has_efa, group.target
    else:
        template = fleet.template_of(group)
        assert template is not None, "it has the placement group"
        ours, efa, target = made is not None, bool(template.efa_interfaces), group.target or template.target
    return ours and not efa and not target.has_target and (made is None or made.strategy in _STRATEGIES)
