"""ParallelCluster's own validators: what they warn of."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.finding import Level
from muster.fleet.resources import AuthorityReport, Fleet
from policies.options import Options
from policies.reading.authority import WARNING, verdicts
from policies.rule import Rule, Severity, Verdict, rule


class Validators(Options):
    """Whose warnings are known."""

    without: tuple[str, ...] = Field(
        default=(), description="Validators whose warnings are not told, by name, as in EfaPlacementGroupValidator."
    )


@rule(
    "parallelcluster-warning",
    title="No validator of ParallelCluster's warns of the configuration",
    judges=AuthorityReport,
    backends=("parallelcluster",),
    level=Level.ADVISORY,
    severity=Severity.LOW,
    why="What `pcluster create-cluster` prints, and goes on. Those that rules of Muster's answer, or that are about a "
    "choice that the description states, are left out.",
    source="aws-parallelcluster, pcluster/validators, of the version that makes the cluster",
    remedy="Change what it names, or take it as known.",
    facts=("hardware.md#g2",),
    options=Validators,
)
def parallelcluster_warning(report: AuthorityReport, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from verdicts(report, rule, schema=False, level=WARNING, without=Validators.of(rule.settings).without)
