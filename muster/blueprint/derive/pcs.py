"""A Slurm cluster on AWS PCS: its controller, its queues with their compute node groups, its login nodes."""

from base64 import b64encode
from collections.abc import Iterable

from muster.blueprint.cluster import Network, PlacementGroup, Storage
from muster.blueprint.derive.capacity import CapacitySource, capacity_source, placement_group
from muster.blueprint.derive.network import network
from muster.blueprint.derive.storage import rules_of_clients, storage
from muster.blueprint.logical_names import PCS_GROUP_REF, PCS_REF
from muster.blueprint.node import SlurmNode
from muster.blueprint.pcs.cluster import DerivedQueue, LoginGroup, PcsBlueprint, PcsGroup
from muster.blueprint.pcs.user_data import LustreMount, user_data
from muster.config.description.group import Group as GroupDescription
from muster.config.description.pcs_cluster import PcsCluster as PcsClusterDescription
from muster.config.description.queues import LoginPool as PcsLoginGroupDescription
from muster.fleet.facts import Facts
from muster.fleet.resources import (
    CapacityTarget,
    ComputeNodeGroup,
    LaunchTemplate,
    NetworkInterface,
    PcsCluster,
    PcsQueue,
    Place,
    Ref,
    Reference,
    SecurityGroup,
)
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import EGRESS, EVERYWHERE, INGRESS, all_traffic
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import slots
from muster.unknown import UNKNOWN

EXCLUSIVE = ("OverSubscribe", "EXCLUSIVE")
"""Whole nodes for each job. PCS supports this parameter for queues (PCS user guide, "Custom Slurm settings for AWS PCS
queues")."""
DEFAULT = ("Default", "YES")
COUNTS_MEMORY = ("SelectTypeParameters", "CR_CPU_Memory")
"""As in the PCS user guide, "Slurm accounting"."""
REAL_MEMORY = "RealMemory"
"""PCS supports it for compute node groups (SDK for Kotlin, SlurmCustomSetting)."""
_PURCHASE = {"ON_DEMAND": "ONDEMAND"}
"""EKS's word for a purchase option -> PCS's; the others are the same."""


def pcs(
    described: PcsClusterDescription, stack: str, region: str, facts: Facts | None, facts_file: str
) -> PcsBlueprint:
    """The blueprint of a cluster on PCS; arguments as of `derive`."""
    around = network(described, facts)
    name = described.name or stack
    # The file systems depend on the zones of the groups, and the user data of groups on the file systems.
    groups = tuple(_group(each, described, around, name, ()) for each in sorted(described.groups))
    stored = storage(described, around, groups, PCS_GROUP_REF, PCS_GROUP_REF, region)
    if stored:
        groups = tuple(_group(each, described, around, name, stored) for each in sorted(described.groups))
    queues = tuple(_queue(each, described, groups) for each in _in_order(described))
    zone = _controller_zone(described, around)
    subnet = around.private.get(zone or "")
    return PcsBlueprint(
        stack=stack,
        region=region,
        cluster_name=name,
        described=described,
        groups=tuple(group for queue in queues for group in queue.groups),
        storage=stored,
        network=around,
        facts=facts,
        facts_file=facts_file,
        cluster=PcsCluster(
            ref=PCS_REF,
            name=name,
            size=described.size.value.upper(),
            version=described.slurm.version,
            subnets=(subnet,) if subnet else (),
            security_groups=(PCS_GROUP_REF,),
            place=Place(""),
            accounting=described.slurm.accounting is not None,
            keep_days=described.slurm.accounting.keep_days if described.slurm.accounting else None,
            idle_seconds=described.slurm.idle_minutes * 60,
            settings=_cluster_settings(described),
        ),
        login_groups=tuple(_login(each, described, around, zone, stored) for each in sorted(described.login_nodes)),
        queues=queues,
        security_group=_security_group(stored),
    )


def _in_order(described: PcsClusterDescription) -> list[str]:
    """The default queue first; then by name."""
    return sorted(described.queues, key=lambda name: (name != described.default_queue, name))


def _cluster_settings(described: PcsClusterDescription) -> tuple[tuple[str, str], ...]:
    own = {key: str(value) for key, value in described.slurm.settings.items()}
    return tuple(sorted({**dict([COUNTS_MEMORY] if described.slurm.memory_scheduling else []), **own}.items()))


