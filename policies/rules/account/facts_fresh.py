"""How old the facts are."""

from collections.abc import Iterator

from pydantic import Field

from muster.fleet.finding import Level
from muster.fleet.resources import ControlPlane, Fleet, ParallelCluster
from policies.options import Options
from policies.rule import Rule, Severity, Verdict, rule
from policies.words import number


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
    "weeks ago is not what a deployment meets. Facts that a person wrote have no date, and are not judged.",
    source="EC2 API, DescribeCapacityReservations (AvailableInstanceCount)",
    remedy="Ask AWS again.",
    facts=("pains.md#4", "pains.md#5"),
    options=Age,
)
def facts_fresh(cluster: ControlPlane | ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    observed = fleet.facts.observed if fleet.facts else None
    if observed is None:
        return
    age = (fleet.as_of - observed.date()).days
    if age > Age.of(rule.settings).days:
        how = f"ask again: {fleet.preflight}" if fleet.preflight else "ask AWS again, and write what it says"
        yield rule.finding(
            cluster.place,
            got=f"AWS was asked on {observed.date()}, {number(age, 'day')} ago",
            remedy=how,
        )
