"""The version of ParallelCluster."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import Fleet, ParallelCluster
from muster.unknown import UNKNOWN
from muster.versions import PARALLELCLUSTER
from policies.engine.rule import Rule, Severity, Verdict, rule


@rule(
    "parallelcluster-version-known",
    title="A cluster is of the version of ParallelCluster that these rules were written for",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Operating systems, limits and validators are another list in every version, and images are built for one. A "
    "cluster of another version is judged by rules that may not be its own.",
    source="aws-parallelcluster releases: operating systems and limits of a version stand in its constants.py",
    remedy="Take the version that is pinned.",
    facts=("hardware.md#g1", "hardware.md#R22", "pains.md#16"),
)
def parallelcluster_version_known(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.version is UNKNOWN or cluster.version is None:
        yield rule.unjudged(cluster.place, "the version of ParallelCluster, which its provider's template says")
    elif cluster.version != PARALLELCLUSTER:
        got = f"a cluster of ParallelCluster {cluster.version}"
        yield rule.finding(
            cluster.place, got, f"take the provider of {PARALLELCLUSTER}, and images built by it", at="version"
        )
