"""Settings for ParallelCluster's own developers."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, ParallelCluster
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import some

_FOR_USERS = frozenset({"Timeouts"})


@rule(
    "parallelcluster-dev-settings-absent",
    title="Of DevSettings a cluster has timeouts alone",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=ParallelCluster,
    backends=("parallelcluster",),
    why="Other cookbooks, templates and instance data replace what the version was tested with; the guide has them for "
    "nobody, and an update may undo them.",
    source="aws-parallelcluster 3.16.1, ClusterDevSettingsSchema; ParallelCluster guide, DevSettings",
    remedy="Leave them out.",
    facts=("hardware.md#R22",),
)
def parallelcluster_dev_settings_absent(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if cluster.dev_settings is UNKNOWN:
        yield rule.unjudged(cluster.place, "DevSettings, not known before creation")
    elif others := cluster.dev_settings - _FOR_USERS:
        got = f"DevSettings has {some(others)}"
        remedy = f"leave {some(others)} out; an image or scripts of your own do as much"
        yield rule.finding(cluster.place, got, remedy, at="version")  # they replace what it was tested with
