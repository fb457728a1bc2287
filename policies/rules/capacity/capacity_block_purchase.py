"""What Capacity Blocks AWS sells, and who approves a purchase."""

from collections.abc import Iterator
from datetime import timedelta

from muster.fleet.resources import CapacityBlockPurchase, ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.ec2 import APPROVAL_TAG, APPROVED_OFFERING_TAG
from muster.fleet.resources.fleet import Ec2Group
from muster.hardware.catalogue import UnknownInstance, accelerated_types, hardware
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, or_list, quantity_text
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.capacity_block_regions import may_sell_blocks, regions_with_blocks
from policies.lookups.capacity_targets import Kind, block_of, on_block, target_of, types_of

_DAYS, _WEEKLY, _MOST = 14, 7, 182
_AHEAD = timedelta(weeks=8)


@rule(
    "capacity-block-length",
    title="A Capacity Block is bought for 1 to 14 days or whole weeks, 8 weeks ahead at most, and lasts up to 182 days",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="AWS sells no other, and extends a block, by days or weeks, to 182 days in all: a date is wrong, and nodes "
    "would be started before the block begins, or ended in the middle of a job.",
    source="EC2 user guide, Find and purchase Capacity Blocks; Extend Capacity Blocks",
    remedy="Copy both dates from the offering, or from `aws ec2 describe-capacity-reservations`.",
    facts=("rules.md#20", "hardware.md#R18"),
)
def capacity_block_length(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    if block is None:
        return
    days = (block.ends - block.starts).days
    # Every block ends at 11:30 UTC and a later one begins then. One that begins within the hour it is bought is some
    # hours longer or shorter than requested ("Find and purchase Capacity Blocks"): its days may count one more.
    begun = block.starts <= fleet.as_of
    if not any(_fits(each, bought=block.buy is not None) for each in ((days, days - 1) if begun else (days,))):
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.ends",
            got=f"from {block.starts} to {block.ends}: {quantity_text(days, 'day')}"
            if block.starts < block.ends
            else f"ends on {block.ends}, and starts on {block.starts}",
            remedy=f"check both dates: AWS sells 1 to {_DAYS} days, then {_WEEKLY} more at a time, up to {_MOST}"
            if block.buy
            else f"check both dates: a block lasts 1 to {_MOST} days, with every extension",
        )
    latest = fleet.as_of + _AHEAD
    if block.buy and block.starts > latest:
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.starts",
            got=f"a Capacity Block to buy that starts on {block.starts}, more than 8 weeks from {fleet.as_of}",
            remedy=f"buy one that starts on {latest} at the latest, or buy this one later",
        )


def _fits(days: int, *, bought: bool) -> bool:
    """Whether there are blocks of that length: extensions, day by day, leave no steps in it."""
    return 1 <= days <= _DAYS or (_DAYS < days <= _MOST and (days % _WEEKLY == 0 or not bought))


MOST = 64


