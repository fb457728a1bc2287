"""One group whose nodes Karpenter creates: its NodePool and its EC2NodeClass, or its NodeClass of EKS Auto Mode, as
rules judge them.

The objects themselves are in `muster.blueprint.karpenter`. Each group has its own EC2NodeClass, because a class
has one placement group.
"""

from base64 import b64encode
from dataclasses import replace

from muster.blueprint.cluster import Network
from muster.blueprint.derive.capacity import CapacitySource, capacity_source, placement_group
from muster.blueprint.derive.kubernetes import (
    eks_node,
    interfaces,
    labels_of,
    security_group_of,
    taints_of,
)
from muster.blueprint.derive.network import in_order, subnets_of
from muster.blueprint.disks import disks
from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.group import EksGroup, Group
from muster.blueprint.karpenter import (
    AUTO_MODE_EXPIRE_AFTER,
    AUTO_MODE_MOST_PODS,
    AUTO_MODE_PODS_WITH_EFA,
    CAPACITY_TYPE,
    CONSOLIDATE_AFTER,
    COUNTED,
    NEVER,
    capacity_type,
    consolidation_policy,
)
from muster.blueprint.labels import INSTANCE_TYPE, ZONE
from muster.blueprint.logical_names import CLUSTER_REF, EFA_GROUP_REF
from muster.blueprint.node import EFA_RESOURCE, Node
from muster.blueprint.node_settings import settings_in
from muster.blueprint.user_data import Boot, NodeProxy, user_data
from muster.config.description.cluster import Cluster
from muster.config.description.group import Group as GroupDescription
from muster.config.description.node_boot import MAX_PODS
from muster.config.description.node_settings import Scaler
from muster.fleet.resources import (
    LaunchTemplate,
    NetworkInterface,
    NodeGroup,
    NodePool,
    Place,
    Ref,
    Reference,
    auto_mode_template,
)
from muster.fleet.resources import ref as types
from muster.hardware.ami import RESOLVED_BY_EC2, image_of
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import InterfaceType
from muster.plain_data import drop_none
from muster.scheduling.requirements import Operator, Requirement


def karpenter_group(name: str, cluster: Cluster, network: Network, name_stem: str, proxy: NodeProxy | None) -> EksGroup:
    """The group of that name."""
    described = cluster.groups[name]
    made_as = described.was or name
    node = eks_node(name, cluster, frozenset({GPU, EFA_RESOURCE}))
    if described.by_auto_mode and (pods := node.allocatable.pods) is not None:
        most = min(pods, AUTO_MODE_PODS_WITH_EFA if node.efa else AUTO_MODE_MOST_PODS)
        node = node._replace(allocatable=node.allocatable._replace(pods=most))
    placement = placement_group(made_as, described, name_stem, efa=bool(node.efa))
    capacity = capacity_source(made_as, described, f"groups.{name}")
    # Karpenter writes the number of pods, the disk array, labels and taints into the user data.
    boot = Boot(
        family=described.image.family,
        huge_page_memory=node.huge_pages,
        max_pods=None,
        raid0=False,
        scripts=described.scripts,
        kubelet={name: each for name, each in described.kubelet.items() if name not in COUNTED},
        containerd=described.containerd,
        proxy=proxy,
    )
    return Group(
        name=name,
        described=described,
        node=node,
        resource=_pool(name, cluster, network, capacity),
        template=(_auto_mode_class if described.by_auto_mode else _class)(
            name, cluster, node, placement.reference(made_as) if placement else None, capacity, boot
        ),
        placement_group=placement,
        boot=boot,
        purchase=capacity.purchase,
    )


_EKS_CAPACITY = {"reserved": "RESERVED", "on-demand": "ON_DEMAND", "spot": "SPOT"}
"""Karpenter's capacity type -> the word of node groups, which rules read. EKS has no word for `reserved`."""


