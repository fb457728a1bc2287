"""Which Capacity Blocks AWS sells, and who approves a purchase."""

from collections.abc import Iterator
from datetime import timedelta

from muster.finding import Level
from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import CapacityBlockPurchase, ComputeNodeGroup, ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.ec2 import APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.catalogue import UnknownInstance, accelerated_types, hardware
from muster.policies.engine.finding_text import and_list, or_list, quantity_text
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.capacity_block_regions import may_sell_blocks, regions_with_blocks
from muster.policies.lookups.capacity_targets import block_of, on_block, target_of, types_of
from muster.policies.lookups.property_names import type_property
from muster.policies.lookups.reserved_capacity import growth_text
from muster.unknown import UNKNOWN

_DAYS, _WEEKLY, _MOST = 14, 7, 182
_AHEAD = timedelta(weeks=8)


@rule(
    "capacity-block-length",
    title="A Capacity Block is bought for 1 to 14 days or whole weeks, at most 8 weeks ahead, and lasts up to 182 days",
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="AWS sells no other lengths, and extends a block by days or weeks to at most 182 days. With a wrong date, "
    "nodes start before the block begins, or end in the middle of a job.",
    source="EC2 user guide, Find and purchase Capacity Blocks; Extend Capacity Blocks",
    remedy="Copy both dates from the offering, or from `aws ec2 describe-capacity-reservations`.",
    facts=("rules.md#20", "hardware.md#R18"),
)
def capacity_block_length(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    if block is None:
        return
    days = (block.ends - block.starts).days
    # Every block ends at 11:30 UTC, and a later one begins then. A block that begins within the hour of its purchase is
    # hours longer or shorter than requested ("Find and purchase Capacity Blocks"): it may count one more day.
    begun = block.starts <= fleet.as_of
    if not any(_fits(each, bought=block.buy is not None) for each in ((days, days - 1) if begun else (days,))):
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.ends",
            got=f"the block lasts {quantity_text(days, 'day')}, from {block.starts} to {block.ends}"
            if block.starts < block.ends
            else f"the block ends on {block.ends}, which is not after its start on {block.starts}",
            remedy=f"check both dates: AWS sells 1 to {_DAYS} days, and longer blocks in steps of {_WEEKLY} days up to "
            f"{_MOST}"
            if block.buy
            else f"check both dates: a block lasts 1 to {_MOST} days, including all extensions",
        )
    latest = fleet.as_of + _AHEAD
    if block.buy and block.starts > latest:
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.starts",
            got=f"the Capacity Block to buy starts on {block.starts}, more than 8 weeks after {fleet.as_of}",
            remedy=f"buy a block that starts on {latest} or earlier, or buy this one later",
        )


def _fits(days: int, *, bought: bool) -> bool:
    """Whether there are blocks of that length: with extensions by days, every length up to the maximum is possible."""
    return 1 <= days <= _DAYS or (_DAYS < days <= _MOST and (days % _WEEKLY == 0 or not bought))


MOST = 64


@rule(
    "capacity-block-size",
    title="A Capacity Block holds at most 64 instances",
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="AWS does not sell larger blocks. A larger group needs several blocks, each with its own node group.",
    source="EC2 user guide, Capacity Blocks (considerations)",
    remedy="Split the group into one group per block.",
    facts=("rules.md#20", "hardware.md#R18"),
)
def capacity_block_size(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    if block is not None:
        if block.count > MOST:
            got = f"the Capacity Block has {block.count} instances, but AWS sells at most {MOST}"
            yield rule.finding(group.place, got, _split(block.count), at="capacity.capacity-block.count")
        return
    target, _ = target_of(group, fleet)
    sized = target is not None and any(each.known.total_instances for each in target.holdings)
    if not on_block(group, fleet) or sized:
        return  # reservation-covers-nodes compares the number that it holds
    if group.nodes_max is UNKNOWN:
        yield rule.unjudged(group.place, "the maximum number of nodes of the group (known only after `pulumi up`)")
    elif group.nodes_max > MOST:
        got = f"the group {growth_text((group,))} on a Capacity Block, but AWS sells at most {MOST} instances"
        yield rule.finding(group.place, got, _split(group.nodes_max))


def _split(count: int) -> str:
    return f"split it into {-(-count // MOST)} groups, each on its own block"


@rule(
    "capacity-block-instance-type",
    title="A Capacity Block has an instance type that AWS sells in blocks",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="AWS sells blocks only of P4, P5, P6 and Trainium types, not of G5 or trn1n. For other types there is no block "
    "to use or to buy.",
    source="EC2 user guide, Capacity Blocks (supported instance types); the catalogue's capacity_block column",
    remedy="Use a type that AWS sells in blocks, or other capacity.",
    facts=("rules.md#23", "hardware.md#R16", "hardware.md#D27"),
)
def capacity_block_instance_type(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not on_block(group, fleet):
        return
    types = types_of(group, fleet)
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


@rule(
    "capacity-block-region",
    title="AWS sells Capacity Blocks of the group's instance type in the stack's Region",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="A block and its nodes are in one Region. If AWS sells no block of the type there, there is no block to use, "
    "and the group never gets a node.",
    source="EC2 user guide, Capacity Blocks (supported Regions); EC2 Capacity Blocks pricing; EC2 API, "
    "DescribeInstanceTypeOfferings",
    remedy="Use a Region in which AWS sells blocks of the type, or another type.",
    facts=("rules.md#23", "hardware.md#D16"),
)
def capacity_block_region(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not on_block(group, fleet) or not fleet.region:
        return
    target, missing = target_of(group, fleet)
    known = fleet.facts.reservations if fleet.facts else {}
    if missing and known:
        yield rule.unjudged(group.place, missing)
        return
    if target and str(target.ref) in known:
        return  # the account has the block
    for each in sorted(types_of(group, fleet) or ()):  # capacity-block-instance-type reports an unknown type
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
    source="Pulumi Registry, aws.ec2.CapacityBlockReservation; EC2 API, CancelCapacityReservation",
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