@rule(
    "capacity-block-size",
    title="A Capacity Block holds 64 instances at most",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="AWS sells no larger block; a larger group of nodes needs several, each with a node group of its own.",
    source="EC2 user guide, Capacity Blocks (considerations)",
    remedy="Split the group, one for each block.",
    facts=("rules.md#20", "hardware.md#R18"),
)
def capacity_block_size(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    if block is not None:
        if block.count > MOST:
            got = f"a Capacity Block of {block.count} instances; AWS sells {MOST} at most"
            yield rule.finding(group.place, got, _split(block.count), at="capacity.capacity-block.count")
        return
    target, _ = target_of(group, fleet)
    sized = target is not None and any(each.known.total_instances for each in target.holdings)
    if not on_block(group, fleet) or sized:
        return  # how many it does hold, reservation-covers-nodes compares
    if group.nodes_max is UNKNOWN:
        yield rule.unjudged(group.place, "the most nodes of the group, not known before creation")
    elif group.nodes_max > MOST:
        got = f"a maximum of {group.nodes_max} nodes on a Capacity Block; AWS sells blocks of {MOST} at most"
        yield rule.finding(group.place, got, _split(group.nodes_max))


def _split(count: int) -> str:
    return f"split it into {-(-count // MOST)} groups, each on a block of its own"


@rule(
    "capacity-block-instance-type",
    title="A Capacity Block is of a type that AWS sells in blocks",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="Blocks come in P4, P5, P6 and Trainium types only, not in G5, nor in trn1n: there is no such block to name, "
    "and none to buy.",
    source="EC2 user guide, Capacity Blocks (supported instance types); the catalogue's capacity_block column",
    remedy="Take a type that comes in blocks, or other capacity.",
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
            yield rule.unjudged(group.place, f"whether {each} comes in Capacity Blocks: Muster does not know the type")
            continue
        if sold_as == "false":
            yield rule.finding(
                group.place,
                at="instance",
                got=f"a Capacity Block of {each}: AWS sells none",
                remedy=f"take one of {and_list(_sold())}, or capacity that {each} comes in",
            )
        elif sold_as == "ultraserver-only" and not _by_group(group, fleet):
            yield rule.finding(
                group.place,
                at="instance",
                got=f"a Capacity Block of single {each}: AWS sells them as UltraServers only",
                remedy="target the UltraServer block's resource group by its ARN",
            )


def _by_group(group: Ec2Group, fleet: Fleet) -> bool:
    target, missing = target_of(group, fleet)
    return bool(missing) or (target is not None and target.kind is Kind.GROUP)


def _sold() -> list[str]:
    return [each for each in accelerated_types() if hardware(each).capacity_block == "true"]


@rule(
    "capacity-block-region",
    title="AWS sells Capacity Blocks of the type in the Region",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="A block and its nodes are in one Region. Where AWS sells none of the type there is no block to name, and "
    "the group never gets a node.",
    source="EC2 user guide, Capacity Blocks (supported Regions); EC2 Capacity Blocks pricing; EC2 API, "
    "DescribeInstanceTypeOfferings",
    remedy="Take a Region that has blocks of the type, or another type.",
    facts=("rules.md#23", "hardware.md#D16"),
)
def capacity_block_region(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not on_block(group, fleet) or not fleet.region or _is_there(group, fleet):
        return
    for each in sorted(types_of(group, fleet) or ()):  # capacity-block-instance-type reports an unknown type
        if not may_sell_blocks(each, fleet.region):
            yield rule.finding(
                group.place,
                at="instance",
                got=f"a Capacity Block of {each} in {fleet.region}: AWS sells none there",
                remedy=f"take {or_list(sorted(regions_with_blocks(each)))}, or another type",
            )


def _is_there(group: Ec2Group, fleet: Fleet) -> bool:
    """Whether the account has the block."""
    target, _ = target_of(group, fleet)
    return target is not None and fleet.facts is not None and str(target.ref) in fleet.facts.reservations


@rule(
    "capacity-block-purchase-approved",
    title="Buying a Capacity Block is approved by name, for that very offering",
    severity=Severity.CRITICAL,
    judges=CapacityBlockPurchase,
    backends=("eks", "parallelcluster"),
    why="The deployment pays the whole block at once. Nobody can undo it: `destroy` only forgets the block, and AWS "
    "cancels none. A name that stays while the offering changes has approved something else.",
    source="Pulumi Registry, aws.ec2.CapacityBlockReservation; EC2 API, CancelCapacityReservation",
    remedy=f"Say who approves which offering: approved in the description, the tags {APPROVAL_TAG} and "
    f"{APPROVED_OFFERING_TAG} elsewhere.",
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
            got=f"buys {bought}, and "
            + ("nobody is named who approves it" if APPROVAL_TAG in lacking else "no offering is named as approved"),
            remedy=f"write approved: {{offering: {named}, by: NAME}} (in a program of your own the tags {APPROVAL_TAG} "
            f"and {APPROVED_OFFERING_TAG}), or buy nothing",
        )
    elif UNKNOWN in (by, approved, offering):
        what = next(name for name, value in (("capacityBlockOfferingId", offering), *tags) if value is UNKNOWN)
        yield rule.unjudged(purchase.place, f"{what}, not known before creation")
    elif approved != offering:
        yield rule.finding(
            purchase.place,
            at="approved",
            got=f"buys {offering}; {by} approved {approved}",
            remedy=f"buy {approved}, or have {offering} approved",
        )
