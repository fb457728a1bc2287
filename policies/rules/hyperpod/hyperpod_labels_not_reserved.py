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
"""What stands before the slash -> whose it is."""


@rule(
    "hyperpod-labels-not-reserved",
    title="A HyperPod group sets no labels or taints that others set",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="HyperPod says by sagemaker.amazonaws.com/node-health-status whether a node may run jobs, and takes the same "
    "label as the order to reboot or replace it. A group that sets it too holds every node in that state. EKS and "
    "Kubernetes keep prefixes of their own.",
    source="SageMaker guide, sagemaker-hyperpod-eks-resiliency-node-labels; EKS API, CreateNodegroup (reserved label "
    "prefixes); Kubernetes, Well-Known Labels",
    remedy="Take a prefix of your own.",
    facts=("rules.md#49", "hardware.md#f5"),
)
def hyperpod_labels_not_reserved(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    listed, missing = marks(group)
    if missing:
        yield rule.unjudged(group.place, missing)
    for what, key, _ in listed:
        owner = _RESERVED.get(key.partition("/")[0]) if "/" in key else None
        if owner:
            got = f"{called(group)} sets the {what} {key}; its prefix belongs to {owner}"
            remedy = f"leave it to {owner}, or take a prefix of your own, as in example.com/{key.partition('/')[2]}"
            yield rule.finding(group.place, at=f"{what}s", got=got, remedy=remedy)
