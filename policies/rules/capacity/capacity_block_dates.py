"""A Capacity Block said to be active on a day when it is not."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from policies.reading.targets import ahead, block_of, over, target_of
from policies.rule import Rule, Verdict, rule


@rule(
    "capacity-block-dates",
    title="A Capacity Block is active from the day it starts to the day before it ends",
    judges=NodeGroup,
    why="Before it starts nothing launches into it and the node group fails. The day it ends counts as over: EC2 takes "
    "the instances from 11:00 UTC on, and a group's own schedule for that day may already be in the past, which AWS "
    "refuses.",
    source="EC2 user guide, Capacity Blocks; EC2 Auto Scaling API, PutScheduledUpdateGroupAction",
    remedy="Say active: true while the block runs, false before and after.",
    facts=("rules.md#21", "rules.md#26", "hardware.md#R17"),
)
def capacity_block_dates(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block, (target, _) = block_of(group), target_of(group, fleet)
    if block is None or not block.active:
        return
    at = "capacity.capacity-block.active"
    # Where AWS has other dates, reservation-as-declared says them; where AWS says that it does not run, others do.
    if ahead(group, target, fleet.as_of):
        got = f"active: true on {fleet.as_of}; the block starts on {block.starts}"
        yield rule.finding(group.place, got, f"write active: false until {block.starts}", at=at)
    elif over(group, target, fleet.as_of) and not block.buy:  # else capacity-block-not-bought-again
        got = f"active: true on {fleet.as_of}; the block ends on {block.ends}"
        yield rule.finding(group.place, got, "write active: false, name the next block, or remove the group", at=at)
