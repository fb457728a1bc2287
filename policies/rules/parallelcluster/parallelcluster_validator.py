"""ParallelCluster's own validators: what they refuse."""

from collections.abc import Iterator

from muster.fleet.resources import AuthorityReport, Fleet
from policies.reading.authority import ERROR, verdicts
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "parallelcluster-validator",
    title="No validator of ParallelCluster's refuses the configuration",
    judges=AuthorityReport,
    backends=("parallelcluster",),
    severity=Severity.HIGH,
    why="AWS's Lambda runs them before it makes a cluster, and stops at the first error. They ask the account; here a "
    "stand-in answers as the description and the facts say.",
    source="aws-parallelcluster, pcluster/validators, of the version that makes the cluster",
    remedy="Change what it names; where it is wrong about your account, suppress it with the reason.",
    facts=("hardware.md#g2", "pains.md#16"),
)
def parallelcluster_validator(report: AuthorityReport, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from verdicts(report, rule, schema=False, level=ERROR)
