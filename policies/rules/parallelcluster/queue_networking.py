"""Subnets and security groups of queues."""

from collections import Counter
from collections.abc import Iterator

from muster.edits import set_to
from muster.finding import Level
from muster.fleet.resources import Fleet, HeadNode, LoginPool, ParallelCluster, Queue
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list, name_list
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.policies.lookups.parallelcluster import display_name, head_of, login_pools_of, queues_of, resources_of
from muster.unknown import NotKnown, if_known


@rule(
    "parallelcluster-queue-one-subnet",
    title="A queue whose compute resources have a single instance type is in one subnet",
    judges=Queue,
    backends=("parallelcluster",),
    why="ParallelCluster launches nodes of one `InstanceType` with RunInstances, which accepts one subnet. For "
    "`Instances` lists, ParallelCluster uses EC2 Fleet, which accepts several subnets. It refuses other combinations, "
    "and placement groups that span zones.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/networking_validators.py#L126",
    ),
    remedy="Use one zone, or create a queue for each zone.",
    facts=("rules.md#8", "hardware.md#R22"),
)
def parallelcluster_queue_one_subnet(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    count = _subnet_count(queue, fleet)
    single = [display_name(each) for each in resources_of(queue, fleet) if not each.flexible]
    if count > 1 and single:
        where = if_known(lambda: name_list(queue.subnets), count_noun(count, "subnet"))
        got = f"{display_name(queue)} is in {where}, but {and_list(single)} can be in only one subnet"
        yield rule.finding(queue, "zones", got=got, change=(set_to(words="a single one"), "create a queue for each"))


def _subnet_count(queue: Queue, fleet: Fleet) -> int:
    """The number of its subnets, which may be known where the subnets are not."""
    counts = [each.subnets_among.count for each in resources_of(queue, fleet) if each.subnets_among]
    return next((count for count in counts if count is not None), None) or len(queue.subnets)


@rule(
    "parallelcluster-queue-subnets-apart",
    title="Each subnet of a queue is in a different zone",
    judges=Queue,
    backends=("parallelcluster",),
    why="EC2 Fleet launches the nodes of a queue with several subnets, and accepts one subnet per zone.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/networking_validators.py#L67",
    ),
    remedy="List one subnet per zone.",
    facts=("hardware.md#R22",),
)
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


@rule(
    "parallelcluster-security-groups-alike",
    title="Custom security groups replace ParallelCluster's own on all nodes or on none",
    level=Level.ADVISORY,
    severity=Severity.MEDIUM,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="ParallelCluster's security groups allow traffic between head, login and compute nodes. A node with other "
    "groups (`SecurityGroups`) has no such traffic unless those groups allow it, and never registers with Slurm.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L1103",
    ),
    remedy="Add groups (AdditionalSecurityGroups) instead of replacing ParallelCluster's.",
    facts=("hardware.md#R22",),
)
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
