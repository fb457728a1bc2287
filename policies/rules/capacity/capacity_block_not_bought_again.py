"""A purchase that has had its day."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from policies.reading.targets import block_of
from policies.rule import Rule, Severity, Verdict, rule


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
