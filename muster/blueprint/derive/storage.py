"""Shared file systems: their zone, their security group, and the values that a client mounts."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, NamedTuple

from muster.blueprint.cluster import Network, Storage
from muster.blueprint.derive.network import in_order
from muster.blueprint.group import Group
from muster.blueprint.logical_names import EFA_GROUP_REF
from muster.config.description.cluster import Cluster
from muster.config.description.nfs import Efs, ExistingEfs, ExistingOpenZfs, MountedBucket
from muster.config.description.node_group import Purpose
from muster.config.description.storage import Disk, DriveCache, Event, ExistingLustre, Lustre
from muster.config.description.storage import Storage as FileSystemDescription
from muster.fleet.resources import (
    DataAssociation,
    FileSystem,
    LustreFileSystem,
    Place,
    Ref,
    Reference,
    SecurityGroup,
    SecurityGroupRule,
    SharedFileSystem,
)
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import EGRESS, EVERYWHERE, INGRESS, all_traffic
from muster.fleet.resources.storage import KINDS
from muster.hardware.lustre import AUTOMATIC, PERSISTENT_2, USER_PROVISIONED
from muster.hardware.zones import domain_of
from muster.unknown import EMPTY
from muster.versions import LUSTRE


def storage(
    described: Cluster,
    around: Network,
    groups: Iterable[Group],
    clusters: Reference,
    efa_nodes: Reference,
    region: str,
) -> tuple[Storage, ...]:
    """The file systems of a description.

    Args:
        described: the description.
        around: its network.
        groups: its node groups.
        clusters: the security group that every node carries: EKS's own, or Muster's.
        efa_nodes: the one that carries their EFA traffic.
        region: the AWS Region.
    """
    listed = tuple(groups)
    efa = efa_nodes if any(group.node.efa for group in listed) else None
    surroundings = _Around(around, clusters, _zone(listed, around), efa, region)
    return tuple(
        _storage(name, type_, each, surroundings)
        for name, each in described.storage.items()
        if (type_ := _TYPES.get(each.chosen.removeprefix("existing-")))
    )


_TYPES = {kind.word: type_ for type_, kind in KINDS.items()}


class _Around(NamedTuple):
    """What all file systems have in common."""

    network: Network
    clusters: Reference
    zone: str | None
    """The zone of those that do not set one."""
    efa: Reference | None
    region: str


def _zone(groups: Iterable[Group], around: Network) -> str | None:
    """The zone of file systems that do not set one: the zone of the first training group that is in one zone (any group
    if there is no training group), otherwise of the first private subnet. A zone without a subnet is not used."""
    listed = tuple(groups)
    training = [group for group in listed if group.described.purpose is Purpose.TRAINING]
    zones = [{around.subnets[str(each)].zone for each in group.subnets} for group in training or listed]
    alone = (next(iter(each)) for each in zones if len(each) == 1)
    return next((zone for zone in (*alone, *around.private) if zone in around.private), None)


def _storage(name: str, type_: str, each: FileSystemDescription, around: _Around) -> Storage:
    described, ref, place = each.block, Ref(type_, name), Place(f"storage.{name}.{each.chosen}")
    made: Callable[..., FileSystem] = LustreFileSystem if type_ == types.LUSTRE else SharedFileSystem
    vpc = around.network.vpc
    known: dict[str, Any] = {"mount_name": KINDS[type_].mount_name}
    if isinstance(described, MountedBucket):
        bucket, _, prefix = described.location.removeprefix("s3://").partition("/")
        known = {"id": bucket, "mount_name": prefix.strip("/"), "writes": described.write}
        return Storage(name, described, made(ref, EMPTY, EMPTY, place, existing=True, **known), None)
    if isinstance(described, ExistingLustre | ExistingEfs | ExistingOpenZfs):
        own_name = f"{described.id}.{KINDS[type_].service}.{around.region}.{domain_of(around.region)}"
        known |= {"dns_name": own_name, **described.model_dump(exclude_none=True, by_alias=False)}
        return Storage(name, described, made(ref, EMPTY, EMPTY, place, existing=True, vpc=vpc, **known), None)
    has_efa = isinstance(described, Lustre) and described.efa
    group = _security_group(ref, place, around.clusters, around.efa if has_efa else None, efa=has_efa)
    if isinstance(described, Efs):
        subnets = in_order(tuple(around.network.private.values()))
    else:
        zone = described.zone or around.zone
        subnets = tuple(subnet for at, subnet in around.network.private.items() if at == zone)
        known |= {
            "deployment": described.type.value.replace("-", "_").upper(),
            "size": described.size.gib,
            "throughput": described.throughput,
            "backup_days": described.backup_days,
            "compression": described.compression.value.upper(),
            "zone": zone,
            **(_of_lustre(described) if isinstance(described, Lustre) else {}),
        }
    system = made(ref, subnets, (group.ref,), place, key=described.kms_key, vpc=vpc, **known)
    return Storage(name, described, system, group)


def _of_lustre(described: Lustre) -> dict[str, Any]:
    metadata = described.metadata
    automatic = metadata.automatic is not None if metadata else described.type.aws == PERSISTENT_2
    cache = described.drive_cache or (DriveCache.NONE if described.disk is Disk.HDD else None)
    return {
        "disk": described.disk.value.upper(),
        "drive_cache": cache.value.upper() if cache else None,
        "metadata_mode": AUTOMATIC if automatic else USER_PROVISIONED if metadata else None,
        "metadata_iops": metadata.iops if metadata else None,
        "efa": described.efa,
        "version": LUSTRE,
        "associations": tuple(
            DataAssociation(path, link.s3, _events(link.imports), _events(link.exports))
            for path, link in sorted(described.data.items())
        ),
    }


def _events(events: Iterable[Event]) -> frozenset[str]:
    return frozenset(event.value.upper() for event in events)


def _security_group(
    system: Ref, place: Place, clusters: Reference, nodes_efa: Reference | None = None, *, efa: bool = False
) -> SecurityGroup:
    """The file system's own security group: the ports of its kind between it and nodes, and between its servers if they
    need them; also all EFA traffic if EFA is on."""
    kind = KINDS[system.type]
    own = Ref(types.SECURITY_GROUP, f"{kind.word}-{system.name}")
    rules = {
        SecurityGroupRule(direction, *ports, peer)
        for direction in (INGRESS, EGRESS)
        for ports in kind.ports
        for peer in ((own, clusters) if kind.servers_talk else (clusters,))
    }
    of_efa = [peer for peer in (own, nodes_efa) if peer] if efa else []
    rules |= {all_traffic(direction, peer) for direction in (INGRESS, EGRESS) for peer in of_efa}
    peers = frozenset(peer for peer in (clusters, nodes_efa) if peer)
    return SecurityGroup(own, place, peers, frozenset(rules))


def efa_rules(storages: Iterable[Storage]) -> Iterator[SecurityGroupRule]:
    """The rules that the nodes' EFA group needs for file systems with EFA: everything, in both directions. Only groups
    match EFA traffic, not addresses."""
    for each in storages:
        group = each.security_group
        if group and EFA_GROUP_REF in group.peers:
            yield from (all_traffic(direction, group.ref) for direction in (INGRESS, EGRESS))


def nodes_group(ref: Ref, place: str, stored: Iterable[Storage], *, itself: bool) -> SecurityGroup:
    """The security group of all nodes of a cluster with Slurm, with the rules that those of file systems have for it.

    Args:
        ref: the group.
        place: its place in the description.
        stored: the file systems.
        itself: whether it allows everything from and to itself, which EFA, Slurm and PCS (PCS API reference,
            Networking, securityGroupIds) need, and out to everywhere.
    """
    groups = [each.security_group for each in stored if each.security_group]
    own = {all_traffic(INGRESS, ref), all_traffic(EGRESS, ref), all_traffic(EGRESS, EVERYWHERE)} if itself else set()
    own |= {replace(rule, peer=each.ref) for each in groups for rule in each.allows if rule.peer == ref}
    return SecurityGroup(ref, Place(place), frozenset(each.ref for each in groups), frozenset(own))
