"""The age of the facts."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from pydantic import Field

from muster.finding import Level
from muster.fleet.backend_sets import EVERY_BACKEND
from muster.fleet.facts_merge import FactPath, from_json_pointer
from muster.fleet.resource_references import REFERENCED_SECTIONS
from muster.fleet.resources import Fleet, WholeCluster
from muster.message_text import count_noun, list_names
from muster.policies.engine.options import Options
from muster.policies.engine.rule import Rule, Severity, Verdict, rule


class Age(Options):
    """The oldest facts that count as recent."""

    days: int = Field(default=7, ge=0, le=365, description="Days since AWS answered, at most.")


@rule(
    "facts-fresh",
    title="The facts are recent",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    # Every description has exactly one of these: its facts are of one moment.
    judges=WholeCluster,
    backends=EVERY_BACKEND,
    why="Reservations end, quotas fill up and subnets run out of addresses without notice, so facts from weeks ago may "
    "be wrong. The same is true of a fact that was kept because a later query got no answer. Facts that a person wrote "
    "have no date, and the rule ignores them.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeCapacityReservations.html",),
    remedy="Query AWS again.",
    facts=("pains.md#4", "pains.md#5"),
    options=Age,
)
def facts_fresh(cluster: WholeCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    observed = fleet.facts.observed if fleet.facts else None
    if observed is None:
        return
    how = f"query AWS again: {fleet.preflight}" if fleet.preflight else "query AWS again, and update the facts"
    most = Age.of(rule.settings).days
    if (age := _age(observed, fleet)) > most:
        got = f"the facts are from {observed.date()}, {count_noun(age, 'day')} ago"
        yield rule.finding(cluster.root, "facts.observed", got=got, change=how)
        return
    old = {path: answered.date() for path, answered in _kept(fleet) if _age(answered, fleet) > most}
    if old:
        first = min(old.values())
        got = (
            f"the query of {observed.date()} got no answer about some facts, the oldest of which are from {first}, "
            f"{count_noun((fleet.as_of - first).days, 'day')} ago: {list_names(_named(old))}"
        )
        allowed = "query AWS with an identity that may (`muster preflight STACK --print-iam-policy`)"
        yield rule.finding(cluster.root, "facts.kept", got=got, change=(allowed, how))


def _age(answered: datetime, fleet: Fleet) -> int:
    return (fleet.as_of - answered.date()).days


def _named(paths: Iterable[FactPath]) -> Iterator[str]:
    """Several values of one section by its name: EKS reports every version of Kubernetes."""
    for section, several in groupby(sorted(paths), itemgetter(0)):
        first, *others = several
        yield f"{section} ({1 + len(others)} values)" if others else ".".join(first)


def _kept(fleet: Fleet) -> Iterator[tuple[FactPath, datetime]]:
    """What AWS answered earlier and not since, except about things that the description no longer names."""
    assert fleet.facts is not None
    groups = fleet.facts.reservation_groups.values()
    named = {each.id for each in fleet.named} | {each for group in groups for each in group.reservations or ()}
    for pointed, answered in fleet.facts.kept.items():
        path = from_json_pointer(pointed)
        unnamed = path and path[0] in REFERENCED_SECTIONS and path[1:2] and path[1] not in named
        if answered is not None and path and not unnamed:
            yield path, answered
