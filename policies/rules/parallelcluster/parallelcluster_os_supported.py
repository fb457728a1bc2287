"""Operating systems of the nodes."""

from collections.abc import Iterator

from muster.fleet.description.slurm_cluster import ENDED, Os
from muster.fleet.near_miss import did_you_mean
from muster.fleet.resources import Fleet, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule
from policies.words import choice


@rule(
    "parallelcluster-os-supported",
    title="ParallelCluster has the operating system",
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Each version has a list of its own, and refuses a cluster of any other system. Amazon Linux 2 left it with "
    "3.16, and most templates that people copy still say alinux2.",
    source="aws-parallelcluster 3.16.1, constants.py: SUPPORTED_OSES",
    remedy="Take one of the list.",
    facts=("hardware.md#R22", "hardware.md#D21"),
)
def parallelcluster_os_supported(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed = [each.value for each in Os]
    if cluster.os is UNKNOWN:
        yield rule.unjudged(cluster.place, "the operating system, not known before creation")
    elif cluster.os is None:
        yield rule.finding(cluster.place, at="os", got="no operating system is named", remedy=f"write {choice(listed)}")
    elif cluster.os in ENDED:
        got = f"'{cluster.os}' is an operating system that ParallelCluster 3.16 no longer has"
        yield rule.finding(
            cluster.place, at="os", got=got, remedy=f"write {ENDED[cluster.os].value}, which replaces it"
        )
    elif cluster.os not in listed:
        got = f"'{cluster.os}' is no operating system of ParallelCluster's{did_you_mean(cluster.os, listed)}"
        yield rule.finding(cluster.place, at="os", got=got, remedy=f"write {choice(listed)}")
