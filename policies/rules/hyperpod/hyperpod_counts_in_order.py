"""Numbers of instances of a HyperPod group."""

from collections.abc import Iterator

from muster.fleet.description.instance_count import MOST_INSTANCES
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule


@rule(
    "hyperpod-counts-in-order",
    title="A HyperPod group asks for 0 to 6758 instances, and for no fewer than its minimum",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="Until the minimum is there the group is not in service, and after three hours everything is taken back: a "
    "minimum above the count never comes.",
    source="SageMaker API, ClusterInstanceCount and MinInstanceCount",
    remedy="Keep the minimum at the count or below.",
    facts=("rules.md#57", "hardware.md#R19"),
)
def hyperpod_counts_in_order(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    count, minimum = group.nodes_start, group.minimum
    for said, number in (("count", count), ("minimum", minimum)):
        if isinstance(number, int) and not 0 <= number <= MOST_INSTANCES:
            got = f"{called(group)} has a {said} of {number}; the API takes 0 to {MOST_INSTANCES}"
            remedy = f"write 0 to {MOST_INSTANCES}, or spread the instances over several groups"
            yield rule.finding(group.place, at="nodes", got=got, remedy=remedy)
    if count is UNKNOWN or minimum is UNKNOWN:
        yield rule.unjudged(group.place, f"the numbers of instances of {called(group)}, not known before creation")
    elif minimum is not None and minimum > count:
        got = f"{called(group)} asks for {count} instances and needs {minimum} at least"
        remedy = f"ask for {minimum} instances, or lower the minimum to {count}"
        yield rule.finding(group.place, at="nodes.minimum", got=got, remedy=remedy)
