"""The VPC CNI's version under HyperPod."""

from collections.abc import Iterator

from muster.fleet.resources import EksAddon, Fleet, InstanceGroup
from muster.fleet.unknown import UNKNOWN
from muster.versions import MINIMUM_VPC_CNI_FOR_EFA_ONLY, MINIMUM_VPC_CNI_FOR_HYPERPOD
from policies.reading.instance_groups import called, cluster_of, control_plane_of
from policies.reading.versions import numbers
from policies.rule import Rule, Verdict, rule

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
    only = group.interface == "efa-only"
    needed, for_ = (
        (MINIMUM_VPC_CNI_FOR_EFA_ONLY, "efa-only interfaces") if only else (MINIMUM_VPC_CNI_FOR_HYPERPOD, "HyperPod")
    )
    wanted = ".".join(map(str, needed))
    if plane is not None and plane.existing:
        known = fleet.facts.clusters.get(str(plane.name)) if fleet.facts else None
        version = (known.eks_addons or {}).get(_VPC_CNI) if known else None
        if numbers(version) is None:
            what = f"the version of {plane.name}'s VPC CNI, {wanted} or newer for {for_}"
            yield rule.unjudged(group.place, fleet.missing(what))
        elif (numbers(version) or ()) < needed:
            got = (
                f"{plane.name} has {_VPC_CNI} {version}; {for_} needs {wanted}"
                if not only
                else f"{plane.name} has {_VPC_CNI} {version}; {for_} need {wanted}"
            )
            yield rule.finding(
                plane.place,
                got,
                f"have its owner update {_VPC_CNI} to {wanted} or newer first",
                "control-plane.existing.name",
            )
        return
    addons = [addon for addon in fleet.of(EksAddon) if addon.name in (_VPC_CNI, UNKNOWN)]
    if not addons:
        # EKS installs a CNI of its own choice then: nothing here says which.
        yield rule.unjudged(group.place, f"the VPC CNI's version, {wanted} or newer for {for_}: no add-on '{_VPC_CNI}'")
    for addon in addons:
        version = addon.version if isinstance(addon.version, str) and addon.name is not UNKNOWN else None
        if numbers(version) is None:
            yield rule.unjudged(addon.place, f"the version of the VPC CNI, {wanted} or newer for {for_}")
        elif (numbers(version) or ()) < needed:
            got = f"{_VPC_CNI} {version}; {called(group)} needs {wanted} for {for_}"
            yield rule.finding(addon.place, got, f"pin {_VPC_CNI} at {wanted} or newer")
