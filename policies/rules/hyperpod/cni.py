"""The VPC CNI on HyperPod."""

from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import EksAddon, Fleet, InstanceGroup, Place
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.hyperpod import cluster_of, control_plane_of, display_name
from muster.policies.lookups.versions import version_tuple
from muster.unknown import UNKNOWN
from muster.versions import MINIMUM_VPC_CNI_FOR_EFA_ONLY, MINIMUM_VPC_CNI_FOR_HYPERPOD

_VPC_CNI = "vpc-cni"


@rule(
    "hyperpod-vpc-cni",
    title="The VPC CNI add-on is new enough for HyperPod",
    judges=InstanceGroup,
    backends=("hyperpod",),
    why="HyperPod needs the VPC CNI, at version 1.18.3 or newer, and no other CNI. A group with efa-only interfaces "
    "needs 1.18.5. With an older version, nodes join the cluster but pods get no IP addresses.",
    source=(
        "https://docs.aws.amazon.com/sagemaker/latest/dg/sagemaker-hyperpod-eks-prerequisites.html",
        "https://docs.aws.amazon.com/eks/latest/userguide/node-efa.html",
    ),
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
    least = f"{'.'.join(map(str, needed))} or newer"
    for place, at, version, whose in _installed(group, fleet):
        found = version_tuple(version)
        if found is None:
            missing = f"the version of {whose}, which must be {least} for {for_}"
            yield rule.unjudged(group.place if at else place, fleet.missing(missing) if at else missing)
        elif found < needed and group.interface is UNKNOWN and found >= MINIMUM_VPC_CNI_FOR_HYPERPOD:
            yield rule.unjudged(group.place, f"the interfaces of {display_name(group)} (known only after `pulumi up`)")
        elif found < needed:
            got = f"{whose} has version {version}, but {display_name(group)} needs {least} for {for_}"
            wanted = f"set addonVersion to v{'.'.join(map(str, needed))}-eksbuild.1 or newer, and deploy it first"
            yield rule.finding(place, got, f"first update {_VPC_CNI} to {least}", at, program_remedy=wanted)


def _installed(group: InstanceGroup, fleet: Fleet) -> Iterator[tuple[Place, str, object, str]]:
    """Where the CNI's version is set, the version, and what it is of. EKS chooses it where no add-on does."""
    cluster = cluster_of(group, fleet)
    plane, _ = control_plane_of(cluster, fleet) if cluster else (None, "")
    if plane is not None and plane.existing:
        known = fleet.facts.clusters.get(str(plane.name)) if fleet.facts else None
        version = (known.eks_addons or {}).get(_VPC_CNI) if known else None
        yield plane.place, "control-plane.existing.name", version, f"the VPC CNI of {plane.name}"
        return
    addons = [addon for addon in fleet.of(EksAddon) if addon.name in (_VPC_CNI, UNKNOWN)]
    if not addons:
        yield group.place, "", None, f"the VPC CNI (no add-on '{_VPC_CNI}')"
    for addon in addons:
        yield addon.place, "", None if addon.name is UNKNOWN else addon.version, "the VPC CNI"
