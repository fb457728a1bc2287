"""HyperPod's instance groups: their types, labels, huge pages, subnets and security groups."""

from collections.abc import Iterator

from muster.config.description.instance_group import Interface
from muster.edits import Remedy, remove, set_to
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Fleet, InstanceGroup, Ref, Reference, SecurityGroup
from muster.fleet.resources.ref import CLUSTER
from muster.hardware.huge_pages import PAGE
from muster.hardware.hyperpod_types import ML, ec2_names, hyperpod_types, nearest_types
from muster.policies.engine.finding_text import and_list, name_of
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import display_name, machines
from muster.policies.lookups.security_groups import missing_self_traffic
from muster.unknown import NotKnown


def hyperpod_instance_type_taken(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    for each in group.instance_types:
        if each not in hyperpod_types():
            near = nearest_types(each)
            known = "a type of SageMaker's list (`aws sagemaker create-cluster help`, ClusterInstanceType)"
            change = set_to(*ec2_names(near), words="" if near else known, in_program=near)
            got = f"{display_name(group)} requests {each}, which HyperPod does not offer"
            # The list grows, but every name in it begins with `ml.`.
            yield (rule.advice if each.startswith(ML) else rule).finding(group, "instance", got=got, change=change)


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


_RESERVED = ("sagemaker.amazonaws.com", "eks.amazonaws.com", "kubernetes.io", "k8s.io")
"""Prefixes of keys (before the slash), and the ends of such prefixes after a dot."""
_LEFT_OPEN = ("node.kubernetes.io", "kubelet.kubernetes.io")
"""Prefixes that Kubernetes allows for a node's own labels. Taints with these prefixes are Kubernetes' own."""
_WELL_KNOWN = ("node.kubernetes.io/instance-type", "node.kubernetes.io/windows-build")
"""The labels with these prefixes that Kubernetes sets itself."""


def hyperpod_labels_not_reserved(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    yield from rule.each(("labels", "taints"), lambda at: _reserved(at, group, rule), group.place)


def _reserved(at: str, group: InstanceGroup, rule: Rule) -> Iterator[Verdict]:
    keys = [key for key, _ in group.labels] if at == "labels" else [each.key for each in group.taints]
    for key in sorted(keys):
        prefix, _, name = key.rpartition("/")
        if at == "labels" and prefix in _LEFT_OPEN and key not in _WELL_KNOWN:
            continue
        if f".{prefix}".endswith(tuple(f".{each}" for each in _RESERVED)):
            got = f"{display_name(group)} sets {key}, whose prefix is reserved"
            own = f"remove it, or use your own prefix, such as example.com/{name}"
            yield rule.finding(group, at, got=got, change=own)


def hyperpod_huge_pages_set_aside(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    pages, lifecycle = group.huge_pages, group.lifecycle
    if pages is None or not pages.mib or (lifecycle and isinstance(lifecycle.source, Ref)):
        return
    own = f"set vm.nr_hugepages to {pages.mib // PAGE.mib} in your scripts"
    change: Remedy = own if lifecycle else set_to("default", at="hyperpod.lifecycle")
    got = f"{display_name(group)} has {pages} of huge pages, which no script of Muster's reserves there"
    yield rule.finding(group, "huge-pages", got=got, change=(change, remove()))


def hyperpod_private_subnets(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    possible = fleet.subnets_of(group.subnets_among.candidates) if group.subnets_among else ()
    if possible and all(not each.public and each.map_public_ip is False for each in possible):
        return
    subnets = fleet.subnets_of(group.subnets)
    public = [each.id for each in subnets if each.public or each.map_public_ip]
    if public:
        got = f"{display_name(group)} is in {and_list(public)}: instances get public IP addresses there"
        yield rule.finding(group, "subnets", got=got, change="use private subnets")
        return
    open_ = [each.id for each in subnets if each.map_public_ip is None]
    if open_ := [each for each in open_ if not fleet.gone(ResourceKind.SUBNET, each)]:
        raise NotKnown(fleet.missing(f"whether instances get public IP addresses in {and_list(open_)}"))


def hyperpod_security_groups_allow_themselves(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if any(machine.max_efa for machine in machines(group)):
        yield from rule.each(group.security_groups, lambda each: _allows_itself(each, group, fleet, rule), group.place)


def _allows_itself(each: Reference, group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    lacking, name, made = missing_self_traffic(each, fleet), name_of(each), fleet.find(SecurityGroup, each)
    if lacking:
        got = f"security group {name} on EFA interfaces does not allow all protocols {lacking} itself"
        change = f"give {name} a rule for all protocols (-1) {lacking.replace(' or ', ' and ')} itself: 0.0.0.0/0 does "
        change += "not cover EFA"
        if isinstance(each, Ref) and each.type == CLUSTER:
            change = "use Kubernetes 1.33 or newer, where EKS gives its security group that rule"
        yield rule.finding(made or group, "" if made else "security-groups", got=got, change=change)
