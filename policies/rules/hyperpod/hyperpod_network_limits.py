"""How many subnets and security groups HyperPod takes."""

from collections.abc import Iterator

from muster.fleet.resources import Among, Fleet, HyperPodCluster, InstanceGroup, Reference
from muster.fleet.unknown import UNKNOWN, UnknownType
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
    subnets, groups = _numbers(thing)
    # A group without a subnet is group-has-subnet's finding.
    lists = (
        ("subnet", subnets, _SUBNETS, cluster),
        ("security group", groups, _GROUPS, cluster or isinstance(thing, InstanceGroup)),
    )
    for what, count, most, needed in lists:
        at = f"{what.replace(' ', '-')}s"
        if count is None:
            yield rule.unjudged(thing.place, f"the {what}s of {called(thing)}, not known before creation")
        elif count > most:
            got = f"{called(thing)} has {number(count, what)}; HyperPod takes {most}"
            yield rule.finding(thing.place, at=at, got=got, remedy=f"name {most} at most")
        elif needed and not count:
            block = "network" if is_described(thing.place) else "vpcConfig" if cluster else "overrideVpcConfig"
            yield rule.finding(
                thing.place, at=at, got=f"{called(thing)} has no {what}", remedy=f"name a {what} in {block}"
            )


def _numbers(thing: HyperPodCluster | InstanceGroup) -> tuple[int | None, int | None]:
    """How many subnets and security groups are listed, whichever; None where not even that is known."""
    group = thing if isinstance(thing, InstanceGroup) else None
    subnets, groups = (group.subnets_among, group.security_groups_among) if group else (None, None)
    return _number(thing.subnets, subnets), _number(thing.security_groups, groups)


def _number(listed: tuple[Reference, ...] | UnknownType, among: Among | None) -> int | None:
    if listed is not UNKNOWN:
        return len(listed)
    return among.count if among else None
