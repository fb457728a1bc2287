"""A reservation's instance type, compared with its group's."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import Kind, target_of, types_of


def reservation_instance_type_matches(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = target_of(group, fleet)
    if target is None or target.empty:
        return
    wanted = types_of(group, fleet)
    if len(wanted) > 1 and target.kind is Kind.BLOCK and isinstance(group, NodeGroup):
        return  # capacity-block-template reports them
    # A group of reservations may hold several types; reservations that match no node are ignored.
    reserved = {each.known.instance_type for each in target.known if each.known.instance_type}
    if wanted - reserved:
        for each in target.holdings:
            target.need(each.known.instance_type, f"the instance type of {target.name}", fleet)
        got = f"{target.name} holds {and_list(reserved)}, but the group uses {and_list(wanted)}"
        change = (set_to(*sorted(reserved)), f"target capacity of {and_list(wanted - reserved)}")
        yield rule.finding(group, "instance", got=got, change=change)
