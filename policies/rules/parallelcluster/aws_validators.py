"""What ParallelCluster's own schema and validators report."""

from collections.abc import Container, Iterator

from pydantic import Field

from muster.finding import Level
from muster.fleet.resources import AuthorityReport, Fleet, ValidatorMessage
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Severity, Verdict, rule

SCHEMA = "schema"
ERROR, WARNING = "ERROR", "WARNING"


def verdicts(
    report: AuthorityReport, rule: Rule, *, schema: bool, level: str, without: Container[str] = ()
) -> Iterator[Verdict]:
    """A finding for each message of one level, of the schema or of validators.

    Only the rule about errors reports a validator that failed. Validators in `without` give no findings.
    """
    for each in report.said:
        if (each.by == SCHEMA) is not schema or each.level != level or each.by in without:
            continue
        if each.failed:
            yield rule.unjudged(report.place, f"the result of {each.by}, which failed with: {each.text}")
            continue
        yield rule.finding(report.place, at=each.at, got=_got(each), remedy=_remedy(each))


def _got(message: ValidatorMessage) -> str:
    who = "ParallelCluster's schema" if message.by == SCHEMA else f"ParallelCluster's {message.by}"
    return f"{who} reports: {' '.join(message.text.split()).rstrip('.')}"


def _remedy(message: ValidatorMessage) -> str:
    if not message.at:
        return (
            "change the key that the message is about (Muster generates ParallelCluster's configuration from the "
            "description; `muster pcluster config STACK` prints it)"
        )
    written = f"{message.key} of ParallelCluster's configuration" if message.key else "ParallelCluster's configuration"
    return f"change {message.at}, which Muster writes to {written} (`muster pcluster config STACK` prints it)"


@rule(
    "parallelcluster-schema",
    title="ParallelCluster's schema accepts the configuration",
    judges=AuthorityReport,
    backends=("parallelcluster",),
    severity=Severity.CRITICAL,
    why="AWS's Lambda refuses what the schema refuses, but only minutes after `pulumi up` has created the network and "
    "the file systems. AWS's package reports it within a second.",
    source="aws-parallelcluster, pcluster/schemas/cluster_schema.py, of the version that makes the cluster",
    remedy="Change the key that the message names.",
    facts=("hardware.md#g2",),
)
def parallelcluster_schema(report: AuthorityReport, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if report.missing:
        yield rule.unjudged(report.place, report.missing)
    yield from verdicts(report, rule, schema=True, level=ERROR)


@rule(
    "parallelcluster-validator",
    title="No ParallelCluster validator refuses the configuration",
    judges=AuthorityReport,
    backends=("parallelcluster",),
    severity=Severity.HIGH,
    why="AWS's Lambda runs the validators before it creates a cluster, and stops at the first error. There they query "
    "the account. Muster runs them against a simulated account, built from the description and the facts.",
    source="aws-parallelcluster, pcluster/validators, of the version that makes the cluster",
    remedy="Change what the message names. If the message is wrong about your account, suppress it with a reason.",
    facts=("hardware.md#g2", "pains.md#16"),
)
def parallelcluster_validator(report: AuthorityReport, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from verdicts(report, rule, schema=False, level=ERROR)


class Validators(Options):
    """Validators whose warnings are not reported."""

    without: tuple[str, ...] = Field(
        default=(), description="Names of validators whose warnings are not reported: EfaPlacementGroupValidator."
    )


@rule(
    "parallelcluster-warning",
    title="No ParallelCluster validator warns about the configuration",
    judges=AuthorityReport,
    backends=("parallelcluster",),
    level=Level.ADVISORY,
    severity=Severity.LOW,
    why="The command `pcluster create-cluster` prints these warnings and continues. Muster omits warnings that its own "
    "rules cover, and warnings about a choice that the description states.",
    source="aws-parallelcluster, pcluster/validators, of the version that makes the cluster",
    remedy="Change what the message names, or accept the warning.",
    facts=("hardware.md#g2",),
    options=Validators,
)
def parallelcluster_warning(report: AuthorityReport, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from verdicts(report, rule, schema=False, level=WARNING, without=Validators.of(rule.settings).without)
