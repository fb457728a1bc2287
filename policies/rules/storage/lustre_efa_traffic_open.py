"""EFA traffic between a file system and the nodes."""

from collections.abc import Collection, Iterator
from functools import partial

from muster.fleet.resources import Fleet, LustreFileSystem, Reference
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.fleet.resources.fleet import AnyGroup
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.security_groups import allows_traffic, carried_groups
from muster.unknown import NotKnown, all_of, if_known


def lustre_efa_traffic_open(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if system.existing or not all_of(lambda: system.efa, lambda: bool(system.security_groups)):
        return
    own = system.security_groups
    answers = {"itself": if_known(lambda: _between(own, own, fleet))}
    for group in fleet.groups:
        answers[f"the EFA interfaces of {group.ref.name}"] = if_known(lambda: _to_nodes(own, group, fleet))
    closed = [peer for peer, answer in answers.items() if answer is False]
    unclear = [peer for peer, answer in answers.items() if answer is None]
    if closed:
        got = f"EFA traffic is not allowed between security group {name_list(own)} and {and_list(closed)}"
        change = "give both groups rules for all protocols (-1), in and out, that name the other group"
        # Between its servers FSx refuses it; nodes fall back to TCP, which is slower.
        leveled = rule if "itself" in closed else rule.advice
        yield leveled.finding(system, "", got=got, change=change)
    if unclear:
        raise NotKnown(f"whether EFA traffic is allowed between {name_list(own)} and {and_list(unclear)}")


def _to_nodes(own: Collection[Reference], group: AnyGroup, fleet: Fleet) -> bool:
    """Whether it is allowed with the EFA interfaces of a group, if it has any."""
    nodes = carried_groups(group, fleet, efa=True)
    allowed = not nodes.groups or _between(own, nodes.groups, fleet)
    if allowed and not nodes.sure:
        raise NotKnown("which interface has the security group that allows it")
    return allowed


def _between(one: Collection[Reference], other: Collection[Reference], fleet: Fleet) -> bool:
    return all_of(
        *(
            partial(allows_traffic, groups, direction, None, peers, fleet)
            for groups, peers in ((one, other), (other, one))
            for direction in (INGRESS, EGRESS)
        )
    )
