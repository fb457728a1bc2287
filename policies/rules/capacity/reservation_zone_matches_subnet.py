"""A reservation's zone, compared with its group's subnets."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import ComputeResource, Fleet
from muster.fleet.resources.fleet import Ec2Group
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.capacity_targets import Kind, Target, declared_capacity, target_of
from muster.policies.lookups.zones import in_one_zone
from muster.unknown import NotKnown


def reservation_zone_matches_subnet(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = target_of(group, fleet)
    # group-has-subnet reports a missing subnet, reservation-group-usable an empty group of reservations.
    if target is None or group.subnets == () or target.empty:
        return
    reserved, observed = _zones(target, group)
    if facts_observed(fleet) and any(each.observed and each.known.zone is None for each in target.known):
        # Nothing confirms what the description states.
        raise NotKnown(fleet.missing(f"the zone of {target.name}"))
    zones = fleet.zones_of(group.subnets)
    if reserved is None and zones and len(zones) > 1 and target.kind is not Kind.GROUP:
        got = f"{target.name} is in one zone, but the group's subnets are in {and_list(zones)}"
        yield rule.finding(group, f"{target.at}.zone", got=got, change="keep only the subnet in its zone")
        return
    reserved = target.need(reserved, f"the zone of {target.name}", fleet)
    zones = fleet.need(zones, f"the zones of subnets {name_list(group.subnets)}")
    if zones - reserved:
        source = " according to AWS" if observed else ""
        best = reserved & zones or reserved
        of_queue = isinstance(group, ComputeResource)
        there = in_one_zone(best, "zones" if of_queue else "zone", "in its queue" if of_queue else "")
        stated = declared_capacity(group) and not observed and not reserved & zones
        got = f"{target.name} is in {and_list(reserved)}{source}, but the group's subnets are in {and_list(zones)}"
        yield rule.finding(
            group, f"{target.at}.zone", got=got, change=(there, set_to(*sorted(zones))) if stated else there
        )


def _zones(target: Target, group: Ec2Group) -> tuple[frozenset[str] | None, bool]:
    """The zones of the capacity, and whether AWS stated them. A group of reservations may be in several zones."""
    observed = frozenset(each.known.zone for each in target.known if each.known.zone)
    if not target.missing and all(each.known.zone for each in target.known):
        return observed, all(each.observed for each in target.known)
    declared = declared_capacity(group)
    return (frozenset({declared.zone}) if declared else None), False
