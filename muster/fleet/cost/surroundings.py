"""What stands around the nodes: control plane, head node, network, file systems, the tracking server."""

from collections.abc import Iterator
from datetime import date, timedelta

from muster.fleet.blueprint import Blueprint, ClusterBlueprint, EksGroup
from muster.fleet.cost.amounts import Span
from muster.fleet.cost.held import nodes_of
from muster.fleet.cost.line import Line, Pricing
from muster.fleet.description.group_core import Tier
from muster.fleet.description.storage import Disk, DriveCache, Lustre
from muster.fleet.prices import Item, Kind
from muster.fleet.prices.item import (
    CONTROL_PLANE,
    ENDPOINT,
    EXTENDED_SUPPORT,
    METADATA_IOPS,
    NAT_GATEWAY,
    PUBLIC_ADDRESS,
    tracking_server,
)
from muster.fleet.slurm_blueprint import SlurmBlueprint
from muster.versions import EKS_CALENDAR

_ONE = Span.fixed(1)

REGISTRY_ENDPOINTS = 2
"""Services of ECR that have an interface endpoint in each private zone: `ecr.api` and `ecr.dkr` (`infra/network.py`; a
test compares)."""


def surroundings(blueprint: ClusterBlueprint, pricing: Pricing, as_of: date) -> Iterator[Line]:
    """What everything costs that is no node of a group."""
    if isinstance(blueprint, Blueprint):
        yield from _control_plane(blueprint, pricing, as_of)
    if isinstance(blueprint, SlurmBlueprint):
        head = blueprint.described.head.instance
        yield pricing.line(head, Item(Kind.INSTANCE, head), _ONE, group="head", note="the head node")
    yield from _network(blueprint, pricing)
    yield from _file_systems(blueprint, pricing)
    if isinstance(blueprint, Blueprint) and blueprint.hyperpod and blueprint.hyperpod.tracking_server:
        size = str(blueprint.hyperpod.tracking_server.size)
        yield pricing.line(f"MLflow tracking server ({size})", tracking_server(size), _ONE)


def _control_plane(blueprint: Blueprint, pricing: Pricing, as_of: date) -> Iterator[Line]:
    if blueprint.control_plane.existing:
        return
    version = str(blueprint.control_plane.kubernetes)
    support = EKS_CALENDAR.get(version)
    until = f"standard support until {support.standard_ends}" if support else ""
    yield pricing.line(f"EKS control plane, Kubernetes {version}", CONTROL_PLANE, _ONE, note=until)
    if support and as_of > support.standard_ends:
        note = f"since {support.standard_ends + timedelta(days=1)}; upgrade, and it goes"
        yield pricing.line(f"Extended support of Kubernetes {version}", EXTENDED_SUPPORT, _ONE, note=note)


def _network(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    network = blueprint.network
    if gateways := len(network.nat_zones):
        yield pricing.line("NAT gateway", NAT_GATEWAY, Span.fixed(gateways), note="and each GB through it")
        yield pricing.line("Public IPv4 address", PUBLIC_ADDRESS, Span.fixed(gateways), note="of the NAT gateways")
    if network.registry_endpoints:
        count = Span.fixed(REGISTRY_ENDPOINTS * len(network.private))
        yield pricing.line("Interface endpoint in a zone", ENDPOINT, count, note="for ECR, and each GB through it")
    for group in blueprint.groups:
        if isinstance(group, EksGroup) and group.described.subnets is Tier.PUBLIC:
            yield pricing.line("Public IPv4 address", PUBLIC_ADDRESS, nodes_of(group), group=group.name)
    if isinstance(blueprint, SlurmBlueprint) and blueprint.described.head.subnets is Tier.PUBLIC:
        yield pricing.line("Public IPv4 address", PUBLIC_ADDRESS, _ONE, group="head")


def _file_systems(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    for each in blueprint.storage:
        made = each.described
        if not isinstance(made, Lustre):
            continue
        gib = made.size.gib
        yield pricing.line(f"FSx for Lustre '{each.name}', {gib} GiB", _storage(made), _ONE, size=gib, note=_of(made))
        if made.metadata is not None and made.metadata.iops is not None:
            iops = made.metadata.iops
            note = "those that come with the file system are free, and counted here"
            yield pricing.line(f"{iops} metadata IOPS of '{each.name}'", METADATA_IOPS, _ONE, size=iops, note=note)


def _storage(made: Lustre) -> Item:
    """``persistent-2-ssd-250``, ``persistent-1-hdd-12-cache``, ``scratch-ssd``."""
    if made.throughput is None:
        return Item(Kind.LUSTRE, f"{made.type.value.rpartition('-')[0]}-{made.disk.value}")
    cache = "-cache" if made.disk is Disk.HDD and made.drive_cache is DriveCache.READ else ""
    return Item(Kind.LUSTRE, f"{made.type.value}-{made.disk.value}-{made.throughput}{cache}")


def _of(made: Lustre) -> str:
    throughput = f", {made.throughput} MB/s a TiB" if made.throughput else ""
    return f"{made.type.value}, {made.disk.value}{throughput}"
