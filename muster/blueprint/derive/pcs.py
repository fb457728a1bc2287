"""A Slurm cluster on AWS PCS: its controller, its queues with their compute node groups, its login nodes."""

import shlex
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from muster.blueprint.cluster import ClusterBlueprint, Network, PcsBlueprint, ServiceNodes, Storage
from muster.blueprint.derive.capacity import CapacitySource, capacity_source, placement_group, with_settings
from muster.blueprint.derive.network import in_order, subnets_in
from muster.blueprint.derive.storage import nodes_group, storage
from muster.blueprint.group import Group, PcsGroup, PlacementGroup
from muster.blueprint.iam import is_profile
from muster.blueprint.logical_names import NODE_ROLES, PCS_GROUP_REF, PCS_REF
from muster.blueprint.node import SlurmNode
from muster.blueprint.slurm import JobEnvironment, SlurmQueue, queues_in_order
from muster.blueprint.user_data import SCRIPT, mime
from muster.config.description.base import PCS
from muster.config.description.cluster import Cluster
from muster.config.description.group import Group as GroupDescription
from muster.config.description.queues import LoginPool
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
)
from muster.fleet.resources import ref as types
from muster.fleet.resources.storage import FileSystemKind
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


def pcs(described: Cluster, stack: str, region: str, around: Network) -> PcsBlueprint:
    """The blueprint of a cluster on PCS; arguments as of `derive`, and the network."""
    name = described.name or stack
    # The file systems depend on the zones of the groups, and the user data of groups on the file systems.
    groups = tuple(_group(each, described, around, name) for each in sorted(described.groups))
    stored = storage(described, around, groups, PCS_GROUP_REF, PCS_GROUP_REF, region)
    if stored:
        groups = tuple(_group(each, described, around, name, stored) for each in sorted(described.groups))
    queues = tuple(_queue(each, described, groups) for each in queues_in_order(described))
    zone = _controller_zone(described, around)
    subnet = around.private.get(zone or "")
    return ClusterBlueprint(
        stack=stack,
        region=region,
        cluster_name=name,
        described=described,
        groups=tuple(group for queue in queues for group in queue.groups),
        storage=stored,
        network=around,
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
        service_nodes=tuple(_login(each, described, around, zone, stored) for each in sorted(described.login_nodes)),
        queues=queues,
        security_group=nodes_group(PCS_GROUP_REF, "queues", stored, itself=True),
        jobs=_environment(described),
    )


def _environment(described: Cluster) -> JobEnvironment:
    """What a batch script finds on the nodes."""
    image = str(described.image)
    return JobEnvironment(
        submit_on="a login node",
        shared=None,
        scratch="",
        counts_memory=described.slurm.memory_scheduling,
        image=image,
        software=image,
        containers_if="use an image with Pyxis and Enroot",
        same_features="the nodes of PCS have no features; give each group its own queue",
        starts_nodes=True,
        driver_unknown=f"the image {image}",
    )


def _cluster_settings(described: Cluster) -> tuple[tuple[str, str], ...]:
    own = {key: str(value) for key, value in described.slurm.settings.items()}
    return tuple(sorted({**dict([COUNTS_MEMORY] if described.slurm.memory_scheduling else []), **own}.items()))


def _controller_zone(described: Cluster, around: Network) -> str | None:
    wanted = (*(group.only_zone for group in described.groups.values()), *around.private)
    return described.zone or next((zone for zone in wanted if zone in around.private), None)


def _queue(name: str, cluster: Cluster, groups: Iterable[PcsGroup]) -> SlurmQueue[PcsGroup]:
    described = cluster.queues[name]
    own = tuple(group for group in groups if group.queue == name)
    settings = [*([EXCLUSIVE] if described.exclusive else []), *([DEFAULT] if name == cluster.default_queue else [])]
    queue: PcsQueue = PcsQueue(
        ref=Ref(types.PCS_QUEUE, name),
        cluster=PCS_REF,
        name=name,
        groups=in_order(tuple(group.resource.ref for group in own)),
        place=Place(f"queues.{name}"),
        settings=tuple(sorted(settings)),
    )
    return SlurmQueue(name=name, groups=own, exclusive=described.exclusive, resource=queue)


