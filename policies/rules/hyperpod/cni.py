"""The VPC CNI on HyperPod."""

from collections.abc import Iterator

from muster.fleet.resource_references import ResourceKind
from muster.fleet.resources import ControlPlane, EksAddon, Fleet, InstanceGroup
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.hyperpod import cluster_of, control_plane_of
from muster.policies.lookups.versions import version_tuple
from muster.unknown import NotKnown, if_known, stored
from muster.versions import MINIMUM_VPC_CNI_FOR_EFA_ONLY, MINIMUM_VPC_CNI_FOR_HYPERPOD

_VPC_CNI = "vpc-cni"


def hyperpod_vpc_cni(group: InstanceGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(group, fleet)
    if cluster is None or stored(cluster, "orchestrator") is None:
        return  # Slurm has no CNI
    plane = if_known(lambda: control_plane_of(cluster, fleet))
    if plane and plane.existing:
        if not fleet.gone(ResourceKind.CLUSTER, plane.name):
            whose, addons = f"the VPC CNI of {plane.name}", fleet.cluster_facts(plane.name).eks_addons or {}
            version = fleet.need(addons.get(_VPC_CNI), f"the version of {whose}")
            yield from _judge_version(version, whose, group, rule, plane, "control-plane.existing.name")
        return
    possible = [each for each in fleet.of(EksAddon) if stored(each, "name", _VPC_CNI) == _VPC_CNI]
    if not possible:
        raise NotKnown(f"the version of the VPC CNI (no add-on '{_VPC_CNI}')")
    yield from rule.each(
        possible,
        lambda addon: _judge_version(addon.version, f"EKS add-on {addon.name}", group, rule, addon),
        group.place,
    )


def _judge_version(
    version: str | None, whose: str, group: InstanceGroup, rule: Rule, thing: EksAddon | ControlPlane, at: str = ""
) -> Iterator[Verdict]:
    found = version_tuple(version)
    if found is None:
        raise NotKnown(f"the version of {whose}")  # EKS chooses it
    if found >= MINIMUM_VPC_CNI_FOR_EFA_ONLY:
        return
    if found >= MINIMUM_VPC_CNI_FOR_HYPERPOD and group.interface != "efa-only":
        return
    minimums = (MINIMUM_VPC_CNI_FOR_HYPERPOD, MINIMUM_VPC_CNI_FOR_EFA_ONLY)
    least, for_efa_only = (".".join(map(str, each)) for each in minimums)
    yield rule.finding(
        thing,
        at,
        got=f"{whose} has version {version}, but HyperPod needs {least} or newer, and efa-only interfaces "
        f"{for_efa_only}",
        change=f"first update {_VPC_CNI} to {for_efa_only} or newer",
    )
