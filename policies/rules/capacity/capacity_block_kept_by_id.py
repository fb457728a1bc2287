"""A purchase that was made, and still stands as one."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.reading.targets import block_of
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "capacity-block-kept-by-id",
    title="A Capacity Block that was bought and has begun goes by its id",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="By its id nothing can buy it again, and AWS's facts of it (zone, size, an extended end) can be judged.",
    source="EC2 API, PurchaseCapacityBlock and DescribeCapacityReservations",
    remedy="Write id instead of buy.",
    facts=("rules.md#20", "rules.md#26"),
)
def capacity_block_kept_by_id(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    block = block_of(group)
    # Of ParallelCluster's nodes nobody need say that the block is active.
    begun = block is not None and (block.active or isinstance(group, ComputeResource))
    if block and block.buy and begun and block.starts <= fleet.as_of < block.ends:
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.buy",
            got=f"buys {block.buy.offering}, a block that has run since {block.starts}",
            remedy="write id: cr-... instead of buy (`aws ec2 describe-capacity-reservations` shows it)",
        )
