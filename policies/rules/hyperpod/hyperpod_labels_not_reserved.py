"""Labels and taints that are others' to set."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, InstanceGroup
from policies.reading.instance_groups import called, marks
from policies.rule import Rule, Verdict, rule

_RESERVED = {
    "sagemaker.amazonaws.com": "HyperPod",
    "eks.amazonaws.com": "EKS",
    "kubernetes.io": "Kubernetes",
    "k8s.io": "Kubernetes",
}
"""What stands before the slash, or ends there behind a dot -> whose it is."""

_LEFT_OPEN = ("node.kubernetes.io", "kubelet.kubernetes.io")
"""What Kubernetes lets a node's owner label it by; taints of these prefixes are its own, too."""

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
    listed, missing = marks(group)
    if missing:
        yield rule.unjudged(group.place, missing)
    for what, key, _ in listed:
        owner = _owner(what, key)
        if owner:
            got = f"{called(group)} sets the {what} {key}; its prefix belongs to {owner}"
            remedy = f"leave it to {owner}, or take a prefix of your own, as in example.com/{key.partition('/')[2]}"
            yield rule.finding(group.place, at=f"{what}s", got=got, remedy=remedy)


def _owner(what: str, key: str) -> str | None:
    """Whose a key is; None of one that a group may set."""
    prefix = key.rpartition("/")[0]
    if what == "label" and prefix in _LEFT_OPEN and key not in _WELL_KNOWN:
        return None
    return next((who for owner, who in _RESERVED.items() if f".{prefix}".endswith(f".{owner}")), None)
