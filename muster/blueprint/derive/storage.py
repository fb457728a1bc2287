"""Shared file systems: their zone, their security group, and the values that a client mounts."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from muster.blueprint.cluster import Network, Storage
from muster.blueprint.group import Group
from muster.blueprint.logical_names import EFA_GROUP_REF
from muster.config.description.cluster import Cluster
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
)
from muster.fleet.resources import ref as types
from muster.fleet.resources.ec2 import EGRESS, EVERYWHERE, INGRESS, all_traffic, tcp
from muster.hardware.lustre import AUTOMATIC, PERSISTENT_2, PORTS, USER_PROVISIONED
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
    zone = _zone(listed, around)
    return tuple(
        _created(name, each.lustre, around, clusters, zone, efa)
        if each.lustre
        else _existing(name, each.existing_lustre, around, region)
        for name, each in described.storage.items()
        if each.lustre or each.existing_lustre
    )


def _zone(groups: Iterable[Group], around: Network) -> str | None:
    """The zone of file systems that do not set one: the zone of the first training group that is in one zone (any group
    if there is no training group), otherwise of the first private subnet. A zone without a subnet is not used."""
    listed = tuple(groups)
    training = [group for group in listed if group.described.purpose is Purpose.TRAINING]
    zones = [{around.subnets[str(each)].zone for each in group.subnets} for group in training or listed]
    alone = (next(iter(each)) for each in zones if len(each) == 1)
    return next((zone for zone in (*alone, *around.private) if zone in around.private), None)


def _created(
    name: str, described: Lustre, around: Network, clusters: Reference, zone: str | None, efa: Reference | None
) -> Storage:
    wanted = described.zone or zone
    place = Place(f"storage.{name}.lustre")
    group = _security_group(name, place, clusters, efa if described.efa else None, efa=described.efa)
    hdd, metadata = described.disk is Disk.HDD, described.metadata
    automatic = metadata.automatic is not None if metadata else described.type.aws == PERSISTENT_2
    cache = described.drive_cache or (DriveCache.NONE if hdd else None)
    subnet = around.private.get(wanted or "")
    return Storage(
        name=name,
        described=described,
        file_system=LustreFileSystem(
            ref=Ref(types.LUSTRE, name),
            size=described.size.gib,
            deployment=described.type.aws,
            disk=described.disk.value.upper(),
            throughput=described.throughput,
            subnets=(subnet,) if subnet else (),
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
            vpc=around.vpc,
        ),
        security_group=group,
        zone=wanted,
    )


def _events(events: Iterable[Event]) -> frozenset[str]:
    return frozenset(event.value.upper() for event in events)


def _security_group(
    name: str, place: Place, clusters: Reference, nodes_efa: Reference | None, *, efa: bool
) -> SecurityGroup:
    """The file system's own security group: Lustre's ports between file servers, and between them and nodes; also all
    EFA traffic if EFA is on."""
    own = Ref(types.SECURITY_GROUP, f"lustre-{name}")
    rules = {
        tcp(direction, first, last, peer)
        for direction in (INGRESS, EGRESS)
        for first, last in PORTS
        for peer in (own, clusters)
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


def _existing(name: str, described: ExistingLustre | None, around: Network, region: str) -> Storage:
    assert described is not None, "a file system is created, or exists"
    return Storage(
        name=name,
        described=described,
        file_system=LustreFileSystem(
            ref=Ref(types.LUSTRE, name),
            size=EMPTY,
            deployment=EMPTY,
            disk=EMPTY,
            throughput=EMPTY,
            subnets=EMPTY,
            security_groups=EMPTY,
            place=Place(f"storage.{name}.existing-lustre"),
            existing=True,
            id=described.id,
            mount_name=described.mount_name,
            dns_name=described.dns_name or f"{described.id}.fsx.{region}.{domain_of(region)}",
            zone=described.zone,
            vpc=around.vpc,
        ),
        security_group=None,
        zone=described.zone,
    )