def _pool(name: str, cluster: Cluster, network: Network, capacity: CapacitySource) -> NodeGroup:
    described = cluster.groups[name]
    subnets = subnets_of(described, network)
    zones = {network.subnets[str(each)].zone for each in subnets}
    machine, made_as = hardware(described.instance), described.was or name
    reservation = capacity.target.reservation
    of_capacity = (capacity_type(described),)
    return NodeGroup(
        ref=Ref(types.NODE_POOL, made_as),
        template=Ref(types.NODE_CLASS if described.by_auto_mode else types.EC2_NODE_CLASS, made_as),
        instance_types=(described.instance,),
        subnets=subnets,
        ami_type=None,
        capacity_type=_EKS_CAPACITY[capacity_type(described)],
        nodes_min=0,
        nodes_start=0,
        nodes_max=described.nodes.max,
        disk_size=None,
        release_version=None,
        version=None,
        labels=frozenset(labels_of(name, described).items()),
        taints=taints_of(machine, described),
        place=Place(f"groups.{name}"),
        purpose=described.purpose,
        capacity=described.capacity,
        scaled_by=Scaler.AUTOSCALER,
        zone=described.only_zone,
        named_subnets=described.names_subnets,
        family=described.image.family,
        managed=False,
        pool=NodePool(
            capacity_types=of_capacity,
            reservations=() if reservation is None else (reservation,),
            expire_after=AUTO_MODE_EXPIRE_AFTER if described.by_auto_mode else NEVER,
            consolidation=consolidation_policy(described),
            consolidate_after=CONSOLIDATE_AFTER,
            of_auto_mode=described.by_auto_mode,
            requirements=tuple(
                Requirement(label, Operator.IN, values)
                for label, values in (
                    (INSTANCE_TYPE, (described.instance,)),
                    (CAPACITY_TYPE, of_capacity),
                    (ZONE, tuple(sorted(each for each in zones if each))),
                )
                if values
            ),
        ),
    )


def _class(
    name: str,
    cluster: Cluster,
    node: Node,
    placement: Reference | None,
    capacity: CapacitySource,
    boot: Boot,
) -> LaunchTemplate:
    described = cluster.groups[name]
    custom = described.image.custom
    at_boot = user_data(boot)
    groups = _security_groups(cluster, described, node)
    return LaunchTemplate(
        ref=Ref(types.EC2_NODE_CLASS, described.was or name),
        # The NodePool has the instance type.
        instance=None,
        interfaces=tuple(_with_groups(each, groups, node) for each in interfaces(node, CLUSTER_REF, ())),
        security_groups=(),
        # A Capacity Block needs no market type here: Karpenter sets it.
        target=capacity.target,
        market_type=None,
        placement_group=placement,
        image=(custom.id or f"{RESOLVED_BY_EC2}{custom.ssm}")
        if custom
        else image_of(node.hardware, described.image.family, cluster.kubernetes),
        settings=frozenset(),
        place=Place(f"groups.{name}"),
        http_tokens="required",
        hop_limit=1,
        user_data=b64encode(at_boot.encode()).decode() if at_boot else None,
        max_pods=node.allocatable.pods,
        kubelet=drop_none(
            {
                MAX_PODS: node.allocatable.pods,
                **{name: each for name, each in described.kubelet.items() if name in COUNTED},
            }
        ),
        joins_kubernetes=True,
        proxied=settings_in(at_boot).proxied,
        devices=tuple(sorted(each.device for each in disks(described))),
    )


def _auto_mode_class(
    name: str,
    cluster: Cluster,
    node: Node,
    placement: Reference | None,
    capacity: CapacitySource,
    _boot: Boot,
) -> LaunchTemplate:
    """The NodeClass of a group of EKS Auto Mode. It lists interfaces only with EFA: otherwise EKS chooses them."""
    described = cluster.groups[name]
    groups = _security_groups(cluster, described, node)
    nics = interfaces(node, CLUSTER_REF, ()) if node.efa else ()
    return auto_mode_template(
        Ref(types.NODE_CLASS, described.was or name),
        () if nics else groups,
        capacity.target,
        Place(f"groups.{name}"),
        placement_group=placement,
        interfaces=tuple(replace(nic, security_groups=groups, public_ip=None) for nic in nics),
    )


def _security_groups(cluster: Cluster, described: GroupDescription, node: Node) -> tuple[Reference, ...]:
    """Those of a class, which all interfaces have."""
    return in_order((security_group_of(cluster), *((EFA_GROUP_REF,) if node.efa else ()), *described.security_groups))


def _with_groups(nic: NetworkInterface, groups: tuple[Reference, ...], node: Node) -> NetworkInterface:
    """The interface with the groups of the class, which all interfaces have. Nodes with one interface have the public
    address that their subnet assigns."""
    public = None if nic.type == InterfaceType.EFA_ONLY or not node.efa else False
    return replace(nic, security_groups=groups, public_ip=public)
