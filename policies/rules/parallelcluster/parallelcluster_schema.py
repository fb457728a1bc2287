"""ParallelCluster's own schema."""

from collections.abc import Iterator

from muster.fleet.resources import AuthorityReport, Fleet
from policies.reading.authority import ERROR, verdicts
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "parallelcluster-schema",
    title="ParallelCluster's own schema takes the configuration",
    judges=AuthorityReport,
    backends=("parallelcluster",),
    severity=Severity.CRITICAL,
    why="What the schema refuses AWS's Lambda refuses, minutes after `pulumi up` has made network and file systems. "
    "AWS's package says it in a second.",
    source="aws-parallelcluster, pcluster/schemas/cluster_schema.py, of the version that makes the cluster",
    remedy="Change what it names.",
    facts=("hardware.md#g2",),
)
def parallelcluster_schema(report: AuthorityReport, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if report.missing:
        yield rule.unjudged(report.place, report.missing)
    yield from verdicts(report, rule, schema=True, level=ERROR)
