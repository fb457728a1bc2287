"""Description + hardware catalogue + facts -> blueprint. Never fails on a valid description: what makes no sense
(a zone without a subnet, a reservation elsewhere) is derived as said, and a rule names it."""

from base64 import b64encode
from collections.abc import Iterator, Mapping

from muster.fleet import huge_pages, labels
from muster.fleet.ami import ami_type
from muster.fleet.blueprint import Blueprint, Group, PlacementGroup
from muster.fleet.description import EksCluster
from muster.fleet.description.capacity import NO_PLACEMENT_GROUP, Provider
from muster.fleet.description.group import Group as GroupDescription
from muster.fleet.description.group import LocalStorage, Purpose, Tier
from muster.fleet.description.network import ExistingNetwork
from muster.fleet.facts import Facts, SubnetFacts
from muster.fleet.hardware import Accelerator, Hardware, hardware
from muster.fleet.interfaces import InterfaceType, pods_lost_to_efa_only, slots
from muster.fleet.node import Node
from muster.fleet.resources import (
    Addon,
    CapacityTarget,
    ControlPlane,
    EksAddon,
    LaunchTemplate,
    NetworkInterface,
    NodeGroup,
    Place,
    Ref,
    Reference,
    SecurityGroup,
    Subnet,
    Taint,
)
from muster.fleet.resources import place as types
from muster.fleet.user_data import user_data
from muster.fleet.zones import CONTROL_PLANE_REFUSED
from muster.versions import ADDONS, EKS_ADDONS

CLUSTER = "cluster"
"""The logical name of the cluster's own resources; the stack's name would replace everything on a rename."""

CLUSTER_REF = Ref(types.CLUSTER, f"{CLUSTER}-eksCluster")
"""The EKS cluster as `pulumi_eks.Cluster` names it; also stands for the security group EKS gives it."""

EFA_GROUP_REF = Ref(types.SECURITY_GROUP, "efa")


def derive(
    described: EksCluster, stack: str, region: str, facts: Facts | None = None, facts_file: str = ""
) -> Blueprint:
    """The blueprint of a description.

    Args:
        described: a valid description.
        stack: the Pulumi stack's name; the cluster's name where the description gives none.
        region: the AWS Region.
        facts: what is known of the account, None where nobody said anything.
        facts_file: the file the facts come from, for messages.
    """
    network = described.network.existing
    assert network is not None, "the only kind of network there is so far"
    cluster_name = described.name or stack
    groups = tuple(_group(name, described, network, cluster_name) for name in described.groups)
    efa = any(group.node.efa for group in groups)
    subnets = {subnet.id: subnet for subnet in _subnets(network, facts)}
    return Blueprint(
        stack=stack,
        region=region,
        cluster_name=cluster_name,
        described=described,
        control_plane=ControlPlane(
            ref=CLUSTER_REF,
            kubernetes=described.kubernetes,
            subnets=tuple(sorted(_control_plane(network, subnets))),
            place=Place(""),
            endpoint_private=True,
            endpoint_public=described.api.public is not None,
            public_networks=tuple(sorted(described.api.public or ())),
            logs=tuple(sorted(each.value for each in described.logs.types)),
            secrets_encrypted=True,
        ),
        efa_security_group=SecurityGroup(EFA_GROUP_REF, self_ingress=True, self_egress=True, place=Place("groups"))
        if efa
        else None,
        eks_addons=tuple(_eks_addons(described.kubernetes)),
        groups=groups,
        addons=tuple(_addons(described)),
        subnets=subnets,
        facts=facts,
        facts_file=facts_file,
    )


def _control_plane(network: ExistingNetwork, subnets: Mapping[str, Subnet]) -> Iterator[str]:
    """The control plane's subnets: the private ones, but for zones where EKS takes none. Nodes may be there all the
    same."""
    return (subnet for subnet in network.private.values() if subnets[subnet].zone_id not in CONTROL_PLANE_REFUSED)


def _eks_addons(kubernetes: str) -> Iterator[EksAddon]:
    """The pinned EKS add-ons. None for a version we pin nothing for: a rule refuses that version."""
    for name, version in EKS_ADDONS.get(kubernetes, {}).items():
        yield EksAddon(Ref(types.ADDON, name), name, version, Place("kubernetes"))


def _addons(described: EksCluster) -> Iterator[Addon]:
    for name, options in described.addons.chosen.items():
        yield Addon(Ref(types.KUBERNETES_ADDON, name), options.version or ADDONS[name], Place(f"addons.{name}"))


def _subnets(network: ExistingNetwork, facts: Facts | None) -> Iterator[Subnet]:
    """Every subnet of the network, with what AWS says of it."""
    for tier in Tier:
        for zone, subnet in getattr(network, tier.value).items():
            known = facts.subnets.get(subnet, SubnetFacts()) if facts else SubnetFacts()
            zones = {**network.zone_ids, **(facts.zones if facts else {})}
            yield Subnet(
                id=subnet,
                declared_at=f"network.existing.{tier.value}.{zone}",
                declared_zone=zone,
                observed_zone=known.zone,
                zone_id=known.zone_id or zones.get(known.zone or zone),
                public=tier is Tier.PUBLIC,
                map_public_ip=known.map_public_ip_on_launch,
            )


