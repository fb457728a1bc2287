"""HyperPod's instance groups: their types, labels, huge pages, subnets and security groups."""

from collections.abc import Iterator

from muster.config.description.instance_group import Interface
from muster.edits import Remedy, remove, set_to
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, InstanceGroup, PossibleReferences, Ref, Reference, SecurityGroup
from muster.fleet.resources.ref import CLUSTER
from muster.hardware.huge_pages import PAGE
from muster.hardware.hyperpod_types import ML, ec2_names, hyperpod_types, nearest_types
from muster.policies.engine.finding_text import and_list, name_of, singular_or_plural
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import display_name, machines
from muster.policies.lookups.security_groups import missing_self_traffic, only_to_everywhere
from muster.unknown import NotKnown


def hyperpod_instance_type_taken(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for each in group.instance_types:
        if each not in hyperpod_types():
            near = nearest_types(each)
            known = "a type of SageMaker's list (`aws sagemaker create-cluster help`, ClusterInstanceType)"
            words = "(the nearest that HyperPod offers)" if near else known
            # The list grows, but every name in it begins with `ml.`.
            yield (rule.advice if each.startswith(ML) else rule).finding(
                group,
                "instance",
                got=f"{display_name(group)} requests {each}, which HyperPod does not offer",
                change=set_to(*ec2_names(near), words=words, in_program=near),
            )


_KNOWN = tuple(each.value for each in Interface)


def hyperpod_interface_fits(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if group.interface is None:
        return
    if group.interface not in _KNOWN:
        got = f"{display_name(group)} has interface type '{group.interface}', which HyperPod does not know"
        yield rule.advice.finding(group, "hyperpod.interface", got=got, change=(set_to(*_KNOWN), remove()))
    for machine in machines(group):
        if not machine.max_efa:
            got = f"{display_name(group)} requests {group.interface} interfaces on ml.{machine.instance} without EFA"
            yield rule.finding(group, "hyperpod.interface", got=got, change=remove())


_RESERVED = {
    "sagemaker.amazonaws.com": "HyperPod",
    "eks.amazonaws.com": "EKS",
    "kubernetes.io": "Kubernetes",
    "k8s.io": "Kubernetes",
}
"""Prefix of a key (before the slash), or the end of one after a dot -> its owner."""

_LEFT_OPEN = ("node.kubernetes.io", "kubelet.kubernetes.io")
"""Prefixes that Kubernetes allows for a node's own labels. Taints with these prefixes are Kubernetes' own."""

_WELL_KNOWN = ("node.kubernetes.io/instance-type", "node.kubernetes.io/windows-build")
"""The labels with these prefixes that Kubernetes sets itself."""


def hyperpod_labels_not_reserved(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from rule.each(("label", "taint"), lambda what: _reserved(what, group, rule), group.place)


def _reserved(what: str, group: InstanceGroup, rule: Rule) -> Iterator[Verdict]:
    keys = [key for key, _ in group.labels] if what == "label" else [each.key for each in group.taints]
    for key in sorted(keys):
        owner = _owner(what, key)
        if owner:
            got = f"{display_name(group)} sets the {what} {key}, whose prefix {owner} reserves"
            own = f"remove it, or use your own prefix, such as example.com/{key.partition('/')[2]}"
            yield rule.finding(group, f"{what}s", got=got, change=own)


def _owner(what: str, key: str) -> str | None:
    """The owner of a key; None if a group may set it."""
    prefix = key.rpartition("/")[0]
    if what == "label" and prefix in _LEFT_OPEN and key not in _WELL_KNOWN:
        return None
    return next((who for owner, who in _RESERVED.items() if f".{prefix}".endswith(f".{owner}")), None)


def hyperpod_huge_pages_set_aside(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    pages, lifecycle = group.huge_pages, group.lifecycle
    if pages is None or not pages.mib:
        return
    change: Remedy = set_to("default", at="hyperpod.lifecycle")
    got = f"{display_name(group)} has lifecycle: none, so no script reserves its {pages} of huge pages"
    if lifecycle:
        if isinstance(lifecycle.source, Ref):
            return
        change = f"set vm.nr_hugepages to {pages.mib // PAGE.mib} in your scripts"
        got = f"{display_name(group)} runs your own scripts, which must reserve its {pages} of huge pages"
    yield rule.finding(group, "huge-pages", got=got, change=(change, remove()))


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
