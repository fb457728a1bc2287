"""How many queues and compute resources a cluster has."""

from collections.abc import Iterator

from muster.config.description.slurm_cluster import MOST_QUEUES
from muster.config.description.slurm_nodes import MOST_RESOURCES
from muster.fleet.resources import Fleet, ParallelCluster
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.parallelcluster import queues_of, resources_of


@rule(
    "parallelcluster-counts-within-limits",
    title="A cluster has 50 queues and 50 compute resources at most",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="ParallelCluster makes a launch template for each and refuses more. A description's own types do, too.",
    source="aws-parallelcluster 3.16.1, MaxCountValidator; constants.py: MAX_NUMBER_OF_QUEUES",
    remedy="Spread them over several clusters.",
    facts=("rules.md#61", "hardware.md#R22"),
)
def parallelcluster_counts_within_limits(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    counted = (
        ("queues", len(queues_of(cluster, fleet)), MOST_QUEUES),
        ("compute resources", len(resources_of(cluster, fleet)), MOST_RESOURCES),
    )
    for what, count, most in counted:
        if count > most:
            remedy = f"leave {count - most} out, or make a second cluster"
            yield rule.finding(cluster.place, f"{count} {what}; ParallelCluster takes {most}", remedy, at="queues")
