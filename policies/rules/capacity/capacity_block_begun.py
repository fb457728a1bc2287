"""A Capacity Block that bills without a node."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.reading.fitness import waits
from policies.reading.targets import block_of, days, over, target_of
from policies.rule import Rule, Severity, Verdict, rule


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
    told = days(group, target)
    # ParallelCluster holds the nodes back by itself until the block begins: it does not ask what is said of that.
    slurm = isinstance(group, ComputeResource)
    if block is None or (block.active and not slurm) or told is None:
        return
    at, (starts, ends) = "capacity.capacity-block.active", told
    if over(group, target, fleet.as_of):
        if block.ends > block.starts and not block.buy:  # else capacity-block-length, capacity-block-not-bought-again
            got = f"the block ended on {ends}"
            remedy = "name the next block, or remove the group"
            yield rule.finding(group.place, got, remedy, at="capacity.capacity-block.ends" if slurm else at)
    elif starts <= fleet.as_of < ends and not waits(target) and not slurm:
        got = f"active: false, and the block has run since {starts}: it has no nodes"
        yield rule.finding(group.place, got, f"set active: true and deploy; it ends on {ends}", at=at)
