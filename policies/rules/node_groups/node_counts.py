"""The number of nodes of a group, and who changes it."""

from collections.abc import Iterator

from muster.fleet.backend_sets import IN_EC2
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.property_names import count_properties
from muster.unknown import UNKNOWN


@rule(
    "nodes-in-order",
    title="A group's minimum, start and maximum are in order",
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="EKS and ParallelCluster reject a group whose start is below the minimum or above the maximum, or whose "
    "maximum is 0.",
    source=(
        "https://docs.aws.amazon.com/eks/latest/APIReference/API_NodegroupScalingConfig.html",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/cluster_validators.py",
        "https://docs.aws.amazon.com/pcs/latest/APIReference/API_ScalingConfiguration.html",
    ),
    remedy="Order them: min <= start <= max.",
    facts=("rules.md#40",),
)
def nodes_in_order(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(group, NodeGroup) and group.pool is not None:
        return  # Karpenter starts with none, and needs no limit
    least, first, most = group.nodes_min, group.nodes_start, group.nodes_max
    if least is UNKNOWN or first is UNKNOWN or most is UNKNOWN:
        yield rule.unjudged(group.place, "the numbers of nodes (known only after `pulumi up`)")
    elif not least <= first <= most or (most < 1 and not _may_be_empty(group)):
        low, middle, high = ("min", "start", "max") if group.place.described else count_properties(group)
        start = f", {middle} is {first}" if isinstance(group, NodeGroup) else ""
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{low} is {least}{start} and {high} is {most}",
            remedy=_ordered(least, most, (low, middle, high)),
        )


def _may_be_empty(group: Ec2Group) -> bool:
    """Whether the maximum may be 0: Auto Scaling groups (EC2 Auto Scaling API, CreateAutoScalingGroup) and PCS
    (ScalingConfigurationRequest) accept it."""
    return not isinstance(group, ComputeResource) and not group.managed


def _ordered(least: int, most: int, names: tuple[str, str, str]) -> str:
    """The remedy, with the names of the minimum, the start and the maximum."""
    low, start, high = names
    if most < 1:
        return f"set {high} to at least 1"
    if least > most:
        return f"set {low} to at most {high}"
    return f"set {start} to {least}" if least == most else f"set {start} to at least {least} and at most {most}"
