"""Whether instances can launch into a reservation at all."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet
from muster.fleet.resources.fleet import Ec2Group
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import (
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
from muster.unknown import NotKnown


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
        change = _remedy(target, faults, platform or PLATFORM)
        yield rule.finding(group, target.named_at, got=_got(target, faults), change=change)
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


def _got(target: Target, faults: dict[Holding, list[str]]) -> str:
    if target.kind is not Kind.GROUP:
        return f"{target.name} {and_list(*faults.values())}"
    each = and_list(f"{short_name(holding.ref)} {and_list(wrong)}" for holding, wrong in faults.items())
    return f"no instance can launch into {target.name}: {each}"


def _remedy(target: Target, faults: dict[Holding, list[str]], platform: str) -> str:
    types = {each.known.reservation_type for each in faults}
    if target.kind is Kind.RESERVATION and types == {BLOCK_TYPE}:
        return "use it as a Capacity Block, or use an On-Demand Capacity Reservation"
    if target.kind is Kind.BLOCK and types == {"default"}:
        return "use it as an On-Demand Capacity Reservation, or use a Capacity Block"
    if target.kind is Kind.BLOCK:
        return f"use a Capacity Block that is paid, has not ended and has platform {platform}"
    return f"use a reservation that is active and has platform {platform} and default tenancy"
