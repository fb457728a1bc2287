"""Compute resources on Capacity Blocks."""

from collections.abc import Iterator

from muster.fleet.resources import CapacityTarget, ComputeResource, Fleet
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import BLOCK, called
from policies.rule import Rule, Verdict, rule


@rule(
    "parallelcluster-block-fixed",
    title="A compute resource on a Capacity Block names the block, and always has as many nodes",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="The block is paid for whether its nodes run or not, and ParallelCluster holds them by a reservation of "
    "Slurm's until it begins: it refuses fewer nodes at least than at most, none at all, and a block without its id.",
    source="aws-parallelcluster 3.16.1, ComputeResourceSizeValidator and CapacityTypeValidator",
    remedy="Name the block's reservation, and as many nodes at least as at most.",
    facts=("rules.md#30", "hardware.md#d5", "hardware.md#R22"),
)
def parallelcluster_block_fixed(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if resource.capacity_type is UNKNOWN:
        yield rule.unjudged(resource.place, f"the capacity type of {called(resource)}, not known before creation")
    if resource.capacity_type != BLOCK:
        return
    least, most, target = resource.nodes_min, resource.nodes_max, resource.target
    if UNKNOWN in (least, most, target):
        yield rule.unjudged(resource.place, f"the numbers of nodes or the block of {called(resource)}, not known yet")
    if isinstance(least, int) and isinstance(most, int) and not 0 < least == most:
        yield rule.finding(
            resource.place,
            at="nodes",
            got=f"{called(resource)} is on a Capacity Block with {least} nodes at least and {most} at most",
            remedy=f"write nodes: {max(most, 1)}, which keeps as many",
        )
    if isinstance(target, CapacityTarget) and target.reservation is None:
        yield rule.finding(
            resource.place,
            at="capacity",
            got=f"{called(resource)} is on a Capacity Block without its reservation's id",
            remedy="name the block by its id, as in cr-0123456789abcdef0",
        )
