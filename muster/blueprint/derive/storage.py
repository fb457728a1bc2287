"""Shared file systems: their zone, their security group, and the values that a client mounts."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from muster.blueprint.cluster import Network, Storage
from muster.blueprint.derive.network import in_order
from muster.blueprint.group import Group
from muster.blueprint.logical_names import EFA_GROUP_REF
from muster.config.description.cluster import Cluster
from muster.config.description.nfs import Efs, ExistingEfs, ExistingOpenZfs, MountedBucket, OpenZfs
from muster.config.description.node_group import Purpose
from muster.config.description.storage import Disk, DriveCache, Event, ExistingLustre, Lustre
from muster.fleet.resources import (
    DataAssociation,
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
        _MAKERS[each.chosen](name, Place(f"storage.{name}.{each.chosen}"), each.block, surroundings)
        for name, each in described.storage.items()
        if each.chosen in _MAKERS
    )


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


def _lustre(name: str, place: Place, described: Lustre, around: _Around) -> Storage:
    wanted = described.zone or around.zone
    efa = around.efa if described.efa else None
    group = _security_group(Ref(types.LUSTRE, name), place, around.clusters, efa, efa=described.efa)
    hdd, metadata = described.disk is Disk.HDD, described.metadata
    automatic = metadata.automatic is not None if metadata else described.type.aws == PERSISTENT_2
    cache = described.drive_cache or (DriveCache.NONE if hdd else None)
    return Storage(
        name=name,
        described=described,
        file_system=LustreFileSystem(
            ref=Ref(types.LUSTRE, name),
            size=described.size.gib,
            deployment=described.type.aws,
            disk=described.disk.value.upper(),
            throughput=described.throughput,
            subnets=_subnets(wanted, around),
            security_groups=(group.ref,),
            place=place,
            drive_cache=cache.value.upper() if cache else None,
            metadata_mode=AUTOMATIC if automatic else USER_PROVISIONED if metadata else None,
            metadata_iops=metadata.iops if metadata else None,
            efa=described.efa,
            version=LUSTRE,
            key=described.kms_key,
            backup_days=described.backup_days,
            compression=described.compression.value.upper(),
            associations=tuple(
                DataAssociation(path, link.s3, _events(link.imports), _events(link.exports))
                for path, link in sorted(described.data.items())
            ),
            zone=wanted,
            vpc=around.network.vpc,
        ),
        security_group=group,
        zone=wanted,
    )


def _subnets(zone: str | None, around: _Around) -> tuple[Reference, ...]:
    """The private subnet of a zone, if there is one."""
    subnet = around.network.private.get(zone or "")
    return (subnet,) if subnet else ()


def _efs(name: str, place: Place, described: Efs, around: _Around) -> Storage:
    group = _security_group(Ref(types.EFS, name), place, around.clusters)
    system = SharedFileSystem(
        ref=Ref(types.EFS, name),
        subnets=in_order(tuple(around.network.private.values())),
        security_groups=(group.ref,),
        place=place,
        deployment=described.throughput.chosen,
        throughput=described.throughput.provisioned,
        key=described.kms_key,
        mount_name=_mount_name(types.EFS),
        vpc=around.network.vpc,
    )
    return Storage(name, described, system, group, None)


def _openzfs(name: str, place: Place, described: OpenZfs, around: _Around) -> Storage:
    wanted = described.zone or around.zone
    group = _security_group(Ref(types.OPENZFS, name), place, around.clusters)
    system = SharedFileSystem(
        ref=Ref(types.OPENZFS, name),
        subnets=_subnets(wanted, around),
        security_groups=(group.ref,),
        place=place,
        deployment=described.type.value.replace("-", "_").upper(),
        size=described.size.gib,
        throughput=described.throughput,
        key=described.kms_key,
        backup_days=described.backup_days,
        compression=described.compression.value.upper(),
        mount_name=_mount_name(types.OPENZFS),
        zone=wanted,
        vpc=around.network.vpc,
    )
    return Storage(name, described, system, group, wanted)


def _mount_name(type_: str) -> str | None:
    return KINDS[type_].mount_name


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


def _existing_lustre(name: str, place: Place, described: ExistingLustre, around: _Around) -> Storage:
    system: LustreFileSystem = LustreFileSystem(
        ref=Ref(types.LUSTRE, name),
        size=EMPTY,
        deployment=EMPTY,
        disk=EMPTY,
        throughput=EMPTY,
        subnets=EMPTY,
        security_groups=EMPTY,
        place=place,
        existing=True,
        id=described.id,
        mount_name=described.mount_name,
        dns_name=described.dns_name or _dns_name(types.LUSTRE, described.id, around.region),
        zone=described.zone,
        vpc=around.network.vpc,
    )
    return Storage(name, described, system, None, described.zone)


def _dns_name(type_: str, id_: str, region: str) -> str:
    return f"{id_}.{KINDS[type_].service}.{region}.{domain_of(region)}"


def _existing(
    type_: str, name: str, place: Place, described: ExistingEfs | ExistingOpenZfs, around: _Around
) -> Storage:
    own = described if isinstance(described, ExistingOpenZfs) else None
    zone = own.zone if own else None
    system: SharedFileSystem = SharedFileSystem(
        ref=Ref(type_, name),
        subnets=EMPTY,
        security_groups=EMPTY,
        place=place,
        existing=True,
        id=described.id,
        volume=own.volume if own else None,
        mount_name=_mount_name(type_),
        dns_name=(own.dns_name if own else None) or _dns_name(type_, described.id, around.region),
        zone=zone,
        vpc=around.network.vpc,
    )
    return Storage(name, described, system, None, zone)


def _bucket(name: str, place: Place, described: MountedBucket, _around: _Around) -> Storage:
    bucket, _, prefix = described.location.removeprefix("s3://").partition("/")
    system: SharedFileSystem = SharedFileSystem(
        ref=Ref(types.MOUNTED_BUCKET, name),
        subnets=EMPTY,
        security_groups=EMPTY,
        place=place,
        existing=True,
        id=bucket,
        mount_name=prefix.strip("/"),
        writes=described.write,
    )
    return Storage(name, described, system, None, None)


_MAKERS: Mapping[str, Callable[[str, Place, Any, _Around], Storage]] = {
    "lustre": _lustre,
    "existing-lustre": _existing_lustre,
    "efs": _efs,
    "existing-efs": partial(_existing, types.EFS),
    "openzfs": _openzfs,
    "existing-openzfs": partial(_existing, types.OPENZFS),
    "s3": _bucket,
}
"""The key of a description -> its file system."""
