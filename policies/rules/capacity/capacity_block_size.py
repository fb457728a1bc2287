"""The most instances of a Capacity Block."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import block_of, on_block, target_of
from policies.rule import Rule, Verdict, rule

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
