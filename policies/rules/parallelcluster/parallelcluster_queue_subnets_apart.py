"""Several subnets of one queue."""

from collections import Counter
from collections.abc import Iterator

from muster.fleet.resources import Fleet, Queue
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called
from policies.rule import Rule, Verdict, rule
from policies.words import names, some


@rule(
    "parallelcluster-queue-subnets-apart",
    title="The subnets of a queue are each in a zone of their own",
    judges=Queue,
    backends=("parallelcluster",),
    why="EC2 Fleet, which starts a queue's nodes over several subnets, takes one of each zone.",
    source="aws-parallelcluster 3.16.1, QueueSubnetsValidator",
    remedy="Name one subnet of each zone.",
    facts=("hardware.md#R22",),
)
def parallelcluster_queue_subnets_apart(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Of one subnet there is nothing to tell apart; of unknown ones `parallelcluster-queue-one-subnet` speaks.
    if queue.subnets is UNKNOWN or len(queue.subnets) <= 1:
        return
    twice = [each for each, count in Counter(queue.subnets).items() if count > 1]
    zones = {each.id: each.zone for each in fleet.subnets_of(queue.subnets)}
    shared = sorted(zone for zone, count in Counter(zone for zone in zones.values() if zone).items() if count > 1)
    if twice:
        got = f"{called(queue)} names {names(twice)} twice"
        yield rule.finding(queue.place, at="zones", got=got, remedy="name it once")
    elif shared:
        got = f"{called(queue)} has several subnets in {some(shared)}"
        yield rule.finding(queue.place, at="zones", got=got, remedy="leave one of them there")
    elif None in zones.values():
        unheard = [id_ for id_, zone in zones.items() if zone is None]
        yield rule.unjudged(queue.place, fleet.missing(f"the zone of {some(unheard)}"))
