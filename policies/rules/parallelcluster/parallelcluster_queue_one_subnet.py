"""Subnets of queues whose compute resources name one instance type."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, Queue
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called, resources_of
from policies.rule import Rule, Verdict, rule
from policies.words import names, number, some


@rule(
    "parallelcluster-queue-one-subnet",
    title="A queue whose compute resources name their instance type is in one subnet",
    judges=Queue,
    backends=("parallelcluster",),
    why="Nodes of an `InstanceType` are started by RunInstances, which takes one subnet; several take EC2 Fleet, which "
    "ParallelCluster uses for `Instances` lists alone. It refuses the rest, placement groups over zones too.",
    source="aws-parallelcluster 3.16.1, SingleInstanceTypeSubnetValidator and MultiAzPlacementGroupValidator",
    remedy="Name one zone, or make a queue for each.",
    facts=("rules.md#8", "hardware.md#R22"),
)
def parallelcluster_queue_one_subnet(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    resources = resources_of(queue, fleet)
    among = next((each.subnets_among for each in resources if each.subnets_among), None)
    # Which they are may be open, and how many not.
    count = len(queue.subnets) if queue.subnets is not UNKNOWN else among.count if among else None
    if count is None:
        yield rule.unjudged(queue.place, f"the subnets of {called(queue)}, not known before creation")
        return
    single = [called(each) for each in resources if not each.flexible]
    if count > 1 and single:
        where = number(count, "subnet") if queue.subnets is UNKNOWN else names(queue.subnets)
        yield rule.finding(
            queue.place,
            at="zones",
            got=f"{called(queue)} is in {where}, and {some(single)} can be in one only",
            remedy="name one zone, or make a queue of its own for each zone",
        )
