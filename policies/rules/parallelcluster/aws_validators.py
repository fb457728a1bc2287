"""What ParallelCluster's own schema and validators report."""

from collections.abc import Container, Iterator

from pydantic import Field

from muster.finding import Level
from muster.fleet.resources import AuthorityReport, Fleet, ValidatorMessage
from policies.engine.options import Options
from policies.engine.rule import Rule, Severity, Verdict, rule

SCHEMA = "schema"
ERROR, WARNING = "ERROR", "WARNING"


def verdicts(
    report: AuthorityReport, rule: Rule, *, schema: bool, level: str, without: Container[str] = ()
) -> Iterator[Verdict]:
    """A finding for each message of the schema, or of validators, of one level.

    Only the rule about errors reports what a validator could not judge. Nothing of those left out.
    """
    for each in report.said:
        if (each.by == SCHEMA) is not schema or each.level != level or each.by in without:
            continue
        if each.failed:
            yield rule.unjudged(report.place, f"an answer that {each.by} could work with: {each.text}")
            continue
        yield rule.finding(report.place, at=each.at, got=_got(each), remedy=_remedy(each))


def _got(message: ValidatorMessage) -> str:
    who = "ParallelCluster's schema" if message.by == SCHEMA else f"ParallelCluster's {message.by}"
    return f"{who} says: {' '.join(message.text.split()).rstrip('.')}"


def _remedy(message: ValidatorMessage) -> str:
    if not message.at:
        return (
            "change the key that the message is about: Muster writes ParallelCluster's configuration from the "
            "description; `muster pcluster config STACK` prints it"
        )
    written = f"{message.key} of ParallelCluster's configuration" if message.key else "ParallelCluster's configuration"
    return f"change {message.at}: Muster writes {written} from it; `muster pcluster config STACK` prints it"


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
