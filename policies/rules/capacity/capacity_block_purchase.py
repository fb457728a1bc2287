"""Which Capacity Blocks AWS sells, and who approves a purchase."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import CapacityBlockPurchase, Fleet
from muster.fleet.resources.ec2 import APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.resources.fleet import Ec2Group, machine
from muster.hardware.catalogue import accelerated_types, hardware
from muster.policies.engine.finding_text import or_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.capacity_block_regions import may_sell_blocks, regions_with_blocks
from muster.policies.lookups.capacity_targets import on_block, target_of, types_of
from muster.unknown import if_known, stored


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
