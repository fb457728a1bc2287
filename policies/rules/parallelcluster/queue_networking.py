"""Subnets and security groups of queues."""

from collections import Counter
from collections.abc import Iterator

from muster.edits import set_to
from muster.fleet.resources import Fleet, HeadNode, LoginPool, ParallelCluster, Queue
from muster.policies.engine.finding_text import and_list, name_list, quantity_text
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import display_name, head_of, login_pools_of, queues_of, resources_of
from muster.unknown import NotKnown, if_known


def parallelcluster_queue_one_subnet(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    count = _subnet_count(queue, fleet)
    single = [display_name(each) for each in resources_of(queue, fleet) if not each.flexible]
    if count > 1 and single:
        where = if_known(lambda: name_list(queue.subnets), quantity_text(count, "subnet"))
        got = f"{display_name(queue)} is in {where}, but {and_list(single)} can be in only one subnet"
        yield rule.finding(queue, "zones", got=got, change=(set_to(words="a single one"), "create a queue for each"))


def _subnet_count(queue: Queue, fleet: Fleet) -> int:
    """The number of its subnets, which may be known where the subnets are not."""
    counts = [each.subnets_among.count for each in resources_of(queue, fleet) if each.subnets_among]
    return next((count for count in counts if count is not None), None) or len(queue.subnets)


def parallelcluster_queue_subnets_apart(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if _subnet_count(queue, fleet) <= 1:
        return
    twice = [each for each, count in Counter(queue.subnets).items() if count > 1]
    zones = {each.id: each.zone for each in fleet.subnets_of(queue.subnets)}
    shared = sorted(zone for zone, count in Counter(zone for zone in zones.values() if zone).items() if count > 1)
    if twice or shared:
        fault = f"lists {name_list(twice)} twice" if twice else f"has several subnets in zone {and_list(shared)}"
        change = f"keep only one subnet of each zone in {rule.key(queue, 'zones')}"
        yield rule.finding(queue, "zones", got=f"{display_name(queue)} {fault}", change=change)
    elif None in zones.values():
        unknown = [id_ for id_, zone in zones.items() if zone is None]
        raise NotKnown(fleet.missing(f"the zone of subnet {and_list(unknown)}"))


def parallelcluster_security_groups_alike(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    head = head_of(cluster, fleet)
    nodes: list[HeadNode | LoginPool | Queue] = [
        *([head] if head else []),
        *login_pools_of(cluster, fleet),
        *queues_of(cluster, fleet),
    ]
    replaced = [display_name(each) for each in nodes if each.replaces_groups]
    kept = [display_name(each) for each in nodes if not each.replaces_groups]
    if replaced and kept:
        got = f"ParallelCluster's security groups are replaced on {and_list(replaced)}, but not on {and_list(kept)}"
        change = "set AdditionalSecurityGroups instead of SecurityGroups, to add groups to ParallelCluster's own"
        yield rule.finding(cluster, "network", got=got, change=change)