def _controller_zone(described: PcsClusterDescription, around: Network) -> str | None:
    wanted = (*(group.only_zone for group in described.groups.values()), *around.private)
    return described.zone or next((zone for zone in wanted if zone in around.private), None)


def _queue(name: str, cluster: PcsClusterDescription, groups: Iterable[PcsGroup]) -> DerivedQueue:
    described = cluster.queues[name]
    own = tuple(group for group in groups if group.queue == name)
    settings = [*([EXCLUSIVE] if described.exclusive else []), *([DEFAULT] if name == cluster.default_queue else [])]
    queue: PcsQueue = PcsQueue(
        ref=Ref(types.PCS_QUEUE, name),
        cluster=PCS_REF,
        name=name,
        groups=tuple(sorted((group.node_group.ref for group in own), key=str)),
        place=Place(f"queues.{name}"),
        settings=tuple(sorted(settings)),
    )
    return DerivedQueue(name=name, groups=own, exclusive=described.exclusive, described=described, queue=queue)


def _group(
    name: str, cluster: PcsClusterDescription, around: Network, cluster_name: str, stored: tuple[Storage, ...]
) -> PcsGroup:
    described = cluster.groups[name]
    at = ".".join(map(str, cluster.group_path(name)))
    machine = hardware(described.instance)
    node = SlurmNode(machine, slots(machine, described.layout), described.memory)
    capacity = capacity_source(name, described, at)
    placement = placement_group(name, described, cluster_name, efa=described.has_efa)
    subnets = _subnets(described, around)
    return PcsGroup(
        name=name,
        described=described,
        node=node,
        queue=next(queue for queue, each in cluster.queues.items() if name in each.groups),
        template=_template(name, cluster, node, subnets, placement, capacity, stored, at),
        node_group=ComputeNodeGroup(
            ref=Ref(types.PCS_NODE_GROUP, name),
            cluster=PCS_REF,
            name=name,
            template=Ref(types.LAUNCH_TEMPLATE, name),
            instance_types=(described.instance,),
            subnets=subnets,
            capacity_type=_PURCHASE.get(capacity.capacity_type, capacity.capacity_type),
            nodes_min=described.nodes.min,
            nodes_max=described.nodes.max,
            place=Place(at),
            image=cluster.image,
            profile=Ref(types.INSTANCE_PROFILE, NODES),
            settings=((REAL_MEMORY, str(described.memory.mib)),) if described.memory else (),
            purpose=described.purpose,
            capacity=described.capacity,
            zone=described.only_zone,
        ),
        placement_group=placement,
        reservation_group=capacity.reservation_group,
        purchase=capacity.purchase,
    )


NODES = "nodes"
"""The logical name of the instance profile and role of all nodes."""


def _subnets(described: GroupDescription, around: Network) -> tuple[Reference, ...]:
    """One private subnet: nodes with EFA or in a placement group are in one zone."""
    zone = described.only_zone or next(iter(around.private), "")
    return (around.private[zone],) if zone in around.private else ()


def _template(
    name: str,
    cluster: PcsClusterDescription,
    node: SlurmNode,
    subnets: tuple[Reference, ...],
    placement: PlacementGroup | None,
    capacity: CapacitySource,
    stored: tuple[Storage, ...],
    at: str,
) -> LaunchTemplate:
    described = cluster.groups[name]
    groups = _ordered((PCS_GROUP_REF, *described.security_groups))
    interfaces: tuple[NetworkInterface, ...] = tuple(
        NetworkInterface(
            card=slot.card,
            device=slot.device,
            type=slot.type.value,
            security_groups=groups,
            public_ip=False if slot.is_primary else None,
            subnet=next(iter(subnets), None),
        )
        for slot in (node.slots if node.efa else ())
    )
    # For spot instances, PCS sets the market type from `purchaseOption`.
    market = None if capacity.capacity_type == "SPOT" else capacity.market_type
    placed: Reference | None = None
    if placement:
        placed = Ref(types.PLACEMENT_GROUP, name) if placement.create else placement.name
    given = {
        "networkInterfaces": bool(interfaces),
        "vpcSecurityGroupIds": not interfaces,
        "capacityReservationSpecification": capacity.target.has_target,
        "instanceMarketOptions": market is not None,
        "placement": placement is not None,
        "userData": bool(stored),
        # A block holds one type, and PCS compares it with that of the template.
        "instanceType": market is not None,
    }
    return LaunchTemplate(
        ref=Ref(types.LAUNCH_TEMPLATE, name),
        instance=described.instance if market is not None else None,
        interfaces=interfaces,
        security_groups=() if interfaces else groups,
        target=capacity.target,
        market_type=market,
        placement_group=placed,
        image=None,
        settings=frozenset({*_ALWAYS, *(key for key, is_given in given.items() if is_given)}),
        place=Place(at),
        http_tokens="required",
        hop_limit=_HOPS,
        user_data=_user_data(stored),
    )


