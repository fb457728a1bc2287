"""Reservations, compared with the groups on them: instance type, zone, instances, whether they can be used."""

from collections.abc import Iterator, Sequence

from muster.edits import lower_to, set_to
from muster.fleet.facts import ReservationFacts, ReservationState
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.message_text import count_noun
from muster.object_cache import cached_by_identity
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.capacity_targets import (
    PLATFORM,
    Holding,
    Kind,
    Sharing,
    Target,
    block_is_over,
    declared_capacity,
    groups_on_target,
    platform_of,
    reservation_faults,
    short_name,
    target_of,
    types_of,
)
from muster.policies.lookups.zones import in_one_zone, zones_path
from muster.unknown import NotKnown, if_known, needed, stored


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
    declared = declared_capacity(group)
    if declared and declared.zone not in reserved and zones and not zones - reserved:
        got = f"the description sets zone {declared.zone} for {target.name}, but AWS reports {and_list(reserved)}"
        yield rule.finding(group, f"{target.at}.zone", got=got, change=set_to(*sorted(reserved)))
    zones = fleet.need(zones, f"the zones of subnets {name_list(group.subnets)}")
    if zones - reserved:
        source = " according to AWS" if observed else ""
        best = reserved & zones or reserved
        place, at = zones_path(group, fleet)
        elsewhere = place.described and place != group.place
        there = in_one_zone(best, group, fleet, at=f"/{place.path(at)}" if elsewhere else at)
        stated = declared and not observed and not reserved & zones
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


_LARGER = {
    Kind.RESERVATION: "use a larger reservation",
    Kind.GROUP: "add reservations to the reservation group",
    Kind.BLOCK: "use a larger block",
}