def _group(name: str, cluster: EksCluster, network: ExistingNetwork, cluster_name: str) -> Group:
    described = cluster.groups[name]
    machine = hardware(described.instance)
    nics = slots(machine, described.layout)
    efa = sum(slot.is_efa for slot in nics)
    pages = described.huge_pages if described.huge_pages is not None else huge_pages.default_for(efa)
    node = Node.of(machine, nics, pages)
    placement = _placement_group(name, described, cluster_name, efa=bool(efa))
    place = Place(f"groups.{name}")
    template_ref = Ref(types.LAUNCH_TEMPLATE, name)
    at_boot = user_data(
        pages,
        node.allocatable.pods if pods_lost_to_efa_only(nics, machine) else None,
        raid0=described.local_storage is LocalStorage.RAID0,
    )
    return Group(
        name=name,
        described=described,
        node_group=_node_group(name, cluster, machine, network, template_ref, place),
        template=_template(described, node, placement, template_ref, place, at_boot=at_boot),
        node=node,
        placement_group=placement,
    )


def _node_group(
    name: str,
    cluster: EksCluster,
    machine: Hardware,
    network: ExistingNetwork,
    template: Ref,
    place: Place,
) -> NodeGroup:
    described = cluster.groups[name]
    reservation, repair = described.capacity.reservation, described.node_repair
    zone = described.zone or (reservation.zone if reservation else None)
    by_zone: dict[str, str] = getattr(network, described.subnets.value)
    subnets = tuple(sorted(subnet for at, subnet in by_zone.items() if zone in (None, at)))
    return NodeGroup(
        ref=Ref(types.NODE_GROUP, name),
        template=template,
        instance_types=(),
        subnets=subnets,
        ami_type=ami_type(machine),
        capacity_type="ON_DEMAND",
        nodes_min=described.nodes.min,
        nodes_start=described.nodes.start,
        nodes_max=described.nodes.max,
        disk_size=None,
        remote_access=False,
        release_version=None,
        version=cluster.kubernetes,
        labels=frozenset(labels.labels(name, described.purpose, described.labels).items()),
        taints=_taints(machine, described),
        place=place,
        purpose=described.purpose,
        reservation=reservation,
        zone=zone,
        # A full reservation has no room for new nodes beside the old ones.
        update_strategy="MINIMAL" if reservation else "DEFAULT",
        repair=machine.accelerator is not Accelerator.NONE if repair is None else repair,
    )


def _taints(machine: Hardware, described: GroupDescription) -> frozenset[Taint]:
    return labels.taints(machine, {key: effect.value for key, effect in described.taints.items()})


def _placement_group(name: str, described: GroupDescription, cluster_name: str, *, efa: bool) -> PlacementGroup | None:
    """Placement follows from who provided the reservation (see `Provider`), never from EFA alone.

    On-demand training groups get one of ours: EFA between nodes wants them close (EC2 guide, "EFA: get started").
    """
    reservation = described.capacity.reservation
    if reservation is None:
        wants = efa and described.purpose is Purpose.TRAINING
        return PlacementGroup(f"{cluster_name}-{name}", create=True) if wants else None
    if reservation.provided_by is Provider.AWS or reservation.placement_group == NO_PLACEMENT_GROUP:
        return None
    if reservation.placement_group:
        return PlacementGroup(reservation.placement_group, create=False)
    return PlacementGroup(f"{cluster_name}-{name}", create=True)


def _template(
    described: GroupDescription,
    node: Node,
    placement: PlacementGroup | None,
    ref: Ref,
    place: Place,
    *,
    at_boot: str,
) -> LaunchTemplate:
    reservation = described.capacity.reservation
    own: tuple[Reference, ...] = described.security_groups
    cards = _interfaces(node, own) if node.efa else ()
    settings = {"instanceType", "blockDeviceMappings", "metadataOptions", "tagSpecifications"}
    settings |= {"userData"} if at_boot else set()
    settings |= {"networkInterfaces"} if cards else set()
    settings |= {"vpcSecurityGroupIds"} if own and not cards else set()
    settings |= {"capacityReservationSpecification"} if reservation else set()
    settings |= {"placement"} if placement else set()
    return LaunchTemplate(
        ref=ref,
        instance=described.instance,
        interfaces=cards,
        security_groups=_ordered((CLUSTER_REF, *own)) if own and not cards else (),
        target=CapacityTarget(reservation=reservation.id if reservation else None),
        market_type=None,
        placement_group=_placement_reference(placement, ref.name),
        image=None,
        settings=frozenset(settings),
        place=place,
        http_tokens="required",
        hop_limit=1,
        root_encrypted=True,
        user_data=b64encode(at_boot.encode()).decode() if at_boot else None,
    )


def _placement_reference(placement: PlacementGroup | None, name: str) -> Reference | None:
    if placement is None:
        return None
    return Ref(types.PLACEMENT_GROUP, name) if placement.create else placement.name


def _interfaces(node: Node, own: tuple[Reference, ...]) -> tuple[NetworkInterface, ...]:
    """The template's interfaces with their security groups.

    An interface that carries IP needs the cluster's group (a template with groups of its own does not get it from
    EKS, and its nodes never join); EFA traffic needs the EFA group; an efa-only interface carries no IP.
    """
    ip, efa_only = _ordered((CLUSTER_REF, EFA_GROUP_REF, *own)), _ordered((EFA_GROUP_REF, *own))
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


def _ordered(references: tuple[Reference, ...]) -> tuple[Reference, ...]:
    return tuple(sorted(references, key=str))
