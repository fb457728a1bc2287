"""A cluster with a Kubernetes control plane: what EKS and HyperPod share."""

from collections.abc import Iterator, Mapping
from typing import Any

from muster.blueprint import labels
from muster.blueprint.cluster import Blueprint, ClusterBlueprint, HyperPod, Network, Storage
from muster.blueprint.derive.network import SPANNED_ZONES, in_order
from muster.blueprint.derive.storage import efa_rules, storage
from muster.blueprint.dra import driven_on
from muster.blueprint.gpu_sharing import sharing_on
from muster.blueprint.group import Group
from muster.blueprint.iam import principal_name
from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.blueprint.node import Node
from muster.blueprint.user_data import NodeProxy
from muster.config.description.cluster import Cluster
from muster.config.description.control_plane import AuthenticationMode, ExistingControlPlane
from muster.config.description.group import Group as GroupDescription
from muster.config.description.network import CUSTOM_NETWORKING, VPC_CNI
from muster.fleet.resources import (
    AccessEntry,
    AccessPolicyGrant,
    ControlPlane,
    EksAddon,
    NetworkInterface,
    Place,
    Ref,
    Reference,
    SecurityGroup,
    Taint,
)
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import EGRESS, INGRESS, all_traffic
from muster.fleet.resources.eks import ACCESS_POLICIES
from muster.hardware import huge_pages
from muster.hardware.allocatable import with_kubelet
from muster.hardware.ami import plugin_in_image
from muster.hardware.catalogue import Hardware, hardware
from muster.hardware.interfaces import InterfaceType, slots
from muster.hardware.zones import domain_of, takes_control_plane
from muster.plain_data import merged, value_at
from muster.versions import EKS_ADDONS


def kubernetes(
    described: Cluster, stack: str, region: str, around: Network, groups: tuple[Group, ...], hyperpod: HyperPod | None
) -> Blueprint:
    """The blueprint of a cluster with Kubernetes.

    Args:
        described: a valid description.
        stack: the Pulumi stack's name.
        region: the AWS Region.
        around: the network.
        groups: the groups of nodes.
        hyperpod: the HyperPod cluster that they are part of, if they are.
    """
    existing = described.control_plane.existing
    # HyperPod requires a group that allows traffic between its members, with or without EFA.
    efa = hyperpod is not None or any(each.node.efa for each in groups)
    stored = storage(described, around, groups, security_group_of(described), EFA_GROUP_REF, region)
    return ClusterBlueprint(
        stack=stack,
        cluster_stack=stack,
        region=region,
        cluster_name=cluster_name(described, stack),
        described=described,
        cluster=_existing(existing, described, around) if existing else _created(described, stack, around),
        security_group=_efa_group(stored) if efa else None,
        access=tuple(_access(described)),
        eks_addons=tuple(_eks_addons(described, around, region)),
        groups=groups,
        storage=stored,
        network=around,
        hyperpod=hyperpod,
    )


def _access(described: Cluster) -> Iterator[AccessEntry | AccessPolicyGrant]:
    """An entry for each principal, and its policies. Logical names are the principal's account and path."""
    groups: dict[str, set[str]] = {}
    for each in described.access:
        groups.setdefault(each.principal, set()).update(each.groups)
    for index, each in enumerate(described.access):
        who, place = principal_name(each.principal), Place(f"access[{index}]")
        if each.principal in groups:
            found = tuple(sorted(groups.pop(each.principal)))
            yield AccessEntry(Ref(types.ACCESS_ENTRY, who), each.principal, found, place)
        if each.policy:
            ref, policy = Ref(types.ACCESS_POLICY, f"{who}-{each.policy.value}"), ACCESS_POLICIES[each.policy.value]
            yield AccessPolicyGrant(ref, each.principal, policy, tuple(sorted(each.namespaces)), place)


def cluster_name(described: Cluster, stack: str) -> str:
    """The name of the EKS cluster."""
    existing = described.control_plane.existing
    return existing.name if existing else described.name or stack


