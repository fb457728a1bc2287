"""Subnets and security groups of HyperPod's VpcConfig."""

from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import (
    Fleet,
    InstanceGroup,
    PossibleReferences,
    Ref,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources.ref import CLUSTER
from muster.policies.engine.finding_text import and_list, name_of, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import display_name, machines
from muster.policies.lookups.security_groups import missing_self_traffic, only_to_everywhere
from muster.unknown import NotKnown


def hyperpod_private_subnets(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.subnets_among and _all_private(group.subnets_among, fleet):
        return
    subnets = fleet.subnets_of(group.subnets)
    public = [subnet.id for subnet in subnets if subnet.public or subnet.map_public_ip]
    open_ = [
        subnet.id
        for subnet in subnets
        if subnet.map_public_ip is None and not fleet.gone(ResourceKind.SUBNET, subnet.id)
    ]
    if public:
        giving = f"{and_list(public)}, which {singular_or_plural(public, 'assigns', 'assign')} public IP addresses"
        got = f"{display_name(group)} is in {giving} to instances"
        yield rule.finding(group, "subnets", got=got, change="use private subnets")
    elif open_:
        assign = singular_or_plural(open_, "assigns", "assign")
        raise NotKnown(fleet.missing(f"whether {and_list(open_)} {assign} public IP addresses"))


def _all_private(among: PossibleReferences, fleet: Fleet) -> bool:
    """Whether every subnet that the group can be in is private."""
    subnets = fleet.subnets_of(among.candidates)
    return bool(subnets) and all(not subnet.public and subnet.map_public_ip is False for subnet in subnets)


def hyperpod_security_groups_allow_themselves(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if any(machine.max_efa for machine in machines(group)):
        yield from rule.each(group.security_groups, lambda each: _judge(each, group, fleet, rule), group.place)


def _judge(each: Reference, group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lacking, name = missing_self_traffic(each, fleet), name_of(each)
    if lacking:
        at_fault = fleet.find(SecurityGroup, each)
        bare = "to" in lacking.split() and only_to_everywhere(each, fleet)
        yield rule.finding(
            at_fault or group,
            "" if at_fault else "security-groups",
            got=f"security group {name} is on HyperPod's EFA interfaces, but does not allow all protocols {lacking} "
            f"itself{': its rule for all traffic to 0.0.0.0/0 does not cover EFA' if bare else ''}",
            change="use Kubernetes 1.33 or newer, where EKS gives its security group that rule"
            if isinstance(each, Ref) and each.type == CLUSTER
            else f"give {name} a rule for all protocols (-1) {lacking.replace(' or ', ' and ')} itself",
        )
