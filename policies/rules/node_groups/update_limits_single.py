"""How many nodes an update takes out."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule

_MOST = 100


@rule(
    "update-limits-single",
    title="An update's limit is a number of nodes or a percentage, 1 to 100",
    severity=Severity.LOW,
    judges=NodeGroup,
    why="EKS refuses both together, and numbers outside of 1 to 100.",
    source="EKS API, NodegroupUpdateConfig",
    remedy="Keep one of maxUnavailable and maxUnavailablePercentage.",
    facts=("rules.md#41",),
)
def update_limits_single(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    limits = {"maxUnavailable": group.max_unavailable, "maxUnavailablePercentage": group.max_unavailable_percentage}
    given = {name: value for name, value in limits.items() if value is not None}
    if len(given) > 1 and UNKNOWN not in given.values():
        got = "maxUnavailable and maxUnavailablePercentage together"
        yield rule.finding(group.place, at="updates", got=got, remedy="remove one of them")
    for name, value in given.items():
        if value is UNKNOWN:
            yield rule.unjudged(group.place, f"{name}, not known before creation")
        elif not 1 <= value <= _MOST:
            yield rule.finding(
                group.place, at="updates", got=f"{name} {value}", remedy=f"make {name} 1 at least and {_MOST} at most"
            )