def reservation_covers_nodes(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = target_of(group, fleet)
    if target is None or target.empty:
        return
    what = f"the number of instances in {target.name}"
    # AWS need not state how many instances a block that waits holds.
    stated = (each.known for each in target.known if each.observed and each.known.state in _RUNNING)
    if facts_observed(fleet) and any(each.total_instances is None for each in stated):
        raise NotKnown(fleet.missing(what))  # nothing confirms what the description states
    everyone = groups_on_target(target, fleet)
    for sharing in (((group, target),), everyone):
        count, observed = _instances(group, target, sharing, fleet)
        held = target.need(count, what, fleet)
        names, wanted = _wanted(sharing)
        declared = declared_capacity(group)
        if wanted > held:
            source = " according to AWS" if observed else ""
            fewer = lower_to(held, at="nodes.max", words="" if len(sharing) == 1 else f"in total of {names}")
            got = f"{target.name} has {count_noun(held, 'instance')} for {names}{source}, which may grow to {wanted}"
            yield rule.finding(group, f"{target.at}.count", got=got, change=(fewer, _LARGER[target.kind]))
            return
        if declared and observed and declared.count != held and len(sharing) == 1:
            got = f"the description sets count {declared.count} for {target.name}, but AWS reports {held}"
            yield rule.advice.finding(group, f"{target.at}.count", got=got, change=set_to(held))
    needed(*(each.nodes_max for each, _ in everyone))  # those that are not known may be more


_RUNNING = (ReservationState.ACTIVE, None)


def reservation_free_for_nodes(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = target_of(group, fleet)
    if target is None or not _judged(target):
        return
    sharing = groups_on_target(target, fleet)
    if sharing[0][0].ref != group.ref:
        return  # reported once
    reserved, _ = _instances(group, target, sharing, fleet)
    names, wanted = _wanted(sharing)
    if reserved and wanted > reserved:
        return  # reservation-covers-nodes reports that it is too small
    starting = sum(if_known(lambda: each.nodes_start, 0) for each, _ in sharing)
    each_free = [each.known.available_instances for each in _usable(group, target, sharing, fleet)]
    free = None if None in each_free else sum(each or 0 for each in each_free)
    if starting and facts_observed(fleet):
        free = fleet.need(free, f"the number of free instances in {target.name}")
    if free is not None and starting > free:
        got = (
            f"{target.name} has {count_noun(free, 'free instance')} according to AWS (including those that this "
            f"stack runs), but {names} start with {count_noun(starting, 'node')}"
        )
        total = "" if len(sharing) == 1 else f"in total of {names} "
        alone = group.nodes_max == group.nodes_start  # a single number of nodes is at least 1
        until = f"{total}until others release instances"
        fewer = lower_to(free, at="nodes.start", words=until) if free or not alone else f"wait {until}"
        yield rule.finding(group, "nodes", got=got, change=(fewer, "have its owner enlarge it"))
    elif free is not None:
        needed(*(each.nodes_start for each, _ in sharing))  # those that are not known may be more


@cached_by_identity(1024)
def _wanted(sharing: Sharing) -> tuple[str, int]:
    """The names of groups that share reservations, and the number of nodes that they may grow to, as far as known."""
    return and_list(each.ref.name for each, _ in sharing), sum(stored(each, "nodes_max", 0) for each, _ in sharing)


def _instances(group: Ec2Group, target: Target, sharing: Sharing, fleet: Fleet) -> tuple[int | None, bool]:
    """The number of instances that all groups that share its reservations can get together, and whether AWS states it.
    If it does not, the description's."""
    union = _usable(group, target, sharing, fleet)
    totals = [_held(each.known) for each in union]
    if None not in totals and not any(of.missing for _, of in sharing):
        return sum(each or 0 for each in totals), all(each.observed for each in union)
    declared = declared_capacity(group) if all(of.ref == target.ref for _, of in sharing) else None
    return declared.count if declared else None, False


def _usable(group: Ec2Group, target: Target, sharing: Sharing, fleet: Fleet) -> list[Holding]:
    """All reservations that the group, or a group with another target, can use, each once."""
    pairs = [(group, target), *(each for each in sharing if each[1].ref != target.ref)]
    return [*{held.ref: held for each, of in pairs for held in _fitting(of, each, fleet)}.values()]


def _fitting(target: Target, group: Ec2Group, fleet: Fleet) -> Sequence[Holding]:
    """The reservations that instances of the group match. If none matches, all of them: other rules report what is
    wrong with them."""
    types = if_known(lambda: types_of(group, fleet))
    zones = if_known(lambda: fleet.zones_of(group.subnets))
    platform = platform_of(group, fleet)

    def fits(known: ReservationFacts) -> bool:
        return (
            (types is None or known.instance_type in {None, *types})
            and (zones is None or known.zone in {None, *zones})
            and not any(reservation_faults(known, target.kind, fleet.as_of, platform))
        )

    return [each for each in target.known if fits(each.known)] or target.known


def _judged(target: Target) -> bool:
    """Whether AWS stated all of its reservations, and one of them runs. A block that has not begun has no free
    instances; other rules report what is over, or not known (reservation-covers-nodes)."""
    running = (each.known.exists is not False and each.known.state in _RUNNING for each in target.holdings)
    return all(each.observed for each in target.holdings) and any(running)


def reservation_usable(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = target_of(group, fleet)
    # A block whose dates in the description are over: capacity-block-dates and capacity-block-begun report it.
    if target is None or target.empty or block_is_over(group, target, fleet.as_of):
        return
    platform = platform_of(group, fleet)
    faults = {
        each: list(reservation_faults(each.known, target.kind, fleet.as_of, platform)) for each in target.holdings
    }
    sound = [each for each, wrong in faults.items() if not wrong]
    if not sound:
        each = and_list(f"{short_name(holding.ref)} {and_list(wrong)}" for holding, wrong in faults.items())
        usable = f"use a {target.noun} that is active and has platform {platform or PLATFORM} and default tenancy"
        change = (usable, "target it as the kind of capacity that it is")
        got = f"no instance can launch into {target.name}: {each}"
        yield rule.finding(group, target.named_at, got=got, change=change)
    elif platform is None:
        raise NotKnown(f"the cluster's operating system, which {target.name} must match")
    elif all(_open(each, target) for each in sound):
        one = sound[0]
        what = f"the {and_list(_open(one, target))} of {target.name}"
        inside = f": {short_name(one.ref)}" if target.kind is Kind.GROUP else ""
        raise NotKnown(fleet.missing(f"{what}{inside}"))


def _open(holding: Holding, target: Target) -> list[str]:
    """The unknown values of a reservation. A block that this program buys has no state yet; a reservation without an
    end has no end date."""
    known = holding.known
    needed: dict[str, object] = {
        "platform": known.platform,
        "tenancy": known.tenancy,
        "reservationType": known.reservation_type,
    }
    needed |= {} if target.bought else {"state": known.state}
    needed |= {"end": known.end} if known.end_type == "limited" else {}
    return [name for name, value in needed.items() if value is None]


def _held(known: ReservationFacts) -> int | None:
    """The number of instances that it holds; None if AWS does not report it.

    EC2 counts the instances of a Capacity Block, or of a future-dated reservation, only after it becomes active. Before
    that, 0 has no meaning, and the declared number applies. If EC2 does not report the state, its number applies:
    Muster does not assume capacity that EC2 does not report.
    """
    uncounted = known.state not in {None, ReservationState.ACTIVE} and not known.total_instances
    return None if uncounted else known.total_instances
