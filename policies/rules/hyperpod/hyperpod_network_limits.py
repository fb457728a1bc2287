"""How many subnets and security groups HyperPod takes."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, HyperPodCluster, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.instance_groups import called
from policies.reading.templates import is_described
from policies.rule import Rule, Verdict, rule
from policies.words import number

_SUBNETS, _GROUPS = 16, 5


@rule(
    "hyperpod-network-limits",
    title="HyperPod's VpcConfig has 1 to 16 subnets and 1 to 5 security groups",
    judges=HyperPodCluster | InstanceGroup,
    backends=("hyperpod",),
    why="The API takes no more of either, for the cluster and for each group with an override. On EKS it takes none "
    "without: the nodes must reach the control plane.",
    source="SageMaker API, VpcConfig; SageMaker guide, sagemaker-hyperpod-eks-prerequisites",
    remedy="Name 1 to 16 subnets and 1 to 5 security groups.",
    facts=("rules.md#60", "hardware.md#R19"),
)
def hyperpod_network_limits(thing: HyperPodCluster | InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, InstanceGroup) and not thing.own_network:
        return
    cluster = isinstance(thing, HyperPodCluster) and thing.orchestrator is not None
    # A group without a subnet is group-has-subnet's finding.
    lists = (
        ("subnet", thing.subnets, _SUBNETS, cluster),
        ("security group", thing.security_groups, _GROUPS, cluster or isinstance(thing, InstanceGroup)),
    )
    for what, listed, most, needed in lists:
        at = f"{what.replace(' ', '-')}s"
        if listed is UNKNOWN:
            yield rule.unjudged(thing.place, f"the {what}s of {called(thing)}, not known before creation")
        elif len(listed) > most:
            got = f"{called(thing)} has {number(len(listed), what)}; HyperPod takes {most}"
            yield rule.finding(thing.place, at=at, got=got, remedy=f"name {most} at most")
        elif needed and not listed:
            block = "network" if is_described(thing.place) else "vpcConfig" if cluster else "overrideVpcConfig"
            yield rule.finding(
                thing.place, at=at, got=f"{called(thing)} has no {what}", remedy=f"name a {what} in {block}"
            )