def _group(
    name: str, cluster: Cluster, around: Network, cluster_name: str, stored: tuple[Storage, ...] = ()
) -> PcsGroup:
    described = cluster.groups[name]
    at = ".".join(map(str, cluster.group_path(name)))
    machine = hardware(described.instance)
    node = SlurmNode(machine, slots(machine, described.layout), described.memory)
    capacity = capacity_source(name, described, at)
    placement = placement_group(name, described, cluster_name, efa=described.has_efa)
    subnets = _subnets(described, around)
    return Group(
        name=name,
        described=described,
        node=node,
        queue=cluster.queue_of(name),
        template=_template(
            name, described, at, stored, tuple(_interfaces(described, node, subnets)), capacity, placement
        ),
        resource=replace(
            _nodes(name, described, cluster, subnets, at),
            capacity_type=_PURCHASE.get(capacity.capacity_type, capacity.capacity_type),
            nodes_min=described.nodes.min,
            nodes_max=described.nodes.max,
            settings=((REAL_MEMORY, str(described.memory.mib)),) if described.memory else (),
            purpose=described.purpose,
            capacity=described.capacity,
            zone=described.only_zone,
            named_subnets=described.names_subnets,
        ),
        placement_group=placement,
        reservation_group=capacity.reservation_group,
        purchase=capacity.purchase,
    )


def before_of(described: GroupDescription | LoginPool) -> str | None:
    """The script of the user on nodes of a group. Login nodes have none."""
    return None if isinstance(described, LoginPool) else described.scripts.before


NODES = NODE_ROLES[PCS]
"""The logical name of the instance profile and role of all nodes."""


def _subnets(described: GroupDescription, around: Network) -> tuple[Reference, ...]:
    """Those that it names, or one private subnet: nodes with EFA or in a placement group are in one zone."""
    return subnets_in(described.subnets, [described.only_zone or next(iter(around.private), "")], around)


def _interfaces(
    described: GroupDescription, node: SlurmNode, subnets: tuple[Reference, ...]
) -> Iterator[NetworkInterface]:
    """The interfaces of a group with EFA. Those of others follow from the subnet and the security groups."""
    for slot in node.slots if node.efa else ():
        yield NetworkInterface(
            card=slot.card,
            device=slot.device,
            type=slot.type.value,
            security_groups=_security_groups(described),
            public_ip=False if slot.is_primary else None,
            subnet=next(iter(subnets), None),
        )


def _security_groups(described: GroupDescription | LoginPool) -> tuple[Reference, ...]:
    return in_order((PCS_GROUP_REF, *described.security_groups))


def _template(
    name: str,
    described: GroupDescription | LoginPool,
    at: str,
    stored: tuple[Storage, ...],
    interfaces: tuple[NetworkInterface, ...] = (),
    capacity: CapacitySource | None = None,
    placement: PlacementGroup | None = None,
    key_pair: str | None = None,
) -> LaunchTemplate:
    """The launch template of a group, or of login nodes."""
    market = capacity.market_type if capacity else None
    target = capacity.target if capacity else CapacityTarget()
    template = LaunchTemplate(
        ref=Ref(types.LAUNCH_TEMPLATE, name),
        # A block holds one type, and PCS compares it with that of the template.
        instance=described.instance if market is not None else None,
        interfaces=interfaces,
        security_groups=() if interfaces else _security_groups(described),
        target=target,
        market_type=market,
        placement_group=placement.reference(name) if placement else None,
        image=None,
        settings=frozenset(),
        place=Place(at),
        http_tokens="required",
        # So that containers of jobs reach the instance metadata. (AWS's templates for PCS set four.)
        hop_limit=2,
        user_data=_user_data(stored, before_of(described)),
        least_user_data=len((before_of(described) or "").encode()),
        key_pair=key_pair,
    )
    return with_settings(template)