def security_group_of(described: Cluster) -> Reference:
    """The security group that EKS gives the cluster, which every node carries."""
    existing = described.control_plane.existing
    return existing.security_group if existing else CLUSTER_REF


def _efa_group(stored: tuple[Storage, ...]) -> SecurityGroup:
    """The security group of EFA traffic: allows everything between its members, and with file systems that have EFA."""
    rules = {all_traffic(direction, EFA_GROUP_REF) for direction in (INGRESS, EGRESS)} | set(efa_rules(stored))
    peers = frozenset(each.peer for each in rules if isinstance(each.peer, Ref) and each.peer != EFA_GROUP_REF)
    return SecurityGroup(EFA_GROUP_REF, Place("groups"), peers, frozenset(rules))


def _created(described: Cluster, stack: str, around: Network) -> ControlPlane:
    public = described.api.public if described.api else None
    return ControlPlane(
        ref=CLUSTER_REF,
        kubernetes=described.kubernetes,
        subnets=tuple(sorted(_control_plane(around), key=str)),
        place=Place(""),
        endpoint_public=public is not None,
        public_networks=tuple(sorted(public or ())),
        name=described.name or stack,
        role=described.iam.roles.control_plane or Ref(types.ROLE, "control-plane"),
        authentication="API",
    )


_MODES = {
    AuthenticationMode.API: "API",
    AuthenticationMode.BOTH: "API_AND_CONFIG_MAP",
    AuthenticationMode.CONFIG_MAP: "CONFIG_MAP",
}


def _existing(existing: ExistingControlPlane, described: Cluster, around: Network) -> ControlPlane:
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
        vpc=around.vpc,
    )


def _control_plane(around: Network) -> list[Reference]:
    """The control plane's subnets: those that the description names for it, or private ones in the first two zones in
    which EKS accepts subnets. Nodes may be in other zones.

    EKS never accepts another zone later, so a zone that is listed after those two must change nothing here.
    """
    if around.control_plane:
        return [*around.control_plane]
    subnets = around.private.items()
    accepted = [each for zone, each in subnets if takes_control_plane(zone, around.subnets[str(each)].zone_id)]
    return accepted[:SPANNED_ZONES]


def _eks_addons(described: Cluster, around: Network, region: str) -> Iterator[EksAddon]:
    """The EKS add-ons: those that every new cluster has, pinned, and those that the description adds. Where there is no
    pin, EKS chooses the version."""
    pins = EKS_ADDONS.get(described.kubernetes) or dict.fromkeys(next(iter(EKS_ADDONS.values())))
    pins, given = {} if described.control_plane.existing else pins, described.addons.eks_addons
    for name in (*pins, *(each for each in sorted(given) if each not in pins)):
        own = given.get(name)
        place = Place(f"addons.eks-addons.{name}" if own else "kubernetes")
        version = own.version if own and own.version else pins.get(name)
        derived = custom_networking(around.pods, region) if name == VPC_CNI and around.pods else {}
        yield EksAddon(Ref(types.ADDON, name), name, version, place, merged(derived, own.values if own else {}))


def custom_networking(pods: Mapping[str, Reference], region: str) -> dict[str, Any]:
    """Values of the VPC CNI: pods get addresses of the subnet of their node's zone. Without security groups in an
    ENIConfig, their interfaces have those of the node's first one (EKS user guide, cni-custom-network-tutorial)."""
    subnets = {zone: {"id": subnet} for zone, subnet in pods.items()}
    env = {CUSTOM_NETWORKING: "true", "ENI_CONFIG_LABEL_DEF": "topology.kubernetes.io/zone"}
    return {"env": env, "eniConfig": {"create": True, "region": region, "subnets": subnets}}


