"""A range of nodes that nothing moves in."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Severity, Verdict, rule


@rule(
    "scaling-range-without-autoscaler",
    title="A group with a range of nodes says who moves the number",
    level=Level.ADVISORY,
    severity=Severity.LOW,
    judges=NodeGroup,
    why="EKS does not scale by itself: without an autoscaler in the cluster, or a person, the number stays where it "
    "starts, and idle nodes bill.",
    source="EKS user guide, Scale cluster compute with Karpenter and Cluster Autoscaler",
    remedy="Say nodes.scaled-by, or one number.",
    facts=("rules.md#40",),
)
def scaling_range_without_autoscaler(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # Only a description says who scales; a foreign program's autoscaler may stand anywhere.
    if group.purpose is None or group.scaled_by is not None or group.nodes_min == group.nodes_max:
        return
    if group.nodes_min is UNKNOWN or group.nodes_max is UNKNOWN or group.nodes_start is UNKNOWN:
        yield rule.unjudged(group.place, "the numbers of nodes, not known before creation")
        return
    if group.nodes_min > group.nodes_max:
        return  # nodes-in-order says so
    block = group.capacity.capacity_block if group.capacity else None
    if block and not block.active:
        return  # the range is Muster's own: none until the block begins
    yield rule.finding(
        group.place,
        at="nodes",
        got=f"min {group.nodes_min} and max {group.nodes_max}, and nothing is said to move between them",
        remedy=f"say `nodes: {group.nodes_start or 1}`, or scaled-by: autoscaler (or you) beside min and max",
    )
