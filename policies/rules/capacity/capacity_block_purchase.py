"""Which Capacity Blocks AWS sells, and who approves a purchase."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import CapacityBlockPurchase, ComputeNodeGroup, ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.ec2 import APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.catalogue import UnknownInstance, accelerated_types, hardware
from muster.policies.engine.finding_text import and_list, or_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.engine.transition import pair_of
from muster.policies.lookups.capacity_block_regions import may_sell_blocks, regions_with_blocks
from muster.policies.lookups.capacity_targets import on_block, target_of, types_of
from muster.policies.lookups.property_names import type_property
from muster.unknown import UNKNOWN, if_known


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
    if not if_known(lambda: on_block(group, fleet)):
        return
    types = if_known(lambda: types_of(group, fleet))
    if types is None:
        yield rule.unjudged(group.place, "the group's instance type")
        return
    for each in sorted(types):
        try:
            sold_as = hardware(each).capacity_block
        except UnknownInstance:
            what = f"whether AWS sells {each}, a type that Muster does not know, in Capacity Blocks"
            yield rule.unjudged(group.place, what)
            continue
        if sold_as == "false":
            yield rule.finding(
                group.place,
                at="instance",
                got=f"the group is on a Capacity Block of {each}, but AWS sells none",
                remedy=f"use one of {and_list(_sold())}, or other capacity",
                program_remedy=f"set {type_property(group)} to {or_list(_sold())}, or use other capacity",
            )


def _sold() -> list[str]:
    return [each for each in accelerated_types() if hardware(each).capacity_block == "true"]


def _in_region(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    """Judges the Region."""
    if not if_known(lambda: on_block(group, fleet)) or not fleet.region:
        return
    target, missing = pair_of(lambda: target_of(group, fleet))
    known = fleet.facts.reservations if fleet.facts else {}
    if missing and known:
        yield rule.unjudged(group.place, missing)
        return
    if target and str(target.ref) in known:
        return  # the account has the block
    for each in sorted(if_known(lambda: types_of(group, fleet)) or ()):  # `_of_type` reports an unknown type
        if not may_sell_blocks(each, fleet.region):
            yield rule.finding(
                group.place,
                at="instance",
                got=f"the group is on a Capacity Block of {each} in {fleet.region}, but AWS sells none there",
                remedy=f"use the Region {or_list(sorted(regions_with_blocks(each)))}, or another instance type",
            )


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
    offering, by, approved = purchase.offering, purchase.approved_by, purchase.approved_offering
    tags = ((APPROVAL_TAG, by), (APPROVED_OFFERING_TAG, approved))
    lacking = [tag for tag, value in tags if value is not UNKNOWN and not (value or "").strip()]
    bought = "an offering" if offering is UNKNOWN else offering
    if lacking:
        named = "cb-..." if offering is UNKNOWN else offering
        yield rule.finding(
            purchase.place,
            at="approved",
            got=f"the stack buys {bought}, but does not state "
            + ("who approves the purchase" if APPROVAL_TAG in lacking else "which offering is approved"),
            remedy=f"set approved: {{offering: {named}, by: NAME}}, or do not buy the block",
            program_remedy=f"set the tags {APPROVAL_TAG}: NAME and {APPROVED_OFFERING_TAG}: {named}, or do not buy the "
            "block",
        )
    elif UNKNOWN in (by, approved, offering):
        what = next(name for name, value in (("capacityBlockOfferingId", offering), *tags) if value is UNKNOWN)
        yield rule.unjudged(purchase.place, f"{what} (known only after `pulumi up`)")
    elif approved != offering:
        yield rule.finding(
            purchase.place,
            at="approved",
            got=f"the stack buys {offering}, but {by} approved {approved}",
            remedy=f"buy {approved}, or have {offering} approved",
            program_remedy=f"set capacityBlockOfferingId to {approved}, or have {offering} approved",
        )