_ALWAYS = ("metadataOptions", "tagSpecifications")
_HOPS = 2
"""Two hops, so that containers of jobs reach the instance metadata. (AWS's templates for PCS set four.)"""


def _login(
    name: str, cluster: PcsClusterDescription, around: Network, zone: str | None, stored: tuple[Storage, ...]
) -> LoginGroup:
    described: PcsLoginGroupDescription = cluster.login_nodes[name]
    at = Place(f"login-nodes.{name}")
    by_zone = around.of(described.subnets)
    wanted = (described.zone,) if described.zone else (zone, *by_zone)
    subnets = tuple(by_zone[each] for each in wanted if each and each in by_zone)[:1]
    groups = _ordered((PCS_GROUP_REF, *described.security_groups))
    given = {"keyName": described.key_pair is not None, "userData": bool(stored)}
    return LoginGroup(
        name=name,
        described=described,
        template=LaunchTemplate(
            ref=Ref(types.LAUNCH_TEMPLATE, name),
            instance=None,
            interfaces=(),
            security_groups=groups,
            target=CapacityTarget(),
            market_type=None,
            placement_group=None,
            image=None,
            settings=frozenset(
                {*_ALWAYS, "vpcSecurityGroupIds", *(key for key, is_given in given.items() if is_given)}
            ),
            place=at,
            http_tokens="required",
            hop_limit=_HOPS,
            user_data=_user_data(stored),
            key_pair=described.key_pair,
        ),
        node_group=ComputeNodeGroup(
            ref=Ref(types.PCS_NODE_GROUP, name),
            cluster=PCS_REF,
            name=name,
            template=Ref(types.LAUNCH_TEMPLATE, name),
            instance_types=(described.instance,),
            subnets=subnets,
            capacity_type="ONDEMAND",
            nodes_min=described.nodes,
            nodes_max=described.nodes,
            place=at,
            image=cluster.image,
            profile=Ref(types.INSTANCE_PROFILE, NODES),
            login=True,
            zone=described.zone,
        ),
    )


def lustre_mounts(stored: Iterable[Storage]) -> tuple[LustreMount, ...] | None:
    """What nodes mount, by name; None if a file system does not exist yet: its address is known only then."""
    known = sorted(stored, key=lambda each: each.name)
    existing = [each.existing for each in known]
    if None in existing:
        return None
    return tuple(
        LustreMount(str(each.dns_name), str(each.mount_name), f"/{storage.name}")
        for storage, each in zip(known, existing, strict=True)
        if each
    )


def _user_data(stored: tuple[Storage, ...]) -> str | None:
    mounts = lustre_mounts(stored)
    if mounts is None:
        return UNKNOWN  # type: ignore[return-value]  # as a launch template of EKS whose cluster does not exist yet
    return b64encode(user_data(mounts).encode()).decode() if mounts else None


def _security_group(stored: tuple[Storage, ...]) -> SecurityGroup:
    """The rules that PCS requires (PCS API reference, Networking, securityGroupIds), and those of file systems."""
    own = {
        all_traffic(INGRESS, PCS_GROUP_REF),
        all_traffic(EGRESS, PCS_GROUP_REF),
        all_traffic(EGRESS, EVERYWHERE),
    }
    from_storage = rules_of_clients((each.security_group for each in stored), PCS_GROUP_REF)
    peers = frozenset(each.security_group.ref for each in stored if each.security_group)
    return SecurityGroup(PCS_GROUP_REF, True, True, Place("queues"), peers, frozenset({*own, *from_storage}))


def _ordered(references: Iterable[Reference]) -> tuple[Reference, ...]:
    return tuple(sorted(references, key=str))