def _login(
    name: str, cluster: Cluster, around: Network, zone: str | None, stored: tuple[Storage, ...]
) -> ServiceNodes[ComputeNodeGroup]:
    described, at = cluster.login_nodes[name], f"login-nodes.{name}"
    by_zone = around.of(described.subnets)
    wanted = (described.zone,) if described.zone else (zone, *by_zone)
    subnets = tuple(by_zone[each] for each in wanted if each and each in by_zone)[:1]
    return ServiceNodes(
        name=name,
        at=at,
        described=described,
        count=described.nodes,
        template=_template(name, described, at, stored, key_pair=described.key_pair),
        resource=replace(
            _nodes(name, described, cluster, subnets, at),
            nodes_min=described.nodes,
            nodes_max=described.nodes,
            login=True,
            zone=described.zone,
        ),
    )


def _nodes(
    name: str, described: GroupDescription | LoginPool, cluster: Cluster, subnets: tuple[Reference, ...], at: str
) -> ComputeNodeGroup:
    """What every compute node group has."""
    return ComputeNodeGroup(
        ref=Ref(types.PCS_NODE_GROUP, name),
        cluster=PCS_REF,
        name=name,
        template=Ref(types.LAUNCH_TEMPLATE, name),
        instance_types=(described.instance,),
        subnets=subnets,
        capacity_type="ONDEMAND",
        nodes_min=0,
        nodes_max=0,
        place=Place(at),
        image=cluster.image,
        profile=cluster.iam.roles.nodes if is_profile(cluster.iam.roles.nodes) else Ref(types.INSTANCE_PROFILE, NODES),
    )


def _user_data(stored: tuple[Storage, ...], before: str | None) -> str | None:
    """User data in base64. The address of a file system that Muster creates is known only once it exists."""
    if not all(each.file_system.existing for each in stored):
        return UNKNOWN  # type: ignore[return-value]  # as a launch template of EKS whose cluster does not exist yet
    known = {each.name: (each.file_system.dns_name, each.file_system.mount_name) for each in stored}
    return user_data({each.name: each.kind for each in stored}, known, before) or None


def user_data(kinds: Mapping[str, FileSystemKind], addresses: Mapping[str, Sequence[Any]], before: str | None) -> str:
    """User data that mounts file systems, each at ``/NAME``, and then runs a script: a MIME document in base64. Empty
    if there is nothing to do.

    PCS merges it with its own user data, and accepts only the format of a multi-part archive. A block of the type
    ``text/x-shellscript`` runs after the node registers with PCS and before slurmd starts (PCS user guide, "Working
    with Amazon EC2 user data"). If a mount fails, the node runs without the file system, and its console has a message.

    Args:
        kinds: name of a file system -> its kind.
        addresses: name of a file system -> its DNS name and its mount name.
        before: the script of the user, if any.
    """
    lines = ["#!/usr/bin/env bash", "set -uo pipefail"]
    for name, (dns_name, mount_name) in sorted(addresses.items()):
        how, options = kinds[name].options.split()
        mounted = kinds[name].source.format(dns=dns_name, mount=mount_name)
        directory, source = shlex.quote(f"/{name}"), shlex.quote(mounted)
        lines += [
            f"install -d -m 1777 {directory}",
            f"mountpoint -q {directory} || mount -t {how} -o {options} {source} {directory} ||",
            f"  echo {shlex.quote(f'muster: /{name} is not mounted')} | tee /dev/console",
        ]
    scripts = [*(["\n".join([*lines, ""])] if addresses else []), *([before] if before else [])]
    return b64encode(mime([(SCRIPT, each) for each in scripts]).encode()).decode()
