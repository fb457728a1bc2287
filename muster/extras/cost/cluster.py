"""The lines of a cluster: instances, volumes, control plane, network, file systems."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta

from muster.blueprint.cluster import Blueprint, ClusterBlueprint, EksGroup, Group, HyperPodGroup, SlurmBlueprint
from muster.config.description.capacity import CapacityBlock, TrainingPlan
from muster.config.description.node_group import Tier
from muster.config.description.node_settings import GP3_IOPS as BASE_IOPS
from muster.config.description.node_settings import GP3_MIBPS as BASE_MIBPS
from muster.config.description.storage import Disk, DriveCache, Lustre
from muster.extras.cost.lines import Basis, Line, Pricing, Span
from muster.extras.cost.prices import (
    CONTROL_PLANE,
    ENDPOINT,
    EXTENDED_SUPPORT,
    GP3,
    GP3_IOPS,
    GP3_THROUGHPUT,
    HYPERPOD_VOLUME,
    METADATA_IOPS,
    NAT_GATEWAY,
    PUBLIC_ADDRESS,
    Item,
    Kind,
    tracking_server,
)
from muster.extras.cost.reservations import (
    HeldCapacity,
    Prepaid,
    PrepaidKind,
    groups_on,
    is_over,
    nodes_of,
    on_day,
    reservation_lines,
)
from muster.fleet.facts import PLAN_OVER, ReservationFacts, TrainingPlanFacts, reserved_instances
from muster.versions import EKS_CALENDAR


def instance_lines(blueprint: ClusterBlueprint, pricing: Pricing, moment: datetime) -> Iterator[Line]:
    """What the groups' instances cost, but for those that are paid in advance."""
    for group in blueprint.groups:
        if group.described.capacity.held is None:
            yield _on_demand(group, pricing)
    yield from reservation_lines(blueprint, pricing, moment)


def _on_demand(group: Group, pricing: Pricing) -> Line:
    machine = group.described.instance
    kind = Kind.HYPERPOD if isinstance(group, HyperPodGroup) else Kind.INSTANCE
    item = Item(kind, machine)
    if group.described.capacity.spot is None:
        return pricing.line(group.described.instance_type, item, nodes_of(group), group=group.name)
    most = pricing.price(item)
    bound = f"; on demand it is ${most.usd:f} an hour" if most else ""
    note = f"Spot prices change by the hour and zone{bound}"
    return Line(group.described.instance_type, item, nodes_of(group), None, group.name, Basis.SPOT, note=note)


def prepaid(blueprint: ClusterBlueprint, pricing: Pricing, moment: datetime) -> Iterator[Prepaid]:
    """The blocks and plans that groups are on, each once."""
    facts = blueprint.facts
    for held in groups_on(blueprint.groups, CapacityBlock):
        yield _block(held, facts.reservations.get(held.name) if facts else None, pricing, moment)
    for held in groups_on(blueprint.groups, TrainingPlan):
        known = facts.training_plans.get(held.name) if facts else None
        yield _plan(held, known or TrainingPlanFacts(), moment)


def _block(held: HeldCapacity, known: ReservationFacts | None, pricing: Pricing, moment: datetime) -> Prepaid:
    """AWS's answer goes before the description: an extended block has another end."""
    block = held.groups[0].described.capacity.capacity_block
    assert block is not None
    said = known or ReservationFacts()
    count = reserved_instances(said)
    return Prepaid(
        PrepaidKind.CAPACITY_BLOCK,
        held.name,
        held.instance,
        held.count if count is None else count,
        held.names,
        moment,
        said.start or on_day(block.starts),
        said.end or on_day(block.ends),
        over=is_over(said, moment),
        to_buy=block.buy is not None,
        each=pricing.price(Item(Kind.CAPACITY_BLOCK, held.instance)),
    )


