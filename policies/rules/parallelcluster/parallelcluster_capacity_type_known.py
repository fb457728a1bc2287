"""What a queue says of its capacity."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, Queue
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import BLOCK, ON_DEMAND, SPOT, called
from policies.rule import Rule, Verdict, rule
from policies.words import choice

_KNOWN = (ON_DEMAND, SPOT, BLOCK)


@rule(
    "parallelcluster-capacity-type-known",
    title="A queue's capacity type is ONDEMAND, SPOT or CAPACITY_BLOCK",
    judges=Queue,
    backends=("parallelcluster",),
    why="It decides the market that all of the queue's instances are asked from; EC2's and EKS's words for the same, "
    "as in on-demand or CAPACITY-BLOCK, are refused.",
    source="aws-parallelcluster 3.16.1, BaseQueueSchema; config/common.py: CapacityType",
    remedy="Write one of the three, or leave it out for ONDEMAND.",
    facts=("hardware.md#d5",),
)
def parallelcluster_capacity_type_known(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if queue.capacity_type is UNKNOWN:
        yield rule.unjudged(queue.place, f"the capacity type of {called(queue)}, not known before creation")
    elif queue.capacity_type is not None and queue.capacity_type not in _KNOWN:
        got = f"{called(queue)} has capacity type '{queue.capacity_type}'"
        yield rule.finding(queue.place, got, f"write {choice(_KNOWN)}")
