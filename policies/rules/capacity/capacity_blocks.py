"""Capacity Blocks: their dates, the nodes on them, what AWS sells, who approves a purchase, launch templates."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache

from muster.cost import prices
from muster.edits import remove, set_to
from muster.fleet.resources import CapacityBlockPurchase, Fleet, LaunchTemplate, NodeGroup
from muster.fleet.resources.ec2 import APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.resources.fleet import Ec2Group, machine
from muster.hardware.catalogue import accelerated_types, hardware
from muster.hardware.offerings import zones_offering
from muster.hardware.tables import read_table
from muster.hardware.ultraservers import ends_minutes_before
from muster.message_text import or_list
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_targets import (
    BLOCK_CAPACITY,
    BLOCK_MARKET,
    WAITING,
    Kind,
    block_days,
    block_end,
    block_is_over,
    block_not_begun,
    block_of,
    on_block,
    target_of,
    template_on_block,
    types_of,
)
from muster.policies.lookups.launch_templates import template_of
from muster.unknown import any_of, if_known, needed, stored


def capacity_block_dates(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _declared(group, fleet, rule)
    yield from _observed(group, fleet, rule)


def _declared(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges by the dates of the description."""
    block, target = block_of(group), if_known(lambda: target_of(group, fleet))
    if block is None or not block.active:
        return
    at = "capacity.capacity-block.active"
    # If AWS has other dates, capacity-block-drained judges by them; if it states that it does not run, other rules do.
    if block_not_begun(group, target, fleet.as_of):
        got = f"active is true on {fleet.as_of}, but the block starts on {block.starts}"
        yield rule.finding(group, at, got=got, change=set_to(False))
    elif block_is_over(group, target, fleet.as_of) and not block.buy:  # else capacity-block-not-bought-again
        got = f"active is true on {fleet.as_of}, but the block is over: its last day is {block.ends}"
        yield rule.finding(group, at, got=got, change=(set_to(False), _NEXT, "remove the group"))


_NEXT = set_to(words="the id of the next block", at="capacity.capacity-block.id")


