"""Subnets and security groups of HyperPod's VpcConfig."""

from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import (
    Fleet,
    HyperPodCluster,
    InstanceGroup,
    PossibleReferences,
    Ref,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources.ref import CLUSTER
from muster.unknown import UNKNOWN, UnknownType
from policies.engine.finding_text import and_list, name_of, quantity_text, singular_or_plural
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.hyperpod import display_name, machines
from policies.lookups.launch_templates import is_described
from policies.lookups.security_groups import missing_self_traffic, only_to_everywhere

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
            yield rule.unjudged(thing.place, f"the {what}s of {display_name(thing)}, not known before creation")
        elif count > most:
            got = f"{display_name(thing)} has {quantity_text(count, what)}; HyperPod takes {most}"
            yield rule.finding(thing.place, at=at, got=got, remedy=f"name {most} at most")
        elif needed and not count:
            block = "network" if is_described(thing.place) else "vpcConfig" if cluster else "overrideVpcConfig"
            yield rule.finding(
                thing.place, at=at, got=f"{display_name(thing)} has no {what}", remedy=f"name a {what} in {block}"
            )


def _numbers(thing: HyperPodCluster | InstanceGroup) -> tuple[int | None, int | None]:
    """How many subnets and security groups are listed, whichever; None where not even that is known."""
    group = thing if isinstance(thing, InstanceGroup) else None
    subnets, groups = (group.subnets_among, group.security_groups_among) if group else (None, None)
    return _number(thing.subnets, subnets), _number(thing.security_groups, groups)


def _number(listed: tuple[Reference, ...] | UnknownType, among: PossibleReferences | None) -> int | None:
    if listed is not UNKNOWN:
        return len(listed)
    return among.count if among else None


@rule(
    "hyperpod-private-subnets",
    title="HyperPod's instances are in private subnets",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="An instance's interface in your VPC is SageMaker's and has no public address: in a public subnet, which has "
    "no NAT, it reaches neither S3 nor the EKS API, its scripts do not download, and the cluster is taken back.",
    source="SageMaker guide, sagemaker-hyperpod-prerequisites; awsome-distributed-ai validate-config.py",
    remedy="Use private subnets with a NAT gateway or endpoints.",
    facts=("rules.md#60", "rules.md#9", "hardware.md#f5"),
)
def hyperpod_private_subnets(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed = group.subnets
    if listed is UNKNOWN and group.subnets_among and _all_private(group.subnets_among, fleet):
        return
    if listed is UNKNOWN:
        yield rule.unjudged(group.place, f"the subnets of {display_name(group)}, not known before creation")
        return
    subnets = fleet.subnets_of(listed)
    public = [subnet.id for subnet in subnets if subnet.public or subnet.map_public_ip]
    open_ = [
        subnet.id
        for subnet in subnets
        if subnet.map_public_ip is None and not fleet.gone(ResourceKind.SUBNET, subnet.id)
    ]
    if public:
        giving = f"{and_list(public)}, which {singular_or_plural(public, 'gives', 'give')} public IP addresses"
        got = f"{display_name(group)} is in {giving} to what launches there"
        yield rule.finding(group.place, at="subnets", got=got, remedy="name private subnets")
    elif open_:
        yield rule.unjudged(
            group.place,
            fleet.missing(
                f"whether {and_list(open_)} {singular_or_plural(open_, 'gives', 'give')} public IP addresses"
            ),
        )


def _all_private(among: PossibleReferences, fleet: Fleet) -> bool:
    """Whether every subnet is private that a group can be in, whichever of them it is."""
    subnets = fleet.subnets_of(among.candidates)
    return bool(subnets) and all(not subnet.public and subnet.map_public_ip is False for subnet in subnets)


@rule(
    "hyperpod-security-groups-allow-themselves",
    title="Every security group of a HyperPod group with EFA allows all protocols from itself and to itself",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="HyperPod attaches all groups to all interfaces and tries EFA before it gives a node away: one attached group "
    "without the rules is enough for 'EFA health checks did not run successfully', and the cluster is taken back. "
    "Everything out to 0.0.0.0/0 does not cover EFA, which is not IP.",
    source="SageMaker guide, sagemaker-hyperpod-prerequisites; awsome-distributed-ai#259",
    remedy="Give each group an ingress and an egress rule with protocol -1 that name the group itself.",
    facts=("rules.md#7", "pains.md#6", "pains.md#7", "hardware.md#f5"),
)
def hyperpod_security_groups_allow_themselves(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    known, missing = machines(group)
    if not any(machine.max_efa for machine in known):
        if missing:
            yield rule.unjudged(group.place, missing)
        return
    if group.security_groups is UNKNOWN:
        yield rule.unjudged(group.place, f"the security groups of {display_name(group)}, not known before creation")
        return
    for each in group.security_groups:
        yield from _verdict(each, group, fleet, rule)


def _verdict(each: Reference, group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lacking, name = missing_self_traffic(each, fleet), name_of(each)
    if lacking is None:
        yield rule.unjudged(group.place, fleet.missing(f"the rules of security group {name}"))
    elif lacking is UNKNOWN:
        yield rule.unjudged(group.place, f"the rules of security group {name}, not known before creation")
    elif lacking:
        at_fault, both = fleet.find(SecurityGroup, each), lacking.replace(" or ", " and ")
        bare = "to" in lacking.split() and only_to_everywhere(each, fleet)
        mend = f"give {name} a rule for all protocols (-1) {both} itself"
        yield rule.finding(
            at_fault.place if at_fault else group.place,
            at="" if at_fault else "security-groups",
            got=f"security group {name} is on HyperPod's EFA interfaces and does not allow all protocols {lacking} "
            f"itself{': it lets everything out to 0.0.0.0/0, which does not cover EFA' if bare else ''}",
            remedy="take Kubernetes 1.33 or newer, where EKS gives its group that rule"
            if isinstance(each, Ref) and each.type == CLUSTER
            else mend,
        )
