"""Description + hardware catalogue + facts -> blueprint. Never fails on a valid description: what makes no sense
(a zone without a subnet, a reservation elsewhere) is derived as said, and a rule names it."""

from collections.abc import Iterator
from itertools import islice
from typing import overload

from muster.blueprint.cluster import Blueprint, HyperPod, KubernetesGroup, Network, SlurmBlueprint, Storage
from muster.blueprint.derive.hyperpod import hyperpod
from muster.blueprint.derive.network import SPANNED_ZONES, network
from muster.blueprint.derive.node_group import group
from muster.blueprint.derive.slurm import slurm
from muster.blueprint.derive.storage import efa_rules, storage
from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.config.description.cluster import AnyKubernetes, AuthenticationMode, ExistingControlPlane, HyperPodCluster
from muster.config.description.root import AnyCluster
from muster.config.description.slurm_cluster import SlurmCluster
from muster.config.identifiers import aws_name_stem
from muster.fleet.facts import Facts
from muster.fleet.resources import ControlPlane, EksAddon, Place, Ref, Reference, SecurityGroup
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic
from muster.fleet.unknown import Derived
from muster.hardware.zones import CONTROL_PLANE_REFUSED
from muster.versions import EKS_ADDONS

__all__ = ["CLUSTER_REF", "EFA_GROUP_REF", "derive"]


@overload
def derive(
    described: AnyKubernetes, stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> Blueprint: ...


@overload
def derive(
    described: SlurmCluster, stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> SlurmBlueprint: ...


def derive(
    described: AnyCluster, stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> Blueprint | SlurmBlueprint:
    """The blueprint of a description.

    Args:
        described: a valid description.
        stack: the Pulumi stack's name; the cluster's name where the description gives none.
        region: the AWS Region.
        facts: what is known of the account, None where nobody said anything.
        facts_file: the file the facts come from, for messages.
    """
    if isinstance(described, SlurmCluster):
        return slurm(described, stack, region, facts, facts_file)
    existing = described.control_plane.existing
    cluster_name = existing.name if existing else described.name or stack
    around = network(described, facts)
    machines, groups = _groups(described, around, aws_name_stem(cluster_name))
    # HyperPod wants a group that lets its members speak with each other, EFA or not.
    efa = machines is not None or any(each.node.efa for each in groups)
    stored = storage(
        described, around, groups, existing.security_group if existing else CLUSTER_REF, EFA_GROUP_REF, region
    )
    return Blueprint(
        stack=stack,
        cluster_stack=stack,
        region=region,
        cluster_name=cluster_name,
        described=described,
        control_plane=_existing(existing, described, around) if existing else _created(described, stack, around),
        efa_security_group=_efa_group(stored) if efa else None,
        eks_addons=() if existing else tuple(_eks_addons(described.kubernetes)),
        groups=groups,
        storage=stored,
        network=around,
        hyperpod=machines,
        facts=facts,
        facts_file=facts_file,
    )


def _groups(
    described: AnyKubernetes, around: Network, name_stem: str
) -> tuple[HyperPod | None, tuple[KubernetesGroup, ...]]:
    """The groups, and what those of HyperPod are part of."""
    if isinstance(described, HyperPodCluster):
        return hyperpod(described, around, name_stem)
    return None, tuple(group(name, described, around, name_stem) for name in described.groups)


def _efa_group(stored: tuple[Storage, ...]) -> SecurityGroup[Derived]:
    """The group of EFA traffic: everything between those who carry it, and with file systems that have EFA."""
    rules = {all_traffic(direction, EFA_GROUP_REF) for direction in (INGRESS, EGRESS)} | set(efa_rules(stored))
    peers = frozenset(each.peer for each in rules if isinstance(each.peer, Ref) and each.peer != EFA_GROUP_REF)
    return SecurityGroup(EFA_GROUP_REF, True, True, Place("groups"), peers, frozenset(rules))


def _created(described: AnyKubernetes, stack: str, around: Network) -> ControlPlane[Derived]:
    public = described.api.public if described.api else None
    return ControlPlane(
        ref=CLUSTER_REF,
        kubernetes=described.kubernetes,
        subnets=tuple(sorted(_control_plane(around), key=str)),
        place=Place(""),
        endpoint_private=True,
        endpoint_public=public is not None,
        public_networks=tuple(sorted(public or ())),
        logs=tuple(sorted(each.value for each in described.logs.types)),
        secrets_encrypted=True,
        name=described.name or stack,
        authentication="API",
    )


_MODES = {
    AuthenticationMode.API: "API",
    AuthenticationMode.BOTH: "API_AND_CONFIG_MAP",
    AuthenticationMode.CONFIG_MAP: "CONFIG_MAP",
}


def _existing(existing: ExistingControlPlane, described: AnyKubernetes, around: Network) -> ControlPlane[Derived]:
    """A cluster that is there: its own subnets and logs are not ours to judge."""
    return ControlPlane(
        ref=CLUSTER_REF,
        kubernetes=described.kubernetes,
        subnets=(),
        security_groups=(existing.security_group,),
        place=Place(""),
        name=existing.name,
        existing=True,
        authentication=_MODES[existing.authentication],
        grants=tuple(sorted({each.principal for each in described.access})),
        vpc=around.vpc,
    )


def _control_plane(around: Network) -> Iterator[Reference]:
    """The control plane's subnets: private ones in the first two zones where EKS takes any. Nodes may be elsewhere.

    EKS never takes another zone later, so a zone that is listed after those two must change nothing here.
    """
    accepted = (
        each for each in around.private.values() if around.subnets[str(each)].zone_id not in CONTROL_PLANE_REFUSED
    )
    return islice(accepted, SPANNED_ZONES)


def _eks_addons(kubernetes: str) -> Iterator[EksAddon[Derived]]:
    """The pinned EKS add-ons. None for a version we pin nothing for: a rule refuses that version."""
    for name, version in EKS_ADDONS.get(kubernetes, {}).items():
        yield EksAddon(Ref(types.ADDON, name), name, version, Place("kubernetes"))
