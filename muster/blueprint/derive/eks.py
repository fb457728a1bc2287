"""A cluster on EKS: its node groups with everything they need. `karpenter` has those whose nodes Karpenter creates."""

from base64 import b64encode
from datetime import datetime, timedelta

from muster.blueprint.cluster import Blueprint, Network
from muster.blueprint.derive.capacity import CapacitySource, capacity_source, placement_group, with_settings
from muster.blueprint.derive.karpenter import karpenter_group
from muster.blueprint.derive.kubernetes import (
    SERVICES,
    cluster_name,
    eks_node,
    interfaces,
    kubernetes,
    labels_of,
    node_proxy,
    security_group_of,
    taints_of,
)
from muster.blueprint.derive.network import in_order, subnets_of
from muster.blueprint.disks import disks
from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.group import EksGroup, Group, PlacementGroup
from muster.blueprint.node import Node
from muster.blueprint.node_settings import settings_in
from muster.blueprint.user_data import Boot, ClusterAddress, NodeProxy, user_data
from muster.config.description.capacity import BLOCKS_CHANGE_AT
from muster.config.description.cluster import Cluster
from muster.config.description.group import Group as GroupDescription
from muster.config.description.node_boot import MAX_PODS
from muster.config.description.node_group import LocalStorage
from muster.config.identifiers import aws_name_stem
from muster.fleet.resources import LaunchTemplate, NodeGroup, Place, Ref, Reference
from muster.fleet.resources import ref as types
from muster.fleet.resources.eks import RepairLimit
from muster.hardware.ami import ami_type, image_of
from muster.hardware.catalogue import Accelerator, Hardware
from muster.hardware.interfaces import pods_lost_to_efa_only
from muster.hardware.ultraservers import ends_minutes_before
from muster.unknown import UNKNOWN

DRAINING = timedelta(minutes=30)
"""The time that nodes have to drain before EC2 terminates them: from 30 minutes before the end of a Capacity Block on,
and P6e-GB200 UltraServers 60 minutes before (EC2 user guide, "Capacity Blocks"). EKS scales managed groups down 40
minutes before the end (EKS user guide, "Capacity Blocks")."""

GONE_BEFORE_THE_END = 30
"""When EC2 begins to terminate the instances of a Capacity Block, in minutes before its end."""


def zero_at(described: GroupDescription) -> tuple[str, ...]:
    """The moments, in ISO 8601 and UTC, at which an Auto Scaling group is scaled to 0. For managed groups, EKS does
    this.

    Empty if the Capacity Block is not active. Before it begins, the group has no nodes. After its end, the moment is in
    the past, which AWS rejects.
    """
    block = described.capacity.capacity_block
    if block is None or not block.active or not described.self_managed:
        return ()
    gone = timedelta(minutes=ends_minutes_before(described.instance) or GONE_BEFORE_THE_END)
    moment = datetime.combine(block.ends, BLOCKS_CHANGE_AT) - gone - DRAINING
    return (moment.strftime("%Y-%m-%dT%H:%M:%SZ"),)


def eks(described: Cluster, stack: str, region: str, around: Network) -> Blueprint:
    """The blueprint of a cluster on EKS; arguments as of `derive`, and the network."""
    name_stem = aws_name_stem(cluster_name(described, stack))
    proxy = node_proxy(described, region, around)
    groups = tuple(
        (karpenter_group if each.by_karpenter else _group)(name, described, around, name_stem, proxy)
        for name, each in described.groups.items()
    )
    return kubernetes(described, stack, region, around, groups, None)


def _group(name: str, cluster: Cluster, network: Network, name_stem: str, proxy: NodeProxy | None) -> EksGroup:
    """The group of that name."""
    described = cluster.groups[name]
    made_as = described.was or name
    node = eks_node(name, cluster, frozenset({GPU}))
    machine, nics, pages = node.hardware, node.slots, node.huge_pages
    placement = placement_group(made_as, described, name_stem, efa=bool(node.efa))
    capacity = capacity_source(made_as, described, f"groups.{name}")
    subnets = subnets_of(described, network)
    derived = _node_group(name, cluster, machine, subnets, capacity)
    image = _image(described, machine, cluster.kubernetes)
    boot = Boot(
        family=described.image.family,
        huge_page_memory=pages,
        # No AWS component applies EKS's limit (250) to a node that joins by itself.
        max_pods=node.allocatable.pods
        if image is not None
        or node.custom_networking
        or pods_lost_to_efa_only(nics, machine)
        or MAX_PODS in described.kubelet
        else None,
        raid0=described.local_storage is LocalStorage.RAID0,
        joins=image is not None,
        ssh=bool(described.session and described.session.key_pair),
        labels=tuple(sorted(derived.labels)),
        taints=tuple(sorted((taint.key, taint.value, taint.effect) for taint in derived.taints)),
        scripts=described.scripts,
        kubelet={name: each for name, each in described.kubelet.items() if name != MAX_PODS},
        containerd=described.containerd,
        proxy=proxy,
    )
    return Group(
        name=name,
        described=described,
        node=node,
        resource=derived,
        template=_template(name, cluster, node, placement, capacity, image, boot),
        placement_group=placement,
        boot=boot,
        reservation_group=capacity.reservation_group,
        purchase=capacity.purchase,
    )


