"""How many nodes a group has, and who changes the number."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.unknown import UNKNOWN
from policies.engine.rule import Rule, Severity, Verdict, rule


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
    # Only a description names the autoscaler; a foreign program's may be in another program.
    if group.purpose is None or group.scaled_by is not None or group.nodes_min == group.nodes_max:
        return
    if group.nodes_min is UNKNOWN or group.nodes_max is UNKNOWN or group.nodes_start is UNKNOWN:
        yield rule.unjudged(group.place, "the numbers of nodes, not known before creation")
        return
    if group.nodes_min > group.nodes_max:
        return  # nodes-in-order reports it
    block = group.capacity.capacity_block if group.capacity else None
    if block and not block.active:
        return  # the range is Muster's own: none until the block begins
    yield rule.finding(
        group.place,
        at="nodes",
        got=f"min {group.nodes_min} and max {group.nodes_max}, and nothing is said to move between them",
        remedy=f"say `nodes: {group.nodes_start or 1}`, or scaled-by: autoscaler (or you) beside min and max",
    )
