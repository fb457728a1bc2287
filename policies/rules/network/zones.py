"""The zones of groups: with EFA, and those that offer their instance types."""

from collections.abc import Iterator

from muster.config.description.node_group import Purpose
from muster.fleet.resources import (
    ComputeResource,
    Fleet,
    HeadNode,
    InstanceGroup,
    LoginPool,
    NodeGroup,
)
from muster.fleet.resources.fleet import AnyGroup
from muster.hardware.hyperpod_types import ML
from muster.hardware.offerings import zones_of_region, zones_offering
from muster.message_text import or_list
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.capacity_targets import Kind, on_block, target_of
from muster.policies.lookups.launch_templates import has_efa
from muster.policies.lookups.machines import known_machines, machines_of
from muster.policies.lookups.zones import in_one_zone, several_zones, zones_path
from muster.unknown import NotKnown, if_known, known, stored


def efa_single_zone(group: AnyGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not _has_efa(group, fleet):
        return
    zones = several_zones(group, fleet)
    # A reservation is in one zone, whether or not the group has EFA.
    if zones and not (rule.leaves("reservation-zone-matches-subnet") and _is_reserved(group, fleet)):
        place, at = zones_path(group, fleet)
        got = f"the group has EFA, but its subnets are in {and_list(zones)}"
        change = (in_one_zone(zones, group, fleet, at=at), f"use one {'queue' if at == 'zones' else 'group'} per zone")
        yield rule.finding(group, at, place=place, got=got, change=change)


def _has_efa(group: AnyGroup, fleet: Fleet) -> bool:
    """Whether the nodes have EFA. HyperPod attaches EFA to every type that has it, even for inference, which need not
    use it."""
    if isinstance(group, ComputeResource):
        return group.has_efa
    if isinstance(group, InstanceGroup):
        if group.purpose not in (None, Purpose.TRAINING) or group.training_plan is not None:
            return False  # a plan is in one zone: the rule about plans judges it
        having = [machine for machine in known_machines(group, fleet) if machine.max_efa]
        return any(machine.max_efa for machine in having or machines_of(group, fleet))
    return has_efa(group, fleet)


def _is_reserved(group: AnyGroup, fleet: Fleet) -> bool:
    """Whether it is on a reservation whose zone another rule judges."""
    if isinstance(group, InstanceGroup):
        return False
    target = if_known(lambda: target_of(group, fleet))
    return target is not None and target.kind is not Kind.GROUP


def type_offered_in_zone(group: AnyGroup | HeadNode | LoginPool, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    parts = [_by_account(group, fleet, rule)]
    if not isinstance(group, HeadNode | LoginPool):
        parts.append(_by_table(group, fleet, rule))
    place = zones_path(group, fleet)[0] if isinstance(group, ComputeResource) else group.place
    yield from rule.each(parts, iter, place)


def _by_account(group: AnyGroup | HeadNode | LoginPool, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges by the account's own answer. Other rules report unknown zones and types, and unknown subnets of groups."""
    if fleet.facts is None or not (fleet.facts.offerings or facts_observed(fleet)):
        return
    if isinstance(group, HeadNode | LoginPool):
        subnets = (group.subnet,) if isinstance(group, HeadNode) else group.subnets
        named: tuple[str | None, ...] = (if_known(lambda: group.instance),)
    else:
        subnets = if_known(lambda: group.subnets, ())
        named = if_known(lambda: group.instance_types, ()) or (if_known(lambda: fleet.instance_of(group)),)
    zones = fleet.zones_of(tuple(filter(None, subnets))) if subnets else None
    if not zones or _has_capacity(group, fleet):
        return
    types = sorted({each.removeprefix(ML) for each in named if each})
    offered = {each: fleet.facts.offerings.get(each) for each in types}
    for instance, offering in offered.items():
        if offering is not None and (elsewhere := zones - set(offering)):
            place, at = zones_path(group, fleet)
            good = frozenset(zones & set(offering) or offering)
            got = f"this account gets {instance} in {or_list(offering)} of {fleet.region}, not in {and_list(elsewhere)}"
            public = any(each.public for each in fleet.subnets_of(tuple(filter(None, subnets))))
            there = in_one_zone(good, group, fleet, at=at, public=public) if good else "use another Region"
            change = (there, "use another instance type")
            yield rule.finding(group, at, place=place, got=got, change=change)
    if facts_observed(fleet):
        for instance, offering in offered.items():
            fleet.need(offering, f"the zones that offer {instance}")


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
    yield from rule.each(offered.items(), lambda each: _not_in_table(*each, group, fleet, advice), group.place)


def _not_in_table(
    instance: str, offering: frozenset[str], group: AnyGroup, fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    subnets = fleet.subnets_of(group.subnets)
    elsewhere = {subnet.zone_id for subnet in subnets if subnet.zone_id} - offering
    if elsewhere or (subnets and not offering):
        place, at = zones_path(group, fleet)
        where = or_list(sorted(offering))
        not_in = f", not in {and_list(elsewhere)}" if elsewhere else ""
        got = f"Muster's table lists {instance} in {where} of {fleet.region}{not_in}"
        instead = f"use subnets in {where}" if offering else "use another Region"
        change = (instead, "query AWS (`aws ec2 describe-instance-type-offerings`)")
        yield rule.finding(group, at, place=place, got=got, change=change)
    unknown = [subnet.id for subnet in subnets if not subnet.zone_id]
    if offering and unknown:
        missing = f"the zone ids of {and_list(unknown)}"
        missing += ", which you can also set in the network's zone-ids" if group.place.described else ""
        raise NotKnown(fleet.missing(missing))
