"""One node group of EKS with everything it needs."""

from base64 import b64encode
from datetime import datetime, timedelta

from muster.blueprint import labels
from muster.blueprint.cluster import Network, PlacementGroup
from muster.blueprint.derive.capacity import CapacitySource, capacity_source, placement_group
from muster.blueprint.derive.network import subnets_of
from muster.blueprint.dra import driven_on
from muster.blueprint.gpu_sharing import GPU, sharing_on
from muster.blueprint.kubernetes import EksGroup
from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.blueprint.node import Node
from muster.blueprint.user_data import Boot, user_data
from muster.config.description.capacity import BLOCKS_CHANGE_AT
from muster.config.description.eks_cluster import EksCluster
from muster.config.description.group import Group
from muster.config.description.group import Group as GroupDescription
from muster.config.description.node_group import LocalStorage
from muster.fleet.resources import LaunchTemplate, NetworkInterface, NodeGroup, Place, Ref, Reference, Taint
from muster.fleet.resources import ref as types
from muster.fleet.resources.eks import RepairLimit
from muster.hardware import huge_pages
from muster.hardware.ami import ami_type, image_of, plugin_in_image
from muster.hardware.catalogue import Accelerator, Hardware, hardware
from muster.hardware.interfaces import InterfaceType, pods_lost_to_efa_only, slots
from muster.hardware.ultraservers import ends_minutes_before
from muster.unknown import UNKNOWN

DRAINING = timedelta(minutes=30)
"""The time that nodes have to drain before EC2 terminates them: from 30 minutes before the end of a Capacity Block on,
and P6e-GB200 UltraServers 60 minutes before (EC2 user guide, "Capacity Blocks"). EKS scales managed groups down 40
minutes before the end (EKS user guide, "Capacity Blocks")."""

GONE_BEFORE_THE_END = 30
"""When EC2 begins to terminate the instances of a Capacity Block, in minutes before its end."""


def zero_at(described: Group) -> tuple[str, ...]:
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


def group(name: str, cluster: EksCluster, network: Network, name_stem: str) -> EksGroup:
    """The group of that name."""
    described = cluster.groups[name]
    made_as = described.was or name
    machine = hardware(described.instance)
    nics = slots(machine, described.layout)
    efa = sum(slot.is_efa for slot in nics)
    pages = described.huge_pages if described.huge_pages is not None else huge_pages.default_for(efa)
    built_in = plugin_in_image(described.image.family, frozenset({GPU}))
    sharing = None if built_in else sharing_on(cluster.addons, labels.labels(name, described.purpose, described.labels))
    driven = driven_on(cluster.addons.chosen, name, built_in)
    node = Node.of(machine, nics, pages, sharing, driven)
    placement = placement_group(made_as, described, name_stem, efa=bool(efa))
    capacity = capacity_source(made_as, described, f"groups.{name}")
    subnets = subnets_of(described, network)
    derived = _node_group(name, cluster, machine, subnets, capacity)
    image = _image(described, machine, cluster.kubernetes)
    boot = Boot(
        family=described.image.family,
        huge_page_memory=pages,
        # No AWS component applies EKS's limit (250) to a node that joins by itself.
        max_pods=node.allocatable.pods if image is not None or pods_lost_to_efa_only(nics, machine) else None,
        raid0=described.local_storage is LocalStorage.RAID0,
        joins=image is not None,
        ssh=bool(described.session and described.session.key_pair),
        labels=tuple(sorted(derived.labels)),
        taints=tuple(sorted((taint.key, taint.value, taint.effect) for taint in derived.taints)),
    )
    return EksGroup(
        name=name,
        described=described,
        node=node,
        node_group=derived,
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
    name: str, cluster: EksCluster, machine: Hardware, subnets: tuple[Reference, ...], capacity: CapacitySource
) -> NodeGroup:
    described, managed = cluster.groups[name], not cluster.groups[name].self_managed
    zone, nodes, repair = described.only_zone, described.nodes_now, described.node_repair
    custom = described.image.custom is not None
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
        labels=frozenset(labels.labels(name, described.purpose, described.labels).items()),
        taints=taints_of(machine, described),
        place=Place(f"groups.{name}"),
        purpose=described.purpose,
        capacity=described.capacity,
        scaled_by=described.nodes.scaled_by,
        zone=zone,
        family=described.image.family,
        # A full reservation has no capacity for new nodes besides the old ones.
        update_strategy=("MINIMAL" if held else "DEFAULT") if managed else None,
        repair=repairs if managed else None,
        # A replacement needs the place of the old node in the reservation: one node at a time.
        repair_limits=(RepairLimit("maxParallelNodesRepairedCount", 1),) if managed and repairs and held else (),
        max_unavailable=_at_once(described) if managed else None,
        max_unavailable_percentage=described.updates.percent_at_once if managed else None,
        managed=managed,
        zero_at=zero_at(described),
    )


def _at_once(described: GroupDescription) -> int | None:
    return None if described.updates.percent_at_once is not None else described.updates.at_once or 1


def taints_of(machine: Hardware, described: GroupDescription) -> frozenset[Taint]:
    """The taints of a group's nodes."""
    return labels.taints(machine, {key: effect.value for key, effect in described.taints.items()})


def _template(
    name: str,
    cluster: EksCluster,
    node: Node,
    placement: PlacementGroup | None,
    capacity: CapacitySource,
    image: str | None,
    boot: Boot,
) -> LaunchTemplate:
    described = cluster.groups[name]
    own: tuple[Reference, ...] = described.security_groups
    existing = cluster.control_plane.existing
    clusters: Reference = existing.security_group if existing else CLUSTER_REF
    cards = interfaces(node, clusters, own) if node.efa else ()
    # EKS attaches its security group only to managed nodes whose template sets no groups.
    groups = in_order((clusters, *own)) if (own or described.self_managed) and not cards else ()
    key_pair = described.session.key_pair if described.session else None
    at_boot = "" if boot.joins else user_data(boot)
    market = capacity.market_type
    given = {
        "networkInterfaces": bool(cards),
        "vpcSecurityGroupIds": bool(groups),
        "capacityReservationSpecification": capacity.target.has_target,
        "instanceMarketOptions": market is not None,
        "placement": placement is not None,
        "imageId": image is not None,
        "iamInstanceProfile": described.self_managed,
        "keyName": key_pair is not None,
        "userData": boot.joins or bool(at_boot),
    }
    always = {"instanceType", "blockDeviceMappings", "metadataOptions", "tagSpecifications"}
    return LaunchTemplate(
        ref=Ref(types.LAUNCH_TEMPLATE, described.was or name),
        instance=described.instance,
        interfaces=cards,
        security_groups=groups,
        target=capacity.target,
        market_type=market,
        placement_group=placement_reference(placement, described.was or name),
        image=image,
        settings=frozenset(always | {setting for setting, is_given in given.items() if is_given}),
        place=Place(f"groups.{name}"),
        http_tokens="required",
        hop_limit=1,
        user_data=UNKNOWN if boot.joins else b64encode(at_boot.encode()).decode() if at_boot else None,
        max_pods=boot.max_pods,
        key_pair=key_pair,
    )


def placement_reference(placement: PlacementGroup | None, name: str) -> Reference | None:
    """The placement group, as a template names it."""
    if placement is None:
        return None
    return Ref(types.PLACEMENT_GROUP, name) if placement.create else placement.name


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


def in_order(references: tuple[Reference, ...]) -> tuple[Reference, ...]:
    """References in the order in which AWS's sets are compared."""
    return tuple(sorted(references, key=str))
