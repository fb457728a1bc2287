"""A Capacity Block that bills without a node."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, NodeGroup
from policies.rule import Rule, Severity, Verdict, rule
from policies.rules.targets import block_of


@rule(
    "capacity-block-begun",
    title="A Capacity Block that has begun is said to be active, one that is over is gone from the description",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup,
    why="The block was paid in advance and runs; until the description says so the group has no nodes.",
    source="EC2 user guide, Capacity Blocks (pricing and billing)",
    remedy="Say active: true and deploy; after the end, name the next block or remove the group.",
    facts=("rules.md#26", "hardware.md#R17"),
)
def capacity_block_begun(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    if block is None or block.active or fleet.as_of < block.starts:
        return
    at = "capacity.capacity-block.active"
    if fleet.as_of < block.ends:
        got = f"active: false, and the block has run since {block.starts}: it has no nodes"
        yield rule.finding(group.place, got, f"set active: true and deploy; it ends on {block.ends}", at=at)
    elif block.ends > block.starts:  # else capacity-block-length names the dates
        got = f"the block ended on {block.ends}"
        yield rule.finding(group.place, got, "name the next block, or remove the group", at=at)
