"""The dates that a description gives a Capacity Block."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.capacity_targets import (
    awaits_block,
    block_days,
    block_is_over,
    block_not_begun,
    block_of,
    target_of,
)


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
    if block_not_begun(group, target, fleet.as_of):
        got = f"active: true on {fleet.as_of}; the block starts on {block.starts}"
        yield rule.finding(group.place, got, f"write active: false until {block.starts}", at=at)
    elif block_is_over(group, target, fleet.as_of) and not block.buy:  # else capacity-block-not-bought-again
        got = f"active: true on {fleet.as_of}; the block ends on {block.ends}"
        yield rule.finding(group.place, got, "write active: false, name the next block, or remove the group", at=at)


@rule(
    "capacity-block-begun",
    title="A Capacity Block that has begun is said to be active, one that is over is gone from the description",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="The block was paid in advance and runs; until the description says so a group of EKS has no "
    "nodes; Slurm gives its own to jobs by itself. Of one that is over neither gets a node.",
    source="EC2 user guide, Capacity Blocks (pricing and billing)",
    remedy="On EKS say active: true and deploy; after the end, name the next block or remove the group.",
    facts=("rules.md#26", "hardware.md#R17"),
)
def capacity_block_begun(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block, (target, _) = block_of(group), target_of(group, fleet)
    days = block_days(group, target)
    # ParallelCluster holds the nodes back by itself until the block begins: the description's `active` does not matter.
    slurm = isinstance(group, ComputeResource)
    if block is None or (block.active and not slurm) or days is None:
        return
    at, (starts, ends) = "capacity.capacity-block.active", days
    if block_is_over(group, target, fleet.as_of):
        if block.ends > block.starts and not block.buy:  # else capacity-block-length, capacity-block-not-bought-again
            got = f"the block ended on {ends}"
            remedy = "name the next block, or remove the group"
            yield rule.finding(group.place, got, remedy, at="capacity.capacity-block.ends" if slurm else at)
    elif starts <= fleet.as_of < ends and not awaits_block(target) and not slurm:
        got = f"active: false, and the block has run since {starts}: it has no nodes"
        yield rule.finding(group.place, got, f"set active: true and deploy; it ends on {ends}", at=at)


@rule(
    "capacity-block-not-bought-again",
    title="A Capacity Block that is over is bought by no description",
    severity=Severity.CRITICAL,
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="A stack that does not know of the first purchase, a new one or one that was destroyed, pays once more: "
    "whatever the offering then stands for, at once and in full.",
    source="EC2 API, PurchaseCapacityBlock; Pulumi Registry, aws.ec2.CapacityBlockReservation",
    remedy="Name the block that was bought by its id, or take it out.",
    facts=("rules.md#20", "hardware.md#R17"),
)
def capacity_block_not_bought_again(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    # A block that ends before it starts is capacity-block-length's.
    if block and block.buy and block.starts < block.ends <= fleet.as_of:
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.buy",
            got=f"buys {block.buy.offering}, a block that ended on {block.ends}",
            remedy="write id: cr-..., the block that was bought, instead of buy; or take the block out",
        )
