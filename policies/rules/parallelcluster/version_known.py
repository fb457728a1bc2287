"""The version of ParallelCluster."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, ParallelCluster
from muster.policies.engine.rule import Rule, Verdict
from muster.unknown import NotKnown
from muster.versions import PARALLELCLUSTER


def parallelcluster_version_known(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.version is None:
        raise NotKnown("the version of ParallelCluster")
    if cluster.version != PARALLELCLUSTER:
        got = f"the cluster uses ParallelCluster {cluster.version}, but Muster's rules are about {PARALLELCLUSTER}"
        change = f"use the provider of {PARALLELCLUSTER}, and images built with it"
        yield rule.finding(cluster, "version", got=got, change=change)
