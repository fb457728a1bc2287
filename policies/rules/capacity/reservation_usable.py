"""Whether a reservation can be launched into at all."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.engine.finding_text import and_list
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.capacity_targets import (
    BLOCK_TYPE,
    PLATFORM,
    Holding,
    Kind,
    Target,
    block_is_over,
    platform_of,
    reservation_faults,
    short_name,
    target_of,
)


@rule(
    "reservation-usable",
    title="A reservation is active, for the nodes' platform, of default tenancy, and of the kind that it is named as",
    severity=Severity.CRITICAL,
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="Nothing launches into a reservation that is over, for another platform or tenancy; a Capacity Block takes a "
    "market type and a capacity type of its own, which other reservations refuse.",
    source="EC2 API, CapacityReservation; ParallelCluster ec2_validators.py (type)",
    remedy="Name a reservation that instances can be launched into.",
    facts=("rules.md#20", "rules.md#24", "rules.md#26", "pains.md#4"),
)
def reservation_usable(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, _ = target_of(group, fleet)  # reservation-zone-matches-subnet reports an unknown target
    # A block whose dates in the description are over: capacity-block-dates and capacity-block-begun report it.
    if target is None or target.empty or block_is_over(group, target, fleet.as_of):
        return
    if target.missing:
        yield rule.unjudged(group.place, target.missing)
        return
    platform = platform_of(group, fleet)
    faults = {
        each: list(reservation_faults(each.known, target.kind, fleet.as_of, platform)) for each in target.holdings
    }
    sound = [each for each, wrong in faults.items() if not wrong]
    if not sound:
        yield rule.finding(
            group.place, at=target.named_at, got=_got(target, faults), remedy=_remedy(target, faults, platform)
        )
    elif platform is None:
        yield rule.unjudged(group.place, f"the cluster's operating system, which {target.name} must be for")
    elif all(_open(each, target) for each in sound):
        one = sound[0]
        what = f"the {and_list(_open(one, target))} of {target.name}"
        inside = f": {short_name(one.ref)}" if target.kind is Kind.GROUP else ""
        yield rule.unjudged(group.place, fleet.missing(f"{what}{inside}"))


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


def _got(target: Target, faults: dict[Holding, list[str]]) -> str:
    if target.kind is not Kind.GROUP:
        return f"{target.name} {and_list(*faults.values())}"
    each = and_list(f"{short_name(holding.ref)} {and_list(wrong)}" for holding, wrong in faults.items())
    return f"nothing in {target.name} can be launched into: {each}"


def _remedy(target: Target, faults: dict[Holding, list[str]], platform: str | None) -> str:
    types = {each.known.reservation_type for each in faults}
    if target.kind is Kind.RESERVATION and types == {BLOCK_TYPE}:
        return "say capacity-block instead of reservation, or name a reservation"
    if target.kind is Kind.BLOCK and types == {"default"}:
        return "say reservation instead of capacity-block, or name a block"
    if target.kind is Kind.BLOCK and any(each.known.platform not in (None, platform or PLATFORM) for each in faults):
        return f"name a Capacity Block that is for {platform or PLATFORM}, is paid and has not ended"
    if target.kind is Kind.BLOCK:
        return "name a Capacity Block that is paid and has not ended"
    return f"name a reservation that is active, for {platform or PLATFORM} and of default tenancy"
