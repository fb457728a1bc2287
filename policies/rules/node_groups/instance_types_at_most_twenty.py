"""The length of a group's list of instance types."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule

_MOST = 20


@rule(
    "instance-types-at-most-twenty",
    title="A group lists 20 instance types at most",
    severity=Severity.LOW,
    judges=NodeGroup,
    why="EKS refuses a longer list.",
    source="EKS API, CreateNodegroup",
    remedy="List 20 at most.",
    facts=("rules.md#38",),
)
def instance_types_at_most_twenty(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not group.managed:
        return  # EC2 Auto Scaling has limits of its own
    if group.instance_types is UNKNOWN:
        yield rule.unjudged(group.place, "instanceTypes, not known before creation")
    elif len(group.instance_types) > _MOST:
        beyond = len(group.instance_types) - _MOST
        yield rule.finding(group.place, f"{len(group.instance_types)} instance types", f"remove {beyond} of them")
