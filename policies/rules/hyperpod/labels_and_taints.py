"""Labels and taints of HyperPod groups."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import display_name

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
