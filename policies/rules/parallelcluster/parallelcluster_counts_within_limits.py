"""How many queues, compute resources and pools of login nodes a cluster has."""

from collections.abc import Iterator

from muster.config.description.slurm_cluster import MOST_QUEUES
from muster.config.description.slurm_nodes import MOST_LOGIN_POOLS, MOST_RESOURCES
from muster.fleet.resources import Fleet, ParallelCluster
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.parallelcluster import login_pools_of, queues_of, resources_of


@rule(
    "parallelcluster-counts-within-limits",
    title="A cluster has at most 50 queues, 50 compute resources and 10 pools of login nodes",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="ParallelCluster creates a launch template for each of them, and refuses more. The schema of a description has "
    "the same limits.",
    source=(
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py#L304",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/constants.py#L143",
    ),
    remedy="Spread them over several clusters.",
    facts=("rules.md#61", "hardware.md#R22"),
)
def parallelcluster_counts_within_limits(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    counted = (
        ("queues", len(queues_of(cluster, fleet)), MOST_QUEUES),
        ("compute resources", len(resources_of(cluster, fleet)), MOST_RESOURCES),
        ("pools of login nodes", len(login_pools_of(cluster, fleet)), MOST_LOGIN_POOLS),
    )
    for what, count, most in counted:
        if count > most:
            got = f"the cluster has {count} {what}, but ParallelCluster allows at most {most}"
            remedy = f"remove {count - most} of them, or create a second cluster"
            at = "login-nodes" if what.startswith("pools") else "queues"
            yield rule.finding(cluster.place, got, remedy, at=at)
