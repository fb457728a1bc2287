"""A cluster with a Kubernetes control plane: what EKS and HyperPod share."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TypeVar

from muster.blueprint.cluster import Network, Storage
from muster.blueprint.derive.network import SPANNED_ZONES, network
from muster.blueprint.derive.storage import efa_rules, storage
from muster.blueprint.kubernetes import Blueprint, HyperPod, KubernetesGroup
from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.config.description.control_plane import AuthenticationMode, ExistingControlPlane
from muster.config.description.kubernetes_cluster import KubernetesCluster
from muster.config.identifiers import aws_name_stem
from muster.fleet.facts import Facts
from muster.fleet.resources import ControlPlane, EksAddon, Place, Ref, Reference, SecurityGroup
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic
from muster.hardware.zones import takes_control_plane
from muster.versions import EKS_ADDONS

D = TypeVar("D", bound=KubernetesCluster)


def kubernetes(
    described: D,
    stack: str,
    region: str,
    facts: Facts | None,
    facts_file: str,
    make_groups: Callable[[D, Network, str], tuple[HyperPod | None, tuple[KubernetesGroup, ...]]],
) -> Blueprint:
    """The blueprint of a cluster with Kubernetes; arguments as of `derive`.

    Args:
        described: a valid description.
        stack: the Pulumi stack's name.
        region: the AWS Region.
        facts: the facts of the account.
        facts_file: the file the facts come from.
        make_groups: the backend's groups, and the HyperPod cluster that they are part of, by description, network and
            name stem.
    """
    existing = described.control_plane.existing
    cluster_name = existing.name if existing else described.name or stack
    around = network(described, facts)
    machines, groups = make_groups(described, around, aws_name_stem(cluster_name))
    # HyperPod requires a group that allows traffic between its members, with or without EFA.
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


def _efa_group(stored: tuple[Storage, ...]) -> SecurityGroup:
    """The security group of EFA traffic: allows everything between its members, and with file systems that have EFA."""
    rules = {all_traffic(direction, EFA_GROUP_REF) for direction in (INGRESS, EGRESS)} | set(efa_rules(stored))
    peers = frozenset(each.peer for each in rules if isinstance(each.peer, Ref) and each.peer != EFA_GROUP_REF)
    return SecurityGroup(EFA_GROUP_REF, True, True, Place("groups"), peers, frozenset(rules))


def _created(described: KubernetesCluster, stack: str, around: Network) -> ControlPlane:
    public = described.api.public if described.api else None
    return ControlPlane(
        ref=CLUSTER_REF,
        kubernetes=described.kubernetes,
        subnets=tuple(sorted(_control_plane(around), key=str)),
        place=Place(""),
        endpoint_public=public is not None,
        public_networks=tuple(sorted(public or ())),
        name=described.name or stack,
        authentication="API",
    )


_MODES = {
    AuthenticationMode.API: "API",
    AuthenticationMode.BOTH: "API_AND_CONFIG_MAP",
    AuthenticationMode.CONFIG_MAP: "CONFIG_MAP",
}


def _existing(existing: ExistingControlPlane, described: KubernetesCluster, around: Network) -> ControlPlane:
    """An existing cluster. Rules do not evaluate its subnets and logs."""
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
    """The control plane's subnets: private ones in the first two zones in which EKS accepts subnets. Nodes may be in
    other zones.

    EKS never accepts another zone later, so a zone that is listed after those two must change nothing here.
    """
    accepted = (
        each for zone, each in around.private.items() if takes_control_plane(zone, around.subnets[str(each)].zone_id)
    )
    return islice(accepted, SPANNED_ZONES)


def _eks_addons(kubernetes: str) -> Iterator[EksAddon]:
    """The EKS add-ons, pinned. For a Kubernetes version without pins, EKS chooses their versions."""
    for name, version in (EKS_ADDONS.get(kubernetes) or dict.fromkeys(next(iter(EKS_ADDONS.values())))).items():
        yield EksAddon(Ref(types.ADDON, name), name, version, Place("kubernetes"))
