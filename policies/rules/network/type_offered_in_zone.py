"""Instance types, and the zones that offer them to this account."""

from collections.abc import Iterator

from muster.edits import Remedy
from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.resources import (
    ComputeNodeGroup,
    ComputeResource,
    Fleet,
    HeadNode,
    InstanceGroup,
    LoginPool,
    NodeGroup,
    Place,
    Reference,
)
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.hyperpod_types import ML
from muster.hardware.offerings import zones_of_region, zones_offering
from muster.message_text import or_list
from muster.policies.engine.finding_text import and_list, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.capacity_targets import Kind, on_block, target_of
from muster.policies.lookups.machines import known_machines, machines_of
from muster.policies.lookups.zones import in_one_zone, zones_path
from muster.unknown import NotKnown, if_known, known, stored


@rule(
    "type-offered-in-zone",
    title="The group's zones offer its instance type",
    judges=NodeGroup | InstanceGroup | ComputeResource | HeadNode | LoginPool | ComputeNodeGroup,
    backends=EVERY_BACKEND,
    why="A zone that does not offer the type never gives a node: EC2 reports the type as unsupported there, and "
    "HyperPod rolls back the whole cluster. Without an answer of the account the rule is advice: Muster's table is "
    "what one account saw, by zone ids, because names differ between accounts.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html",),
    remedy="Use a zone that offers it.",
    facts=("rules.md#trap-3", "hardware.md#R23", "hardware.md#e", "pains.md#8", "pains.md#21"),
)
def type_offered_in_zone(group: AnyGroup | HeadNode | LoginPool, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    parts = [_by_account(group, fleet, rule)]
    if not isinstance(group, HeadNode | LoginPool):
        parts.append(_by_table(group, fleet, rule))
    yield from rule.each(parts, iter, group.place)


def _by_account(group: AnyGroup | HeadNode | LoginPool, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges by the account's own answer."""
    subnets = _subnets(group)
    zones = fleet.zones_of(subnets) if subnets else None
    if fleet.facts is None or not zones or _has_capacity(group, fleet):
        return  # subnet-zone-as-declared and others report an unknown zone
    offered = {instance: fleet.facts.offerings.get(instance) for instance in sorted(_types(group, fleet))}
    for instance, offering in offered.items():
        if offering is not None and (elsewhere := zones - set(offering)):
            place, at = _where(group, fleet)
            do = singular_or_plural(elsewhere, "does", "do")
            where = f"AWS offers it in {or_list(offering)}" if offering else f"no zone of {fleet.region} does"
            yield rule.finding(
                group,
                at,
                place=place,
                got=f"{and_list(elsewhere)} {do} not offer {instance} to this account: {where}",
                change=_instead(frozenset(zones & set(offering) or offering), at),
            )
    if facts_observed(fleet):
        for instance, offering in offered.items():
            fleet.need(offering, f"the zones that offer {instance}")


def _where(group: AnyGroup | HeadNode | LoginPool, fleet: Fleet) -> tuple[Place, str]:
    return (group.place, "zone") if isinstance(group, HeadNode | LoginPool) else zones_path(group, fleet)


def _instead(good: frozenset[str], at: str) -> tuple[Remedy, ...]:
    return (in_one_zone(good, at) if good else "use another Region"), "use another instance type"


def _subnets(group: AnyGroup | HeadNode | LoginPool) -> tuple[Reference, ...]:
    """The subnets, none if they are not known. Other rules report unknown subnets and types."""
    if isinstance(group, HeadNode):
        return tuple(filter(None, (if_known(lambda: group.subnet),)))
    return if_known(lambda: group.subnets, ())


def _types(group: AnyGroup | HeadNode | LoginPool, fleet: Fleet) -> set[str]:
    """The instance types by EC2's names, as far as they are known."""
    if isinstance(group, HeadNode | LoginPool):
        named: tuple[str | None, ...] = (if_known(lambda: group.instance),)
    else:
        named = if_known(lambda: group.instance_types, ()) or (if_known(lambda: fleet.instance_of(group)),)
    return {each.removeprefix(ML) for each in named if each}


def _has_capacity(group: AnyGroup | HeadNode | LoginPool, fleet: Fleet) -> bool:
    """Whether the group has reserved capacity that is in the account, in any zone, or whether that is not known. Other
    rules judge whether the group is in that zone."""
    if isinstance(group, HeadNode | LoginPool):
        return False
    if isinstance(group, InstanceGroup):
        return stored(group, "training_plan") is not None
    if not known(lambda: target_of(group, fleet)):
        return True
    target, seen = target_of(group, fleet), fleet.facts.reservations if fleet.facts else {}
    return target is not None and (target.kind is Kind.GROUP or not isinstance(target.ref, str) or target.ref in seen)


def _by_table(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges by Muster's table, which lacks zones that AWS lists, and has zones that AWS does not."""
    if if_known(lambda: fleet.instance_of(group)) is None:  # the table has the types that Muster knows
        machines_of(group, fleet)
    if fleet.region is None:
        return  # subnet-zone-as-declared reports the missing Region
    answered = fleet.facts.offerings if fleet.facts else {}
    offered = {
        machine.instance: offering
        for machine in known_machines(group, fleet)
        if machine.instance not in answered  # `_by_account` judges by the account's own answer
        and (offering := zones_offering(machine.instance, fleet.region)) is not None
        and offering != zones_of_region(fleet.region)
    }
    if isinstance(group, NodeGroup | ComputeResource) and if_known(lambda: on_block(group, fleet)):
        # capacity-block-sold judges types that no zone offers with more data
        offered = {instance: offering for instance, offering in offered.items() if offering}
    advice = rule.advice
    yield from rule.each(offered.items(), lambda each: _verdict(*each, group, fleet, advice), group.place)


def _verdict(instance: str, offering: frozenset[str], group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    subnets = fleet.subnets_of(group.subnets)
    elsewhere = {subnet.zone_id for subnet in subnets if subnet.zone_id} - offering
    if elsewhere or (subnets and not offering):
        where = f"only in {and_list(offering)}, not in {and_list(elsewhere)}"
        where = where if offering else f"in no zone of {fleet.region}"
        instead = f"use subnets in {or_list(sorted(offering))}" if offering else "use another Region"
        place, at = zones_path(group, fleet)
        yield rule.finding(
            group,
            at,
            place=place,
            got=f"Muster's table lists {instance} {where}",
            change=(instead, "query AWS (`aws ec2 describe-instance-type-offerings`)"),
        )
    unknown = [subnet.id for subnet in subnets if not subnet.zone_id]
    if offering and unknown:
        missing = f"the zone ids of {and_list(unknown)}"
        missing += ", which you can also set in the network's zone-ids" if group.place.described else ""
        raise NotKnown(fleet.missing(missing))
