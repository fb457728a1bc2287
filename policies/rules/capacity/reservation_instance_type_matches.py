"""A reservation's instance type against its group's."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.capacity_targets import Kind, target_of, types_of


@rule(
    "reservation-instance-type-matches",
    title="A group on a reservation or Capacity Block has its instance type",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="A reservation holds one instance type; a node of another is never placed in it, and the reservation bills.",
    source="EC2 user guide, On-Demand Capacity Reservations; ParallelCluster ec2_validators.py",
    remedy="Give the group the reservation's type.",
    facts=("rules.md#24", "hardware.md#R13", "pains.md#4"),
)
def reservation_instance_type_matches(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, missing = target_of(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    if target is None or target.empty:
        return
    wanted = types_of(group, fleet)
    if wanted and len(wanted) > 1 and target.kind is Kind.BLOCK and isinstance(group, NodeGroup):
        return  # capacity-block-managed-group names them
    # A group of reservations may hold several types; those that fit no node are not used here.
    reserved = {each.known.instance_type for each in target.holdings if each.known.instance_type}
    all_known = not target.missing and all(each.known.instance_type for each in target.holdings)
    if wanted is None:
        yield rule.unjudged(group.place, "the group's instance type")
    elif all_known and wanted - reserved:
        yield rule.finding(
            group.place,
            at="instance",
            got=f"{target.name} holds {and_list(reserved)}, the group is of {and_list(wanted)}",
            remedy=f"make {min(reserved)} the group's only type, or name a reservation of what it has",
        )
    elif wanted - reserved:
        what = f"the instance type of {target.name}"
        yield rule.unjudged(group.place, target.missing or target.unknown(what, fleet))
