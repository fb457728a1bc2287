"""The version of ParallelCluster."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, ParallelCluster
from muster.policies.engine.rule import Rule, Severity, Verdict, rule
from muster.unknown import NotKnown
from muster.versions import PARALLELCLUSTER


@rule(
    "parallelcluster-version-known",
    title="A cluster uses the version of ParallelCluster that these rules were written for",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Operating systems, limits and validators differ between versions, and an image is built for one version. "
    "These rules may be wrong about a cluster of another version.",
    source=("https://github.com/aws/aws-parallelcluster/releases",),
    remedy="Use the version that Muster pins.",
    facts=("hardware.md#g1", "hardware.md#R22", "pains.md#16"),
)
def parallelcluster_version_known(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.version is None:
        raise NotKnown("the version of ParallelCluster")
    if cluster.version != PARALLELCLUSTER:
        got = f"the cluster uses ParallelCluster {cluster.version}, but Muster's rules are about {PARALLELCLUSTER}"
        change = f"use the provider of {PARALLELCLUSTER}, and images built with it"
        yield rule.finding(cluster, "version", got=got, change=change)