def _image(described: GroupDescription, machine: Hardware, kubernetes: str) -> str | None:
    """The image that the template names; None if EKS chooses it (managed groups with EKS's own image)."""
    custom = described.image.custom
    if custom:
        return custom.id or f"resolve:ssm:{custom.ssm}"
    return image_of(machine, described.image.family, kubernetes) if described.self_managed else None


def _node_group(
    name: str, cluster: Cluster, machine: Hardware, subnets: tuple[Reference, ...], capacity: CapacitySource
) -> NodeGroup:
    described, managed = cluster.groups[name], not cluster.groups[name].self_managed
    zone, nodes, repair = described.only_zone, described.nodes_now, described.node_repair
    custom, updates = described.image.custom is not None, described.updates
    held = described.capacity.held
    repairs = machine.accelerator is not Accelerator.NONE if repair is None else repair
    return NodeGroup(
        ref=Ref(types.NODE_GROUP if managed else types.AUTO_SCALING_GROUP, described.was or name),
        template=Ref(types.LAUNCH_TEMPLATE, described.was or name),
        instance_types=(),
        subnets=subnets,
        ami_type=ami_type(machine, described.image.family) if managed and not custom else None,
        capacity_type=capacity.capacity_type if managed else None,
        nodes_min=nodes.min,
        nodes_start=nodes.start,
        nodes_max=nodes.max,
        disk_size=None,
        release_version=None,
        version=cluster.kubernetes if managed and not custom else None,
        labels=frozenset(labels_of(name, described).items()),
        taints=taints_of(machine, described),
        place=Place(f"groups.{name}"),
        purpose=described.purpose,
        capacity=described.capacity,
        scaled_by=described.nodes.scaled_by,
        zone=zone,
        named_subnets=described.names_subnets,
        family=described.image.family,
        # A full reservation has no capacity for new nodes besides the old ones.
        update_strategy=("MINIMAL" if held else "DEFAULT") if managed else None,
        repair=repairs if managed else None,
        # A replacement needs the place of the old node in the reservation: one node at a time.
        repair_limits=(RepairLimit("maxParallelNodesRepairedCount", 1),) if managed and repairs and held else (),
        max_unavailable=(updates.at_once or 1) if managed and updates.percent_at_once is None else None,
        max_unavailable_percentage=updates.percent_at_once if managed else None,
        managed=managed,
        role=(cluster.role_of(described) or Ref(types.ROLE, described.was or name)) if managed else None,
        zero_at=zero_at(described),
    )


def _template(
    name: str,
    cluster: Cluster,
    node: Node,
    placement: PlacementGroup | None,
    capacity: CapacitySource,
    image: str | None,
    boot: Boot,
) -> LaunchTemplate:
    described = cluster.groups[name]
    own: tuple[Reference, ...] = described.security_groups
    clusters = security_group_of(cluster)
    cards = interfaces(node, clusters, own) if node.efa else ()
    # EKS attaches its security group only to managed nodes whose template sets no groups.
    groups = in_order((clusters, *own)) if (own or described.self_managed) and not cards else ()
    key_pair = described.session.key_pair if described.session else None
    at_boot = user_data(boot, ClusterAddress(cluster.name or "", "", "", SERVICES[0]) if boot.joins else None)
    template = LaunchTemplate(
        ref=Ref(types.LAUNCH_TEMPLATE, described.was or name),
        instance=described.instance,
        interfaces=cards,
        security_groups=groups,
        target=capacity.target,
        market_type=capacity.market_type,
        placement_group=placement.reference(described.was or name) if placement else None,
        image=image,
        settings=frozenset(),
        place=Place(f"groups.{name}"),
        http_tokens="required",
        hop_limit=1,
        user_data=UNKNOWN if boot.joins else b64encode(at_boot.encode()).decode() if at_boot else None,
        least_user_data=len(at_boot.encode()),
        # As every reader of user data finds it: a script of the user may set it otherwise.
        max_pods=settings_in(at_boot).max_pods,
        key_pair=key_pair,
        proxied=settings_in(at_boot).proxied,
        devices=tuple(sorted(each.device for each in disks(described))),
    )
    return with_settings(template, "blockDeviceMappings", *(("iamInstanceProfile",) if described.self_managed else ()))
