"""Labels and taints of HyperPod groups."""

import re
from collections import Counter
from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.resources.eks import EKS_EFFECTS
from muster.policies.engine.finding_text import or_list, quantity_text
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.hyperpod import display_name, labels_and_taints
from muster.unknown import UNKNOWN

_MOST = 50
_LONGEST_KEY, _LONGEST_VALUE = 317, 63
_KEY = re.compile(
    r"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"
)
_VALUE = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")


@rule(
    "hyperpod-labels-legal",
    title="A HyperPod group has up to 50 labels and 50 taints, in Kubernetes' syntax",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="The API refuses more than 50 and invalid ones. If CloudFormation's schema accepts an invalid one, the nodes "
    "get no labels or taints at all. On HyperPod, the value of a label has at least one character.",
    source="SageMaker API, ClusterKubernetesConfig, ClusterKubernetesLabelKey, ClusterKubernetesTaint",
    remedy="Use Kubernetes' syntax for keys and values.",
    facts=("hardware.md#f2", "hardware.md#R19"),
)
def hyperpod_labels_legal(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed, missing = labels_and_taints(group)
    if missing:
        yield rule.unjudged(group.place, missing)
    for what, count in Counter(what for what, _, _ in listed).items():
        if count > _MOST:
            got = f"{display_name(group)} has {quantity_text(count, what)}, but the API accepts at most {_MOST}"
            yield rule.finding(
                group.place,
                at=f"{what}s",
                got=got,
                remedy=f"keep at most {_MOST} {what}s",
                program_remedy=f"keep at most {_MOST} entries in kubernetesConfig.{what}s",
            )
    for what, key, value in listed:
        fault = _fault(key, value, empty=what == "taint")
        if fault:
            got = f"the {what} '{key}' of {display_name(group)} has {fault}"
            form = "letters, digits, dashes, dots and underscores, with a letter or digit at either end"
            in_program = f"in kubernetesConfig.{what}s, use {form}"
            yield rule.finding(group.place, at=f"{what}s", got=got, remedy=f"use {form}", program_remedy=in_program)
    for each in () if group.taints is UNKNOWN else sorted(group.taints):
        if each.effect not in EKS_EFFECTS:
            got = f"the taint '{each.key}' of {display_name(group)} has effect '{each.effect}', which does not exist"
            yield rule.advice.finding(
                group.place,
                at="taints",
                got=got,
                remedy=f"set the effect to {or_list(EKS_EFFECTS)}",
                program_remedy=f"in kubernetesConfig.taints, set effect to {or_list(EKS_EFFECTS)}",
            )


def _fault(key: str, value: str, *, empty: bool) -> str:
    """What is wrong with a key and its value; empty if both are valid. `empty` allows an empty value, as for taints."""
    if len(key) > _LONGEST_KEY or not _KEY.fullmatch(key):
        return "a key that Kubernetes does not accept"
    if not value:
        return "" if empty else "no value"
    return (
        ""
        if len(value) <= _LONGEST_VALUE and _VALUE.fullmatch(value)
        else f"a value ('{value}') that Kubernetes does not accept"
    )


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


@rule(
    "hyperpod-labels-not-reserved",
    title="A HyperPod group sets no labels or taints that HyperPod, EKS or Kubernetes reserve",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="HyperPod uses the label sagemaker.amazonaws.com/node-health-status to show whether a node may run jobs, and "
    "reads the same label as an order to reboot or replace it. A group that also sets it keeps every node in that "
    "state. EKS and Kubernetes also reserve prefixes.",
    source="SageMaker guide, sagemaker-hyperpod-eks-resiliency-node-labels; EKS API, CreateNodegroup (reserved label "
    "prefixes); Kubernetes, Well-Known Labels; kubelet --node-labels",
    remedy="Use your own prefix.",
    facts=("rules.md#49", "hardware.md#f5"),
)
def hyperpod_labels_not_reserved(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed, missing = labels_and_taints(group)
    if missing:
        yield rule.unjudged(group.place, missing)
    for what, key, _ in listed:
        owner = _owner(what, key)
        if owner:
            got = f"{display_name(group)} sets the {what} {key}, whose prefix {owner} reserves"
            own = f"or use your own prefix, such as example.com/{key.partition('/')[2]}"
            yield rule.finding(
                group.place,
                at=f"{what}s",
                got=got,
                remedy=f"remove the {what}, {own}",
                program_remedy=f"remove it from kubernetesConfig.{what}s, {own}",
            )


def _owner(what: str, key: str) -> str | None:
    """The owner of a key; None if a group may set it."""
    prefix = key.rpartition("/")[0]
    if what == "label" and prefix in _LEFT_OPEN and key not in _WELL_KNOWN:
        return None
    return next((who for owner, who in _RESERVED.items() if f".{prefix}".endswith(f".{owner}")), None)
