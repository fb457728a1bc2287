"""Other networks for pods than the VPC CNI's."""

from collections.abc import Iterator

from muster.fleet.finding import Level
from muster.fleet.resources import Addon, Fleet
from muster.fleet.unknown import UNKNOWN
from policies.reading.unknowns import found_at
from policies.rule import Rule, Verdict, rule

_CALICO = (("installation", "cni", "type"), "AmazonVPC")
_BESIDE = {
    "antrea": None,
    "calico": _CALICO,
    "cilium": (("cni", "chainingMode"), "aws-cni"),
    "flannel": None,
    "kube-ovn": None,
    "tigera-operator": _CALICO,
}
"""Charts that bring a CNI -> the value by which one leaves addresses to the VPC CNI, and judges traffic alone."""


@rule(
    "hyperpod-one-cni",
    title="On HyperPod the VPC CNI is the only one",
    level=Level.ADVISORY,
    judges=Addon,
    backends=("hyperpod",),
    # awslabs/awsome-distributed-training offers Cilium in overlay mode for HyperPod on EKS, so this is advice.
    why="SageMaker documents the VPC CNI alone for HyperPod: it owns the instances' interfaces, and another CNI takes "
    "over the pods on them. AWS's reference architecture offers Cilium in overlay mode, so others can work.",
    source="SageMaker guide, sagemaker-hyperpod-eks-prerequisites",
    remedy="Leave the other CNI out, or let it judge traffic only, beside the VPC CNI.",
    facts=("rules.md#10", "hardware.md#f5"),
)
def hyperpod_one_cni(addon: Addon, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if addon.chart is UNKNOWN:
        yield rule.unjudged(addon.place, "which chart it is, not known before creation")
        return
    if addon.chart not in _BESIDE:
        return
    beside = _BESIDE[str(addon.chart)]
    said = found_at(addon.values, *beside[0]) if beside else None
    if beside and said == beside[1]:
        return
    if said is UNKNOWN:
        yield rule.unjudged(addon.place, f"whether {addon.chart} leaves pods to the VPC CNI, not known before creation")
        return
    # AWS's reference architecture names ENI mode as incompatible (its terraform-modules/AGENTS.md).
    takes_interfaces = addon.chart == "cilium" and (
        found_at(addon.values, "eni", "enabled") is True or found_at(addon.values, "ipam", "mode") == "eni"
    )
    rule = rule.configured(Level.MANDATORY) if takes_interfaces else rule
    instead = f", or say {'.'.join(beside[0])}: {beside[1]} in its values" if beside else ""
    yield rule.finding(addon.place, f"{addon.chart} brings a CNI of its own", f"remove it{instead}")
