"""The three numbers of a group."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule


@rule(
    "nodes-in-order",
    title="A group's least, first and most nodes are in order, and the most is 1 or more",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="EKS refuses a group with a start below the minimum or above the maximum, or with a maximum of 0; "
    "so does ParallelCluster.",
    source="EKS API, NodegroupScalingConfig; ParallelCluster cluster_validators.py",
    remedy="Order them: min <= start <= max, max at least 1.",
    facts=("rules.md#40",),
)
def nodes_in_order(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    least, first, most = group.nodes_min, group.nodes_start, group.nodes_max
    if least is UNKNOWN or first is UNKNOWN or most is UNKNOWN:
        yield rule.unjudged(group.place, "the numbers of nodes, not known before creation")
    elif not least <= first <= most or most < 1:
        between = f"make start {least}" if least == most else f"make start at least {least} and at most {most}"
        start = "" if isinstance(group, ComputeResource) else f", start {first}"
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"min {least}{start}, max {most}",
            remedy="make max at least 1" if most < 1 else "make min at most max" if least > most else between,
        )
