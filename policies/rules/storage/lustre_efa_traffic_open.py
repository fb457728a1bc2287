"""EFA traffic between a file system and the nodes."""

from collections.abc import Iterator
from functools import partial

from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import Fleet, LustreFileSystem, Reference
from muster.fleet.resources.ec2 import EGRESS, INGRESS
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.engine.transition import pair_of
from muster.policies.lookups.security_groups import CarriedGroups, allows_traffic, carried_groups
from muster.unknown import UNKNOWN, UnknownType, if_known


@rule(
    "lustre-efa-traffic-open",
    title="Security groups allow all traffic of a file system with EFA, within it and with the nodes' EFA interfaces",
    judges=LustreFileSystem,
    backends=EVERY_BACKEND,
    why="EFA is not IP, so only rules for all protocols that name the group cover it. If they are missing between the "
    "servers of the file system, FSx refuses to create it. If they are missing for nodes, which is advice, the nodes "
    "fall back to TCP.",
    source=(
        "https://docs.aws.amazon.com/fsx/latest/LustreGuide/efa-file-systems.html",
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/efa-start.html",
    ),
    remedy="Give both groups rules with protocol -1, in and out, that name each other and themselves.",
    facts=("rules.md#7", "rules.md#54"),
)
def lustre_efa_traffic_open(system: LustreFileSystem, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    own = system.security_groups
    if system.existing or system.efa is False or own == ():
        return
    if system.efa is UNKNOWN:
        yield rule.unjudged(system.place, "whether the file system has EFA (known only after `pulumi up`)")
        return
    if own is UNKNOWN:
        yield rule.unjudged(system.place, "the security groups (known only after `pulumi up`)")
        return
    answers = {"itself": _both_ways(own, own, fleet)}
    for group in fleet.groups:
        nodes, missing = pair_of(partial(carried_groups, group, fleet, efa=True), CarriedGroups(frozenset()))
        if missing:
            yield rule.unjudged(system.place, f"the security groups of {group.ref.name}: {missing}")
        elif nodes.groups:
            passes = _between(own, tuple(nodes.groups), fleet)
            # It is not known which interface has which group: a group that allows it may be on the wrong one.
            passes = UNKNOWN if passes is True and not nodes.sure else passes
            answers[f"the EFA interfaces of {group.ref.name}"] = passes
    closed = [peer for peer, answer in answers.items() if answer is False]
    unclear = [peer for peer, answer in answers.items() if answer is UNKNOWN]
    if closed:
        got = f"EFA traffic is not allowed between security group {name_list(own)} and {and_list(closed)}"
        remedy = "give both groups rules for all protocols (-1), in and out, that name the other group"
        in_program = "in both groups, add ingress and egress rules with protocol -1 that name the other group"
        # Between its servers FSx refuses it; nodes fall back to TCP, which is slower.
        leveled = rule if "itself" in closed else rule.advice
        yield leveled.finding(system.place, got, remedy, program_remedy=in_program)
    if unclear:
        yield rule.unjudged(
            system.place, f"whether EFA traffic is allowed between {name_list(own)} and {and_list(unclear)}"
        )


def _both_ways(groups: tuple[Reference, ...], peers: tuple[Reference, ...], fleet: Fleet) -> bool | UnknownType:
    answers = {
        if_known(partial(allows_traffic, groups, direction, None, peers, fleet), UNKNOWN)
        for direction in (INGRESS, EGRESS)
    }
    return False if False in answers else UNKNOWN if UNKNOWN in answers else True


def _between(one: tuple[Reference, ...], other: tuple[Reference, ...], fleet: Fleet) -> bool | UnknownType:
    answers = {_both_ways(one, other, fleet), _both_ways(other, one, fleet)}
    return False if False in answers else UNKNOWN if UNKNOWN in answers else True