def _observed(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges by AWS's state of the block."""
    target = None if if_known(lambda: group.nodes_start) == 0 else target_of(group, fleet)
    if target is None or target.empty or target.kind is not Kind.BLOCK:
        return
    if block_not_begun(group, target, fleet.as_of) or block_is_over(group, target, fleet.as_of):
        return
    known, declared = target.known[0].known, block_of(group)
    if target.bought and declared is None:
        target.need(known.start, f"the start of {target.name}", fleet)
    later = known.start is not None and known.start.date() > fleet.as_of
    if later or known.state in WAITING:
        waits = f"starts on {known.start.date()}" if later and known.start else f"is {known.state}"
        got = f"{target.name} {waits} according to AWS, but the group starts with {group.nodes_start} nodes"
        change = set_to(False) if declared else set_to(0, at="nodes.start", words="until the block has begun")
        yield rule.finding(group, "capacity.capacity-block.active", got=got, change=change)


def capacity_block_begun(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block, target = block_of(group), if_known(lambda: target_of(group, fleet))
    # ParallelCluster and PCS wait for the block by themselves: the description's `active` has no effect.
    slurm = not isinstance(group, NodeGroup)
    if block is None or (block.active and not slurm):
        return
    at, (starts, ends) = "capacity.capacity-block.active", block_days(block, group, target)
    waits = target is not None and any(each.known.state in WAITING for each in target.known)
    if block_is_over(group, target, fleet.as_of):
        if block.ends > block.starts and not block.buy:  # else capacity-block-not-bought-again
            at = "capacity.capacity-block.ends" if slurm else at
            yield rule.finding(group, at, got=f"the block ended on {ends}", change=(_NEXT, "remove the group"))
    elif starts <= fleet.as_of < ends and not waits and not slurm:
        got = f"the block runs from {starts} to {ends}, but active is false, so the group has no nodes"
        yield rule.finding(group, at, got=got, change=set_to(True))


def capacity_block_not_bought_again(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    if block and block.buy and block.starts < block.ends <= fleet.as_of:
        got = f"the group still buys {block.buy.offering}, a block that ended on {block.ends}"
        bought = set_to(words="that of the block that was bought", at="capacity.capacity-block.id")
        yield rule.finding(group, "capacity.capacity-block.buy", got=got, change=(bought, "remove the block"))


def capacity_block_drained(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.drained_by_its_service or not on_block(group, fleet):
        return
    target, block = if_known(lambda: target_of(group, fleet)), block_of(group)
    if block and (not block.active or block_is_over(group, target, fleet.as_of)):
        return  # without nodes, or over: capacity-block-dates and capacity-block-begun report it
    if if_known(lambda: (group.zero_at, group.nodes_start, group.nodes_min)) == ((), 0, 0):
        return  # it has no nodes yet, so it needs no schedule yet
    end = block_end(group, target)
    taken = end - _taken_before(group, fleet) if end else None
    by = f"at {_text(taken - _DRAINING)}" if taken else "an hour before the block ends"
    change = f"scale it to 0 nodes {by} or earlier, by an {rule.terms.type('aws.autoscaling.Schedule')}"
    if not group.zero_at:
        got = "no schedule scales the group to 0 nodes before its Capacity Block ends"
        yield rule.finding(group, "capacity.capacity-block.ends", got=got, change=change)
    elif end is None or taken is None:
        what = f"the end of {target.name if target else 'its Capacity Block'}"
        if target:
            target.need(end, what, fleet)
        fleet.need(end, what)
    elif not any((moment := _moment(each)) and moment + _LATE < taken for each in group.zero_at):
        # Muster's schedule runs at one fixed time of day: if the block ends before that time, the day before counts.
        day = end.date() if block and block.ends > end.date() else end.date() - timedelta(days=1)
        got = f"the group scales to 0 nodes at {and_list(group.zero_at)}, but its Capacity Block ends at {_text(end)}"
        fix = set_to(str(day)) if block else change
        yield rule.finding(group, "capacity.capacity-block.ends", got=got, change=fix)


_LATE = timedelta(minutes=2)
"""How late a scheduled action may run (EC2 Auto Scaling user guide, "Scheduled scaling")."""
_DRAINING = timedelta(minutes=30)
"""The time that nodes should have to drain before EC2 begins."""


def _taken_before(group: NodeGroup, fleet: Fleet) -> timedelta:
    """How long before the end EC2 begins to take instances back. Those of some UltraServers must be gone before."""
    stated = [ends_minutes_before(each) or 0 for each in if_known(lambda: types_of(group, fleet), ())]
    return timedelta(minutes=max(stated, default=0) or 30)


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def capacity_block_sold(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not on_block(group, fleet):
        return

    def owned() -> bool:
        """Whether the account has the block."""
        known = fleet.facts.reservations if fleet.facts else {}
        return bool(known) and (target := target_of(group, fleet)) is not None and str(target.ref) in known

    def judge(instance: str) -> Iterator[Verdict]:
        if machine(instance).capacity_block == "false":
            sold = [each for each in accelerated_types() if hardware(each).capacity_block == "true"]
            got = f"the group is on a Capacity Block of {instance}, but AWS sells none"
            own = set_to(words=f"the type of the block, one of {or_list(sold)}")
            yield rule.finding(group, "instance", got=got, change=(own, "use other capacity"))
        elif fleet.region and not may_sell_blocks(instance, fleet.region) and not owned():
            got = f"the group is on a Capacity Block of {instance} in {fleet.region}, but AWS sells none there"
            change = f"use the Region {or_list(sorted(regions_with_blocks(instance)))}, or another instance type"
            yield rule.finding(group, "instance", got=got, change=change)

    yield from rule.each(sorted(types_of(group, fleet)), judge, group.place)


@cache
def regions_with_blocks(instance: str) -> frozenset[str]:
    """The Regions in which AWS's prices or its guide have Capacity Blocks of a type."""
    block = prices.Item(prices.Kind.CAPACITY_BLOCK, instance)
    priced = {region for item, region in prices.price_rows() if item == block}
    listed = {row["region"] for row in read_table("capacity_block_regions.csv") if row["instance_type"] == instance}
    return frozenset(priced | listed)


def may_sell_blocks(instance: str, region: str) -> bool:
    """Whether there may be blocks of a type in a Region. Prices, guide and offers contradict each other: one that has
    the pair is enough. True for a type or a Region that none of them lists."""
    regions = regions_with_blocks(instance)
    return not regions or region in regions or zones_offering(instance, region) != frozenset()


def capacity_block_purchase_approved(purchase: CapacityBlockPurchase, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    approval = [stored(purchase, each, "not known yet") for each in ("approved_by", "approved_offering")]
    if not all((each or "").strip() for each in approval):
        named = if_known(lambda: purchase.offering, "cb-...")
        change = set_to(
            {"offering": named, "by": "NAME"},
            words="with the name of who approves it",
            in_program={APPROVED_OFFERING_TAG: named, APPROVAL_TAG: "NAME"},
        )
        got = f"the stack buys {stored(purchase, 'offering', 'an offering')}, but states no approval of it"
        yield rule.finding(purchase, "approved", got=got, change=(change, "do not buy the block"))
    elif purchase.approved_by and purchase.approved_offering != purchase.offering:
        got = f"the stack buys {purchase.offering}, but {purchase.approved_by} approved {purchase.approved_offering}"
        other = set_to(purchase.approved_offering, at="offering")
        yield rule.finding(purchase, "approved", got=got, change=(other, f"have {purchase.offering} approved"))


def capacity_block_template(thing: LaunchTemplate | NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from (
        _of_template(thing, fleet, rule) if isinstance(thing, LaunchTemplate) else _of_managed_group(thing, fleet, rule)
    )


def _of_template(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the launch template."""
    if template.of_karpenter:
        return  # it sets the market type of a block itself
    groups = tuple(fleet.groups_of(template))
    # If the description has a reservation and AWS has a block, reservation-usable reports it.
    described = [group for group in groups if group.capacity is not None]
    if not any_of(
        *(lambda group=group: on_block(group, fleet) for group in groups),
        lambda: not described and template_on_block(template, fleet),
    ):
        return
    lacking = {
        _MARKET: lambda: template.market_type != BLOCK_MARKET,
        # A specification without target and preference is reported by reservation-target-clear.
        _ID: lambda: (
            not template.target.has_target
            and all(group.target is None for group in groups)
            and "capacityReservationSpecification" not in template.settings
        ),
        # Types in the group instead are `_of_managed_group`'s.
        _TYPE: lambda: template.instance is None and all(group.instance_types == () for group in groups),
    }
    missing = [name for name, lacks in lacking.items() if if_known(lacks)]
    if missing:
        got = f"the template is for a Capacity Block, but does not set {and_list(map(rule.terms.key, missing))} for it"
        change = f"set {and_list(f'{rule.terms.key(each)} to {_VALUES[each]}' for each in missing)}"
        yield rule.finding(template, "capacity", got=got, change=change)
    needed(template.market_type)


_MARKET, _ID = "instanceMarketOptions.marketType", "capacityReservationTarget.capacityReservationId"
_TYPE = "instanceType"
_VALUES = {_MARKET: BLOCK_MARKET, _ID: "the block's id", _TYPE: "the block's type"}


def _of_managed_group(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges a managed group."""
    if not group.managed or not any_of(
        lambda: group.capacity_type == BLOCK_CAPACITY,
        lambda: (template := fleet.template_of(group)) is not None and template.market_type == BLOCK_MARKET,
    ):
        return
    if if_known(lambda: group.instance_types):
        given = f"{rule.terms.key('instanceTypes')} is {and_list(group.instance_types)}"
        got = f"{given}, but a Capacity Block holds one type, which EKS reads from the launch template"
        yield rule.finding(group, "", got=got, change=remove(at="instanceTypes"))
    if if_known(lambda: group.template, "") is None:
        got = f"{rule.terms.key('capacityType')} is {BLOCK_CAPACITY}, but the group has no launch template"
        change = set_to(words="one that targets the block", at="launchTemplate")
        yield rule.finding(group, "", got=got, change=change)
    if group.capacity_type != BLOCK_CAPACITY:
        capacity_type = group.capacity_type or "ON_DEMAND (EKS's default)"
        yield rule.finding(
            group,
            "",
            got=f"{rule.terms.key('capacityType')} is {capacity_type}, but the launch template is for a Capacity Block",
            change=(set_to(BLOCK_CAPACITY, at="capacityType"), f"remove {rule.terms.key(_MARKET)} from the template"),
        )
    needed(template_of(group, fleet), group.instance_types)
