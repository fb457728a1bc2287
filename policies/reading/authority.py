"""The words of AWS's own package."""

from collections.abc import Container, Iterator

from muster.fleet.resources import AuthorityReport, Said
from policies.rule import Rule, Verdict

SCHEMA = "schema"
ERROR, WARNING = "ERROR", "WARNING"


def verdicts(
    report: AuthorityReport, rule: Rule, *, schema: bool, level: str, without: Container[str] = ()
) -> Iterator[Verdict]:
    """A finding for each message of the schema, or of validators, of one level.

    What a validator could not judge is told by the rule about errors alone: once. Nothing of those left out.
    """
    for each in report.said:
        if (each.by == SCHEMA) is not schema or each.level != level or each.by in without:
            continue
        if each.failed:
            yield rule.unjudged(report.place, f"an answer that {each.by} could work with: {each.text}")
            continue
        yield rule.finding(report.place, at=each.at, got=_got(each), remedy=_remedy(each))


def _got(said: Said) -> str:
    who = "ParallelCluster's schema" if said.by == SCHEMA else f"ParallelCluster's {said.by}"
    return f"{who} says: {' '.join(said.text.split()).rstrip('.')}"


def _remedy(said: Said) -> str:
    of = f"{said.key} of its configuration" if said.key else "its configuration"
    what = said.at or "what it is about"
    return f"change {what}: {of} comes of it (`muster pcluster config` prints that)"
