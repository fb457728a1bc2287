"""Which Capacity Blocks AWS sells, and who approves a purchase."""

from collections.abc import Iterator

from muster.edits import set_to
from muster.finding import Level
from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import CapacityBlockPurchase, ComputeNodeGroup, ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.ec2 import APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.resources.fleet import Ec2Group, machine
from muster.hardware.catalogue import accelerated_types, hardware
from muster.message_text import or_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.capacity_block_regions import may_sell_blocks, regions_with_blocks
from muster.policies.lookups.capacity_targets import on_block, target_of, types_of
from muster.unknown import if_known, stored


@rule(
    "capacity-block-sold",
    title="AWS sells Capacity Blocks of the group's instance type in the stack's Region",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="AWS sells blocks only of P4, P5, P6 and Trainium types, not of G5 or trn1n, and not in every Region. A block "
    "and its nodes are in one Region. Where AWS sells no block of the type, the group never gets a node.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2-capacity-blocks.html",
        "https://aws.amazon.com/ec2/capacityblocks/pricing/",
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html",
    ),
    remedy="Use a type and a Region in which AWS sells blocks, or other capacity.",
    facts=("rules.md#23", "hardware.md#R16", "hardware.md#D16", "hardware.md#D27"),
)
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


@rule(
    "capacity-block-purchase-approved",
    title="A named person approves the purchase of a Capacity Block, for exactly its offering",
    severity=Severity.CRITICAL,
    judges=CapacityBlockPurchase,
    backends=IN_EC2,
    why="The deployment pays the whole block at once, and the purchase cannot be undone: `destroy` only removes the "
    "block from the state, and AWS does not cancel it. If the offering changes, an older approval was for another one.",
    source=(
        "https://www.pulumi.com/registry/packages/aws/api-docs/ec2/capacityblockreservation/",
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_CancelCapacityReservation.html",
    ),
    remedy=f"State who approves which offering: with approved in a description, with the tags {APPROVAL_TAG} and "
    f"{APPROVED_OFFERING_TAG} in a program.",
    facts=("rules.md#20", "pains.md#trap-2"),
)
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
