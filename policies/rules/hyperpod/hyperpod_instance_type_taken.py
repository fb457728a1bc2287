"""Instance types against those that HyperPod has."""

from collections.abc import Iterator

from muster.fleet.hardware.hyperpod_types import hyperpod_types, nearest_types
from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.rule import Rule, Verdict, rule
from policies.words import choice


@rule(
    "hyperpod-instance-type-taken",
    title="HyperPod has the instance type",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="SageMaker has a list of its own, shorter than EC2's, and refuses CreateCluster with any other type. "
    "CloudFormation's schema takes any text, so nothing says so before.",
    source="SageMaker API, ClusterInstanceType (botocore 1.44.5)",
    remedy="Take a type of the list.",
    facts=("rules.md#58", "hardware.md#R19", "hardware.md#f3"),
)
def hyperpod_instance_type_taken(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.instance_types is UNKNOWN:
        yield rule.unjudged(group.place, f"the instance type of {called(group)}, not known before creation")
        return
    for each in group.instance_types:
        if each not in hyperpod_types():
            near = nearest_types(each)
            known = "take a type of SageMaker's list (`aws sagemaker create-cluster help`, ClusterInstanceType)"
            yield rule.finding(
                group.place,
                at="instance",
                got=f"HyperPod has no {each}, which {called(group)} asks for",
                remedy=f"take {choice(near)}, the nearest it has" if near else known,
            )