def _plan(held: HeldCapacity, known: TrainingPlanFacts, moment: datetime) -> Prepaid:
    """SageMaker's answer goes before the description, which has no days."""
    over = known.exists is False or known.state in PLAN_OVER
    return Prepaid(
        PrepaidKind.TRAINING_PLAN,
        held.name,
        f"ml.{held.instance}",
        held.count if known.total_instances is None else known.total_instances,
        held.names,
        moment,
        known.start,
        known.end,
        over=over,
    )


def volume_lines(blueprint: ClusterBlueprint, pricing: Pricing) -> Iterator[Line]:
    """What the volumes of all nodes cost."""
    if isinstance(blueprint, Blueprint):
        for group in blueprint.groups:
            if isinstance(group, EksGroup):
                yield from _eks_volumes(group, pricing)
            elif isinstance(group, HyperPodGroup):
                gib = group.described.hyperpod.volume.size.gib
                count = nodes_of(group)
                yield pricing.line(f"{gib} GiB volume", HYPERPOD_VOLUME, count, group=group.name, size=gib)
    if isinstance(blueprint, SlurmBlueprint):
        head = blueprint.described.head
        one = Span.fixed(1)
        yield pricing.line(f"{head.root.gib} GiB gp3 volume", GP3, one, group="head", size=head.root.gib)
        yield pricing.line(f"{head.apps.gib} GiB gp3 volume", GP3, one, group="head", size=head.apps.gib, note="/apps")
        for queue in blueprint.queues:
            gib = queue.described.root.gib
            for each in queue.groups:
                count = nodes_of(each)
                yield pricing.line(f"{gib} GiB gp3 volume", GP3, count, group=each.name, size=gib)


def _eks_volumes(group: EksGroup, pricing: Pricing) -> Iterator[Line]:
    volume, count = group.described.volume, nodes_of(group)
    gib = volume.size.gib
    yield pricing.line(f"{gib} GiB gp3 volume", GP3, count, group=group.name, size=gib)
    if (more := (volume.iops or BASE_IOPS) - BASE_IOPS) > 0:
        yield pricing.line(f"{more} IOPS more", GP3_IOPS, count, group=group.name, size=more)
    if (more := (volume.throughput or BASE_MIBPS) - BASE_MIBPS) > 0:
        yield pricing.line(f"{more} MiB/s more", GP3_THROUGHPUT, count, group=group.name, size=more)


_ONE = Span.fixed(1)

REGISTRY_ENDPOINTS = 2
"""Services of ECR that have an interface endpoint in each private zone: `ecr.api` and `ecr.dkr`
(`infra/foundation.py`; a test compares)."""


def shared_lines(blueprint: ClusterBlueprint, pricing: Pricing, as_of: date) -> Iterator[Line]:
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
        yield pricing.line(
            f"FSx for Lustre '{each.name}', {gib} GiB", _lustre_item(made), _ONE, size=gib, note=_lustre_note(made)
        )
        if made.metadata is not None and made.metadata.iops is not None:
            iops = made.metadata.iops
            note = "those that come with the file system are free, and counted here"
            yield pricing.line(f"{iops} metadata IOPS of '{each.name}'", METADATA_IOPS, _ONE, size=iops, note=note)


def _lustre_item(made: Lustre) -> Item:
    """``persistent-2-ssd-250``, ``persistent-1-hdd-12-cache``, ``scratch-ssd``."""
    if made.throughput is None:
        return Item(Kind.LUSTRE, f"{made.type.value.rpartition('-')[0]}-{made.disk.value}")
    cache = "-cache" if made.disk is Disk.HDD and made.drive_cache is DriveCache.READ else ""
    return Item(Kind.LUSTRE, f"{made.type.value}-{made.disk.value}-{made.throughput}{cache}")


def _lustre_note(made: Lustre) -> str:
    throughput = f", {made.throughput} MB/s a TiB" if made.throughput else ""
    return f"{made.type.value}, {made.disk.value}{throughput}"
