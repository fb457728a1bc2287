"""The VPC CNI on HyperPod."""

from collections.abc import Iterator

from muster.finding import Level
from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import Addon, EksAddon, Fleet, InstanceGroup, Place
from muster.plain_data import value_at
from muster.unknown import UNKNOWN
from muster.versions import MINIMUM_VPC_CNI_FOR_EFA_ONLY, MINIMUM_VPC_CNI_FOR_HYPERPOD
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.hyperpod import cluster_of, control_plane_of, display_name
from policies.lookups.versions import version_tuple

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
    given = value_at(addon.values, *beside[0]) if beside else None
    if beside and given == beside[1]:
        return
    if given is UNKNOWN:
        yield rule.unjudged(addon.place, f"whether {addon.chart} leaves pods to the VPC CNI, not known before creation")
        return
    # AWS's reference architecture names ENI mode as incompatible (its terraform-modules/AGENTS.md).
    takes_interfaces = addon.chart == "cilium" and (
        value_at(addon.values, "eni", "enabled") is True or value_at(addon.values, "ipam", "mode") == "eni"
    )
    rule = rule.configured(Level.MANDATORY) if takes_interfaces else rule
    instead = f", or say {'.'.join(beside[0])}: {beside[1]} in its values" if beside else ""
    yield rule.finding(addon.place, f"{addon.chart} brings a CNI of its own", f"remove it{instead}")


_VPC_CNI = "vpc-cni"


@rule(
    "hyperpod-vpc-cni",
    title="The VPC CNI add-on is new enough for HyperPod",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="HyperPod needs the VPC CNI of 1.18.3 and no other CNI, and a group of efa-only interfaces 1.18.5: with an "
    "older one nodes join and pods get no addresses.",
    source="SageMaker guide, sagemaker-hyperpod-eks-prerequisites; EKS user guide, node-efa",
    remedy="Pin vpc-cni at 1.18.5 or newer.",
    facts=("rules.md#10", "hardware.md#R21"),
)
def hyperpod_vpc_cni(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    plane, elsewhere = control_plane_of(cluster, fleet) if cluster else (None, "")
    if plane is None and not elsewhere:
        return  # Slurm has no CNI
    if plane and fleet.gone(ResourceKind.CLUSTER, plane.name):
        return
    needed, for_ = MINIMUM_VPC_CNI_FOR_HYPERPOD, "HyperPod"
    if group.interface in ("efa-only", UNKNOWN):
        needed, for_ = MINIMUM_VPC_CNI_FOR_EFA_ONLY, "efa-only interfaces"
    wanted = f"{'.'.join(map(str, needed))} or newer for {for_}"
    for place, at, version, whose in _installed(group, fleet):
        found = version_tuple(version)
        if found is None:
            missing = f"the version of {whose}, {wanted}"
            yield rule.unjudged(group.place if at else place, fleet.missing(missing) if at else missing)
        elif found < needed and group.interface is UNKNOWN and found >= MINIMUM_VPC_CNI_FOR_HYPERPOD:
            yield rule.unjudged(group.place, f"the interfaces of {display_name(group)}, not known before creation")
        elif found < needed:
            got = f"{whose} is {version}; {display_name(group)} needs {wanted}"
            yield rule.finding(place, got, f"update {_VPC_CNI} first, to {wanted}", at)


def _installed(group: InstanceGroup, fleet: Fleet) -> Iterator[tuple[Place, str, object, str]]:
    """The CNI's version, whose it is, and where that is. EKS chooses one where no add-on does."""
    cluster = cluster_of(group, fleet)
    plane, _ = control_plane_of(cluster, fleet) if cluster else (None, "")
    if plane is not None and plane.existing:
        known = fleet.facts.clusters.get(str(plane.name)) if fleet.facts else None
        version = (known.eks_addons or {}).get(_VPC_CNI) if known else None
        yield plane.place, "control-plane.existing.name", version, f"{plane.name}'s VPC CNI"
        return
    addons = [addon for addon in fleet.of(EksAddon) if addon.name in (_VPC_CNI, UNKNOWN)]
    if not addons:
        yield group.place, "", None, f"the VPC CNI (no add-on '{_VPC_CNI}')"
    for addon in addons:
        yield addon.place, "", None if addon.name is UNKNOWN else addon.version, "the VPC CNI"
