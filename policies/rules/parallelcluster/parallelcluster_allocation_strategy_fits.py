"""How EC2 Fleet chooses among a queue's instance types."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, Queue
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import BLOCK, ON_DEMAND, SPOT, called, resources_of
from policies.rule import Rule, Verdict, rule
from policies.words import choice

_ON_DEMAND = ("lowest-price", "prioritized")
_SPOT = ("lowest-price", "capacity-optimized", "price-capacity-optimized", "capacity-optimized-prioritized")
_TAKEN = {ON_DEMAND: _ON_DEMAND, SPOT: _SPOT, BLOCK: ()}


@rule(
    "parallelcluster-allocation-strategy-fits",
    title="A queue's allocation strategy is one that its capacity type has",
    judges=Queue,
    backends=("parallelcluster",),
    why="On-demand takes the lowest price or your order, spot has strategies of its own, a Capacity Block has none.",
    source="aws-parallelcluster 3.16.1, InstancesAllocationStrategyValidator",
    remedy="Leave it out, or take one that the capacity type has.",
    facts=("rules.md#30",),
)
def parallelcluster_allocation_strategy_fits(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    chooses = queue.capacity_type == BLOCK or any(each.flexible for each in resources_of(queue, fleet))
    if queue.allocation is None or not chooses:
        return  # of one type there is nothing to choose
    if UNKNOWN in (queue.allocation, queue.capacity_type):
        yield rule.unjudged(queue.place, f"the allocation strategy of {called(queue)}, not known before creation")
        return
    kind = str(queue.capacity_type or ON_DEMAND)
    taken = _TAKEN.get(kind)
    if taken is not None and queue.allocation not in taken:
        got = f"{called(queue)} has capacity type {kind} and allocation strategy '{queue.allocation}'"
        remedy = f"write {choice(taken)}" if taken else "leave the strategy out"
        yield rule.finding(queue.place, at="capacity", got=got, remedy=remedy)