def eks_node(name: str, cluster: Cluster, devices: frozenset[str]) -> Node:
    """The node of a group on EKS.

    Args:
        name: the group's name.
        cluster: the description.
        devices: the devices whose plugin may be in the group's image.
    """
    described = cluster.groups[name]
    machine = hardware(described.instance)
    nics = slots(machine, described.layout)
    efa = sum(slot.is_efa for slot in nics)
    # A NodeClass of EKS Auto Mode has no setting for huge pages.
    default = huge_pages.default_for(0 if described.by_auto_mode else efa)
    pages = described.huge_pages if described.huge_pages is not None else default
    built_in = plugin_in_image(described.image.family, devices, of_auto_mode=described.by_auto_mode)
    sharing = None if built_in else sharing_on(cluster.addons, labels_of(name, described))
    driven = driven_on(cluster.addons.chosen, name, built_in)
    node = Node.of(machine, nics, pages, sharing, driven, custom_networking=_pods_apart(cluster))
    return node._replace(allocatable=with_kubelet(machine, node.allocatable, described.kubelet))


def _pods_apart(cluster: Cluster) -> bool:
    """Whether the VPC CNI has custom networking: by the network, or by its values."""
    network, own = cluster.network.existing or cluster.network.create, cluster.addons.eks_addons.get(VPC_CNI)
    switch = value_at(own.values, "env", CUSTOM_NETWORKING) if own else None
    return bool(network and network.pods) or str(switch).lower() == "true"


def labels_of(name: str, described: GroupDescription) -> dict[str, str]:
    """The labels of a group's nodes."""
    return labels.labels(name, described.purpose, described.labels)


def taints_of(machine: Hardware, described: GroupDescription) -> frozenset[Taint]:
    """The taints of a group's nodes."""
    return labels.taints(machine, {key: effect.value for key, effect in described.taints.items()})


def interfaces(node: Node, clusters: Reference, own: tuple[Reference, ...]) -> tuple[NetworkInterface, ...]:
    """The template's interfaces with their security groups.

    An interface that carries IP needs the cluster's group (a template that sets its own groups does not get it from
    EKS, and its nodes never join). EFA traffic needs the EFA group. An efa-only interface carries no IP.
    """
    ip, efa_only = in_order((clusters, EFA_GROUP_REF, *own)), in_order((EFA_GROUP_REF, *own))
    return tuple(
        NetworkInterface(
            card=slot.card,
            device=slot.device,
            type=slot.type.value,
            security_groups=efa_only if slot.type is InterfaceType.EFA_ONLY else ip,
            public_ip=False if slot.is_primary else None,
        )
        for slot in node.slots
    )


SERVICES = ("10.100.0.0/16", "172.20.0.0/16")
"""The ranges of which EKS gives one to the Services of a cluster (API reference, KubernetesNetworkConfigRequest)."""
_ON_THE_NODE = ("localhost", "127.0.0.1", "169.254.169.254", "169.254.170.23")
"""The node itself, the instance metadata, and the agent of Pod Identity."""


def node_proxy(described: Cluster, region: str, around: Network) -> NodeProxy | None:
    """The proxy of a cluster's nodes. After AWS's "How can I automate the configuration of HTTP proxy for EKS
    containerd nodes?", they reach what is in the VPC without it. The addresses of an existing VPC are not known."""
    proxy = described.proxy
    if proxy is None:
        return None
    domain = f"{region}.{domain_of(region)}"
    buckets = (f"s3.{domain}", f".s3.{domain}") if around.cidr else ()
    registry = (f"api.ecr.{domain}", f".dkr.ecr.{domain}") if around.registry_endpoints else ()
    cluster = (".svc", ".cluster.local", ".internal", f".eks.{domain_of(region)}")
    without = (*_ON_THE_NODE, *filter(None, (around.cidr,)), *SERVICES, *cluster, *buckets, *registry)
    return NodeProxy(proxy.http or proxy.https, proxy.https, tuple(dict.fromkeys((*without, *proxy.no_proxy))))
