"""The lines of a cluster: instances, volumes, control plane, network, file systems."""

from collections.abc import Iterator
from datetime import date

from muster import backends
from muster.blueprint.cluster import ClusterBlueprint, Group
from muster.config.description.storage import Disk, DriveCache, Lustre
from muster.extras.cost.backend_cost import BackendCost
from muster.extras.cost.lines import Basis, Line, Pricing, Span
from muster.extras.cost.prices import (
    ENDPOINT,
    METADATA_IOPS,
    NAT_GATEWAY,
    PUBLIC_ADDRESS,
    Item,
    Kind,
)
from muster.extras.cost.reservations import nodes_of, reservation_lines


def instance_lines(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    """The cost of the groups' instances, except for those that are paid in advance."""
    for group in blueprint.groups:
        if group.described.capacity.held is None:
            yield _on_demand(group, backends.of(blueprint).cost.load().instances, pricing)
    yield from reservation_lines(blueprint, pricing)


def _on_demand(group: Group, kind: Kind, pricing: Pricing) -> Line:
    machine = group.described.instance
    item = Item(kind, machine)
    if group.described.capacity.spot is None:
        return pricing.line(group.described.instance_type, item, nodes_of(group), group=group.name)
    most = pricing.price(item)
    bound = f"; the on-demand price is ${most.usd:f} an hour" if most else ""
    note = f"Spot prices depend on the hour and the zone{bound}"
    return Line(group.described.instance_type, item, nodes_of(group), None, group.name, Basis.SPOT, note=note)


_ONE = Span.fixed(1)

REGISTRY_ENDPOINTS = 2
"""Services of ECR that have an interface endpoint in each private zone: `ecr.api` and `ecr.dkr`
(`infra/foundation.py`; a test compares)."""


def volume_lines(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    """The cost of the volumes of all nodes."""
    return backends.of(blueprint).cost.load().volumes(blueprint, pricing)


def shared_lines(blueprint: ClusterBlueprint, pricing: Pricing, as_of: date) -> Iterator[Line]:
    """The cost of everything except the nodes of groups."""
    own: BackendCost = backends.of(blueprint).cost.load()
    yield from own.service(blueprint, pricing, as_of)
    yield from _network(blueprint, pricing)
    yield from own.addresses(blueprint, pricing)
    yield from _file_systems(blueprint, pricing)
    yield from own.extras(blueprint, pricing)


def _network(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    network = blueprint.network
    if gateways := len(network.nat_zones):
        yield pricing.line("NAT gateway", NAT_GATEWAY, Span.fixed(gateways), note="plus each GB through it")
        yield pricing.line("Public IPv4 address", PUBLIC_ADDRESS, Span.fixed(gateways), note="of the NAT gateways")
    if network.registry_endpoints:
        count = Span.fixed(REGISTRY_ENDPOINTS * len(network.private))
        yield pricing.line("Interface endpoint in a zone", ENDPOINT, count, note="for ECR, plus each GB through it")


def _file_systems(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    for each in blueprint.storage:
        made = each.described
        if not isinstance(made, Lustre):
            continue
        gib = made.size.gib
        yield pricing.line(
            f"FSx for Lustre '{each.name}', {gib} GiB", _lustre_item(made), _ONE, size=gib, note=_lustre_note(made)
        )
        if made.metadata is not None and made.metadata.iops is not None:
            iops = made.metadata.iops
            note = "the IOPS that are included with the file system are free, but are counted here"
            yield pricing.line(f"{iops} metadata IOPS of '{each.name}'", METADATA_IOPS, _ONE, size=iops, note=note)


def _lustre_item(made: Lustre) -> Item:
    """``persistent-2-ssd-250``, ``persistent-1-hdd-12-cache``, ``scratch-ssd``."""
    if made.throughput is None:
        return Item(Kind.LUSTRE, f"{made.type.value.rpartition('-')[0]}-{made.disk.value}")
    cache = "-cache" if made.disk is Disk.HDD and made.drive_cache is DriveCache.READ else ""
    return Item(Kind.LUSTRE, f"{made.type.value}-{made.disk.value}-{made.throughput}{cache}")


def _lustre_note(made: Lustre) -> str:
    throughput = f", {made.throughput} MB/s per TiB" if made.throughput else ""
    return f"{made.type.value}, {made.disk.value}{throughput}"
