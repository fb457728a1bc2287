"""The limits of node repair."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule

_MOST_PERCENT = 100
_PAIRS = ("maxParallelNodesRepaired", "maxUnhealthyNodeThreshold")


@rule(
    "node-repair-limits-single",
    title="Each limit of node repair is a number of nodes or a percentage, 1 at least",
    severity=Severity.LOW,
    judges=NodeGroup,
    why="EKS refuses a count and a percentage of the same limit together, a count below 1, and a percentage outside of "
    "1 to 100.",
    source="EKS API, NodeRepairConfig",
    remedy="Keep the count or the percentage.",
    facts=("rules.md#41",),
)
def node_repair_limits_single(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    given = dict(group.repair_limits)
    for limit in _PAIRS:
        names = (f"{limit}Count", f"{limit}Percentage")
        both = [name for name in names if given.get(name, UNKNOWN) is not UNKNOWN]
        if len(both) > 1:
            got = f"{both[0]} and {both[1]} together"
            yield rule.finding(group.place, at="node-repair", got=got, remedy="remove one of them")
    for name, value in given.items():
        percent = name.endswith("Percentage")
        if value is UNKNOWN:
            yield rule.unjudged(group.place, f"{name}, not known before creation")
        elif value < 1 or (percent and value > _MOST_PERCENT):
            least = f"make {name} 1 at least" + (f" and {_MOST_PERCENT} at most" if percent else "")
            yield rule.finding(group.place, at="node-repair", got=f"{name} {value}", remedy=least)
