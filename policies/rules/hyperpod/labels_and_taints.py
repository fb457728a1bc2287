"""Labels and taints of HyperPod groups."""

import re
from collections import Counter
from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup
from muster.fleet.resources.eks import EKS_EFFECTS
from muster.unknown import UNKNOWN
from policies.engine.finding_text import or_list, quantity_text
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.hyperpod import display_name, labels_and_taints

_MOST = 50
_LONGEST_KEY, _LONGEST_VALUE = 317, 63
_KEY = re.compile(
    r"([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?"
)
_VALUE = re.compile(r"([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]")


@rule(
    "hyperpod-labels-legal",
    title="A HyperPod group has up to 50 labels and 50 taints, of Kubernetes' form",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="The API refuses more, and others, and where CloudFormation's schema lets one through the nodes never get any "
    "of them. A value has at least one character here.",
    source="SageMaker API, ClusterKubernetesConfig, ClusterKubernetesLabelKey, ClusterKubernetesTaint",
    remedy="Keep to Kubernetes' form.",
    facts=("hardware.md#f2", "hardware.md#R19"),
)
def hyperpod_labels_legal(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed, missing = labels_and_taints(group)
    if missing:
        yield rule.unjudged(group.place, missing)
    for what, count in Counter(what for what, _, _ in listed).items():
        if count > _MOST:
            got = f"{display_name(group)} has {quantity_text(count, what)}; the API takes {_MOST}"
            yield rule.finding(group.place, at=f"{what}s", got=got, remedy=f"keep {_MOST} at most")
    for what, key, value in listed:
        fault = _fault(key, value, empty=what == "taint")
        if fault:
            got = f"the {what} '{key}' of {display_name(group)} has {fault}"
            form = "letters, digits, dashes, dots and underscores, a letter or digit at either end"
            yield rule.finding(group.place, at=f"{what}s", got=got, remedy=f"write {form}")
    for each in () if group.taints is UNKNOWN else sorted(group.taints):
        if each.effect not in EKS_EFFECTS:
            got = f"the taint '{each.key}' of {display_name(group)} has the effect '{each.effect}'"
            yield rule.finding(group.place, at="taints", got=got, remedy=f"write {or_list(EKS_EFFECTS)}")


def _fault(key: str, value: str, *, empty: bool) -> str:
    """What is wrong with a key and its value; empty for nothing. `empty` allows an empty value, as taints may have."""
    if len(key) > _LONGEST_KEY or not _KEY.fullmatch(key):
        return "a key that Kubernetes does not take"
    if not value:
        return "" if empty else "no value"
    return (
        ""
        if len(value) <= _LONGEST_VALUE and _VALUE.fullmatch(value)
        else f"a value ('{value}') that Kubernetes does not take"
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
"""But these labels."""


@rule(
    "hyperpod-labels-not-reserved",
    title="A HyperPod group sets no labels or taints that others set",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="HyperPod says by sagemaker.amazonaws.com/node-health-status whether a node may run jobs, and takes the same "
    "label as the order to reboot or replace it. A group that sets it too holds every node in that state. EKS and "
    "Kubernetes keep prefixes of their own.",
    source="SageMaker guide, sagemaker-hyperpod-eks-resiliency-node-labels; EKS API, CreateNodegroup (reserved label "
    "prefixes); Kubernetes, Well-Known Labels; kubelet --node-labels",
    remedy="Take a prefix of your own.",
    facts=("rules.md#49", "hardware.md#f5"),
)
def hyperpod_labels_not_reserved(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed, missing = labels_and_taints(group)
    if missing:
        yield rule.unjudged(group.place, missing)
    for what, key, _ in listed:
        owner = _owner(what, key)
        if owner:
            got = f"{display_name(group)} sets the {what} {key}; its prefix belongs to {owner}"
            remedy = f"leave it to {owner}, or take a prefix of your own, as in example.com/{key.partition('/')[2]}"
            yield rule.finding(group.place, at=f"{what}s", got=got, remedy=remedy)


def _owner(what: str, key: str) -> str | None:
    """Whose a key is; None of one that a group may set."""
    prefix = key.rpartition("/")[0]
    if what == "label" and prefix in _LEFT_OPEN and key not in _WELL_KNOWN:
        return None
    return next((who for owner, who in _RESERVED.items() if f".{prefix}".endswith(f".{owner}")), None)
