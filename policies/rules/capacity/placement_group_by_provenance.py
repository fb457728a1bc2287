"""Placement groups against who made the reservation."""

from collections.abc import Iterator

from muster.fleet.description.capacity import NO_PLACEMENT_GROUP, Provider
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup, Ref, Reference
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.reading.compute_resources import placement
from policies.reading.targets import Kind, target_of
from policies.rule import Rule, Verdict, rule
from policies.words import name_of, names


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
    target, _ = target_of(group, fleet)  # what is missing of the target, reservation-zone-matches-subnet says
    if target is not None and target.kind is Kind.BLOCK:
        return  # a Capacity Block takes none at all: capacity-block-no-placement-group
    said = group.capacity.on_demand_reservation if group.capacity else None
    at = f"{target.at if target else 'capacity.reservation'}.placement-group"
    by_aws = said is not None and said.provided_by is Provider.AWS
    if said and by_aws and said.placement_group not in (None, NO_PLACEMENT_GROUP):
        yield rule.finding(
            group.place,
            at=at,
            got=f"placement group {said.placement_group} on a reservation that AWS provided",
            remedy="remove placement-group, or say provided-by: you",
        )
        return
    made_in = {each.placement_group for each in target.holdings if each.placement_group} if target else set()
    launched_in = _launched_in(group, fleet)
    if target and not made_in and launched_in is not None and not target.empty:
        yield rule.unjudged(group.place, fleet.missing(f"the placement group of {target.name}"))
    if target is None or not made_in or (NO_PLACEMENT_GROUP if launched_in is None else launched_in) in made_in:
        return
    if launched_in is UNKNOWN or (isinstance(launched_in, Ref) and said is None):
        yield rule.unjudged(group.place, f"whether the template's placement group is {names(made_in)}")
    elif launched_in is not None or not by_aws:
        new = f"a new one ({name_of(launched_in)})" if isinstance(launched_in, Ref) else launched_in
        one = "none" if launched_in is None else new
        outside = made_in == {NO_PLACEMENT_GROUP}
        where = "outside any placement group" if outside else f"in placement group {names(made_in)}"
        yield rule.finding(
            group.place,
            at=at,
            got=f"{target.name} was made {where}; the group launches in {one}",
            remedy=f"{'say so' if outside else 'name it'}: placement-group: {names(made_in)}",
        )


def _launched_in(group: Ec2Group, fleet: Fleet) -> Reference | None | UnknownType:
    if isinstance(group, ComputeResource):
        return placement(group)
    template = fleet.template_of(group)
    return template.placement_group if template else None
