"""Subnets and security groups of queues."""

from collections import Counter
from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, HeadNode, ParallelCluster, Queue
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, name_list, quantity_text
from policies.engine.rule import Rule, Severity, Verdict, rule
from policies.lookups.parallelcluster import display_name, head_of, queues_of, resources_of


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
        yield rule.unjudged(queue.place, f"the subnets of {display_name(queue)}, not known before creation")
        return
    single = [display_name(each) for each in resources if not each.flexible]
    if count > 1 and single:
        where = quantity_text(count, "subnet") if queue.subnets is UNKNOWN else name_list(queue.subnets)
        yield rule.finding(
            queue.place,
            at="zones",
            got=f"{display_name(queue)} is in {where}, and {and_list(single)} can be in one only",
            remedy="name one zone, or make a queue of its own for each zone",
        )


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
    # A single subnet has no duplicate; `parallelcluster-queue-one-subnet` reports unknown ones.
    if queue.subnets is UNKNOWN or len(queue.subnets) <= 1:
        return
    twice = [each for each, count in Counter(queue.subnets).items() if count > 1]
    zones = {each.id: each.zone for each in fleet.subnets_of(queue.subnets)}
    shared = sorted(zone for zone, count in Counter(zone for zone in zones.values() if zone).items() if count > 1)
    if twice:
        got = f"{display_name(queue)} names {name_list(twice)} twice"
        yield rule.finding(queue.place, at="zones", got=got, remedy="name it once")
    elif shared:
        got = f"{display_name(queue)} has several subnets in {and_list(shared)}"
        yield rule.finding(queue.place, at="zones", got=got, remedy="leave one of them there")
    elif None in zones.values():
        unheard = [id_ for id_, zone in zones.items() if zone is None]
        yield rule.unjudged(queue.place, fleet.missing(f"the zone of {and_list(unheard)}"))


@rule(
    "parallelcluster-security-groups-alike",
    title="Security groups replace ParallelCluster's own on all nodes, or on none",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="ParallelCluster's groups let head and compute nodes talk to each other. A node whose groups are other ones "
    "(`SecurityGroups`) is cut off unless those let it: it never registers with Slurm.",
    source="aws-parallelcluster 3.16.1, MixedSecurityGroupOverwriteValidator",
    remedy="Add groups (AdditionalSecurityGroups) instead of replacing them.",
    facts=("hardware.md#R22",),
)
def parallelcluster_security_groups_alike(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    head = head_of(cluster, fleet)
    nodes: list[HeadNode | Queue] = [*([head] if head else []), *queues_of(cluster, fleet)]
    replaced = [display_name(each) for each in nodes if each.replaces_groups]
    kept = [display_name(each) for each in nodes if not each.replaces_groups]
    if replaced and kept:
        got = (
            f"{and_list(replaced)} has security groups instead of ParallelCluster's, "
            f"{and_list(kept)} has ParallelCluster's"
        )
        remedy = "write AdditionalSecurityGroups, which are attached beside its own"
        yield rule.finding(cluster.place, got, remedy, at="network")
