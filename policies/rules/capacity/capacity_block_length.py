"""How long a Capacity Block is, and how far ahead it is bought."""

from collections.abc import Iterator
from datetime import timedelta

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.reading.targets import block_of
from policies.rule import Rule, Verdict, rule
from policies.words import number

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
    # hours longer or shorter than asked for ("Find and purchase Capacity Blocks"): its days may count one more.
    begun = block.starts <= fleet.as_of
    if not any(_fits(each, bought=block.buy is not None) for each in ((days, days - 1) if begun else (days,))):
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.ends",
            got=f"from {block.starts} to {block.ends}: {number(days, 'day')}"
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
