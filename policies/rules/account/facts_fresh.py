"""How old the facts are."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from operator import itemgetter

from pydantic import Field

from muster.finding import Level
from muster.fleet.facts_merge import FactPath, from_json_pointer
from muster.fleet.resource_references import REFERENCED_SECTIONS
from muster.fleet.resources import ControlPlane, Fleet, ParallelCluster
from muster.message_text import list_names
from policies.engine.finding_text import quantity_text
from policies.engine.options import Options
from policies.engine.rule import Rule, Severity, Verdict, rule


class Age(Options):
    """How old facts may be."""

    days: int = Field(default=7, ge=0, le=365, description="How many days ago AWS may have said so.")


@rule(
    "facts-fresh",
    title="The facts were asked for lately",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    # One of each description: its facts are of one moment.
    judges=ControlPlane | ParallelCluster,
    backends=("eks", "hyperpod", "parallelcluster"),
    why="Reservations end, quotas fill up and subnets run out of addresses without anybody telling: what AWS said "
    "weeks ago is not what a deployment meets. That goes for each answer that was kept because AWS gave none since. "
    "Facts that a person wrote have no date, and are not judged.",
    source="EC2 API, DescribeCapacityReservations (AvailableInstanceCount)",
    remedy="Ask AWS again.",
    facts=("pains.md#4", "pains.md#5"),
    options=Age,
)
def facts_fresh(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    observed = fleet.facts.observed if fleet.facts else None
    if observed is None:
        return
    how = f"ask again: {fleet.preflight}" if fleet.preflight else "ask AWS again, and write what it says"
    most = Age.of(rule.settings).days
    if (age := _age(observed, fleet)) > most:
        got = f"AWS was asked on {observed.date()}, {quantity_text(age, 'day')} ago"
        yield rule.finding(cluster.place, got=got, remedy=how, at="facts.observed")
        return
    old = {path: answered.date() for path, answered in _kept(fleet) if _age(answered, fleet) > most}
    if old:
        first = min(old.values())
        got = (
            f"asked on {observed.date()}, AWS did not answer what it last said on {first}, "
            f"{quantity_text((fleet.as_of - first).days, 'day')} ago: {list_names(_named(old))}"
        )
        yield rule.finding(
            cluster.place,
            got=got,
            remedy=f"have somebody ask who may (`muster preflight STACK --print-iam-policy`), or {how}",
            at="facts.kept",
        )


def _age(answered: datetime, fleet: Fleet) -> int:
    return (fleet.as_of - answered.date()).days


def _named(paths: Iterable[FactPath]) -> Iterator[str]:
    """Several values of one section by its name: EKS speaks of every version of Kubernetes."""
    for section, several in groupby(sorted(paths), itemgetter(0)):
        first, *others = several
        yield f"{section} ({1 + len(others)} values)" if others else ".".join(first)


def _kept(fleet: Fleet) -> Iterator[tuple[FactPath, datetime]]:
    """What AWS answered earlier and did not answer since, but for things that the description no longer names."""
    assert fleet.facts is not None
    groups = fleet.facts.reservation_groups.values()
    named = {each.id for each in fleet.named} | {each for group in groups for each in group.reservations or ()}
    for pointed, answered in fleet.facts.kept.items():
        path = from_json_pointer(pointed)
        unnamed = path and path[0] in REFERENCED_SECTIONS and path[1:2] and path[1] not in named
        if answered is not None and path and not unnamed:
            yield path, answered
