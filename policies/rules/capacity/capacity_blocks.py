"""Capacity Blocks: their dates, the nodes on them, what AWS sells, who approves a purchase, launch templates."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from muster.edits import remove, set_to
from muster.fleet.facts import ReservationFacts, ReservationState
from muster.fleet.resources import CapacityBlockPurchase, Fleet, LaunchTemplate, NodeGroup
from muster.fleet.resources.ec2 import APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.resources.fleet import Ec2Group, machine
from muster.hardware.catalogue import accelerated_types, hardware
from muster.policies.engine.finding_text import and_list, or_list, quantity_text
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_block_regions import may_sell_blocks, regions_with_blocks
from muster.policies.lookups.capacity_targets import (
    BLOCK_CAPACITY,
    BLOCK_MARKET,
    Kind,
    awaits_block,
    block_days,
    block_end,
    block_is_over,
    block_not_begun,
    block_of,
    drain_time,
    drained_in_time,
    on_block,
    target_of,
    template_on_block,
    types_of,
)
from muster.policies.lookups.launch_templates import template_of
from muster.unknown import any_of, if_known, stored


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
    declared = block_of(group)
    if if_known(lambda: group.nodes_start) == 0:
        return
    target = target_of(group, fleet)
    if target is None or target.empty or target.kind is not Kind.BLOCK:
        return
    if block_not_begun(group, target, fleet.as_of) or block_is_over(group, target, fleet.as_of):
        return
    known = target.known[0].known
    if target.bought and declared is None:
        target.need(known.start, f"the start of {target.name}", fleet)
    if waiting := _waiting(known, fleet):
        yield rule.finding(
            group,
            "capacity.capacity-block.active",
            got=f"{target.name} {waiting} according to AWS, but the group starts with "
            f"{quantity_text(group.nodes_start, 'node')}",
            change=set_to(False) if declared else set_to(0, at="nodes.start", words="until the block has begun"),
        )


def _waiting(known: ReservationFacts, fleet: Fleet) -> str:
    if known.start and known.start.date() > fleet.as_of:
        return f"starts on {known.start.date()}"
    return f"is {known.state}" if known.state in (ReservationState.SCHEDULED, ReservationState.PAYMENT_PENDING) else ""


def capacity_block_begun(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block, target = block_of(group), if_known(lambda: target_of(group, fleet))
    days = block_days(group, target)
    # ParallelCluster and PCS wait for the block by themselves: the description's `active` has no effect.
    slurm = not isinstance(group, NodeGroup)
    if block is None or (block.active and not slurm) or days is None:
        return
    at, (starts, ends) = "capacity.capacity-block.active", days
    if block_is_over(group, target, fleet.as_of):
        if block.ends > block.starts and not block.buy:  # else capacity-block-not-bought-again
            at = "capacity.capacity-block.ends" if slurm else at
            yield rule.finding(group, at, got=f"the block ended on {ends}", change=(_NEXT, "remove the group"))
    elif starts <= fleet.as_of < ends and not awaits_block(target) and not slurm:
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
    target = if_known(lambda: target_of(group, fleet))
    end, block = block_end(group, target), block_of(group)
    if block and (not block.active or block_is_over(group, target, fleet.as_of)):
        return  # without nodes, or over: capacity-block-dates and capacity-block-begun report it
    if if_known(lambda: (group.zero_at, group.nodes_start, group.nodes_min)) == ((), 0, 0):
        return  # it has no nodes yet, so it needs no schedule yet
    if not group.zero_at:
        when = f"at {_text(drain_time(end, group, fleet))}" if end else "an hour before the block ends"
        got = "no schedule scales the group to 0 nodes before its Capacity Block ends"
        change = f"add an {rule.terms.type('aws.autoscaling.Schedule')} that does, {when} or earlier"
        yield rule.finding(group, "capacity.capacity-block.ends", got=got, change=change)
        return
    what = f"the end of {target.name if target else 'its Capacity Block'}"
    end = target.need(end, what, fleet) if target else fleet.need(end, what)
    if not drained_in_time(group, target, fleet):
        when = _text(drain_time(end, group, fleet))
        # Muster's schedule runs at one fixed time of day: if the block ends before that time, the day before counts.
        day = end.date() if block and block.ends > end.date() else end.date() - timedelta(days=1)
        yield rule.finding(
            group,
            "capacity.capacity-block.ends",
            got=f"the group scales to 0 nodes at {and_list(group.zero_at)}, but its Capacity Block ends at "
            f"{_text(end)}",
            change=set_to(str(day)) if block else f"scale it to 0 nodes by a schedule at {when} or earlier",
        )


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def capacity_block_sold(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from _of_type(group, fleet, rule)
    yield from _in_region(group, fleet, rule)


def _of_type(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the instance type."""
    if not on_block(group, fleet):
        return

    def judge(instance: str) -> Iterator[Verdict]:
        if machine(instance).capacity_block == "false":
            got = f"the group is on a Capacity Block of {instance}, but AWS sells none"
            yield rule.finding(group, "instance", got=got, change=(set_to(*_sold()), "use other capacity"))

    yield from rule.each(sorted(types_of(group, fleet)), judge, group.place)


def _sold() -> list[str]:
    return [each for each in accelerated_types() if hardware(each).capacity_block == "true"]


def _in_region(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the Region."""
    if not on_block(group, fleet) or not fleet.region:
        return
    known = fleet.facts.reservations if fleet.facts else {}
    if known and (target := target_of(group, fleet)) and str(target.ref) in known:
        return  # the account has the block
    for each in sorted(types_of(group, fleet)):
        if not may_sell_blocks(each, fleet.region):
            got = f"the group is on a Capacity Block of {each} in {fleet.region}, but AWS sells none there"
            change = f"use the Region {or_list(sorted(regions_with_blocks(each)))}, or another instance type"
            yield rule.finding(group, "instance", got=got, change=change)


def capacity_block_purchase_approved(purchase: CapacityBlockPurchase, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    offering = stored(purchase, "offering", "an offering")
    blank = "not known yet"
    tags = (
        (APPROVAL_TAG, stored(purchase, "approved_by", blank)),
        (APPROVED_OFFERING_TAG, stored(purchase, "approved_offering", blank)),
    )
    lacking = [tag for tag, value in tags if not (value or "").strip()]
    if lacking:
        named = if_known(lambda: purchase.offering, "cb-...")
        approval = set_to(
            {"offering": named, "by": "NAME"},
            words="with the name of who approves it",
            in_program={APPROVED_OFFERING_TAG: named, APPROVAL_TAG: "NAME"},
        )
        yield rule.finding(
            purchase,
            "approved",
            got=f"the stack buys {offering}, but does not state "
            + ("who approves the purchase" if APPROVAL_TAG in lacking else "which offering is approved"),
            change=(approval, "do not buy the block"),
        )
        return
    by, approved, offering = purchase.approved_by, purchase.approved_offering, purchase.offering
    if approved != offering:
        got = f"the stack buys {offering}, but {by} approved {approved}"
        change = (set_to(approved, at="offering"), f"have {offering} approved")
        yield rule.finding(purchase, "approved", got=got, change=change)


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
    _ = template.market_type


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
    template_of(group, fleet)
    _ = group.instance_types
