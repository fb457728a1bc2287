"""Security groups that take the place of ParallelCluster's own."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, HeadNode, ParallelCluster, Queue
from policies.reading.slurm import called, head_of, queues_of
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import some


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
    replaced = [called(each) for each in nodes if each.replaces_groups]
    kept = [called(each) for each in nodes if not each.replaces_groups]
    if replaced and kept:
        got = f"{some(replaced)} has security groups instead of ParallelCluster's, {some(kept)} has ParallelCluster's"
        remedy = "write AdditionalSecurityGroups, which are attached beside its own"
        yield rule.finding(cluster.place, got, remedy, at="network")
