"""The VPC CNI's version under HyperPod."""

from collections.abc import Iterator

from muster.fleet.named import Kind
from muster.fleet.resources import EksAddon, Fleet, InstanceGroup, Place
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
    if plane and fleet.gone(Kind.CLUSTER, plane.name):
        return
    needed, for_ = MINIMUM_VPC_CNI_FOR_HYPERPOD, "HyperPod"
    if group.interface in ("efa-only", UNKNOWN):
        needed, for_ = MINIMUM_VPC_CNI_FOR_EFA_ONLY, "efa-only interfaces"
    wanted = f"{'.'.join(map(str, needed))} or newer for {for_}"
    for place, at, version, whose in _installed(group, fleet):
        found = numbers(version)
        if found is None:
            missing = f"the version of {whose}, {wanted}"
            yield rule.unjudged(group.place if at else place, fleet.missing(missing) if at else missing)
        elif found < needed and group.interface is UNKNOWN and found >= MINIMUM_VPC_CNI_FOR_HYPERPOD:
            yield rule.unjudged(group.place, f"the interfaces of {called(group)}, not known before creation")
        elif found < needed:
            got = f"{whose} is {version}; {called(group)} needs {wanted}"
            yield rule.finding(place, got, f"update {_VPC_CNI} first, to {wanted}", at)


def _installed(group: InstanceGroup, fleet: Fleet) -> Iterator[tuple[Place, str, object, str]]:
    """The CNI's version, whose it is, and where that stands. EKS chooses one where no add-on does."""
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
