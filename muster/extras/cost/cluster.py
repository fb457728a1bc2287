"""The lines of a cluster: instances, volumes, control plane, network, file systems."""

from collections.abc import Iterator
from datetime import date, datetime

from muster import backends
from muster.blueprint.cluster import ClusterBlueprint, Group
from muster.config.description.capacity import CapacityBlock, TrainingPlan
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


def instance_lines(blueprint: ClusterBlueprint, pricing: Pricing, moment: datetime) -> Iterator[Line]:
    """The cost of the groups' instances, except for those that are paid in advance."""
    for group in blueprint.groups:
        if group.described.capacity.held is None:
            yield _on_demand(group, backends.of(blueprint).cost.load().instances, pricing)
    yield from reservation_lines(blueprint, pricing, moment)


def _on_demand(group: Group, kind: Kind, pricing: Pricing) -> Line:
    machine = group.described.instance
    item = Item(kind, machine)
    if group.described.capacity.spot is None:
        return pricing.line(group.described.instance_type, item, nodes_of(group), group=group.name)
    most = pricing.price(item)
    bound = f"; the on-demand price is ${most.usd:f} an hour" if most else ""
    note = f"Spot prices depend on the hour and the zone{bound}"
    return Line(group.described.instance_type, item, nodes_of(group), None, group.name, Basis.SPOT, note=note)


def prepaid(blueprint: ClusterBlueprint, pricing: Pricing, moment: datetime) -> Iterator[Prepaid]:
    """The blocks and plans of the groups, each once."""
    facts = blueprint.facts
    for held in groups_on(blueprint.groups, CapacityBlock):
        yield _block(held, facts.reservations.get(held.name) if facts else None, pricing, moment)
    for held in groups_on(blueprint.groups, TrainingPlan):
        known = facts.training_plans.get(held.name) if facts else None
        yield _plan(held, known or TrainingPlanFacts(), moment)


def _block(held: HeldCapacity, known: ReservationFacts | None, pricing: Pricing, moment: datetime) -> Prepaid:
    """AWS's answer overrides the description: an extended block has another end."""
    block = held.groups[0].described.capacity.capacity_block
    assert block is not None
    facts = known or ReservationFacts()
    count = reserved_instances(facts)
    return Prepaid(
        PrepaidKind.CAPACITY_BLOCK,
        held.name,
        held.instance,
        held.count if count is None else count,
        held.names,
        moment,
        facts.start or on_day(block.starts),
        facts.end or on_day(block.ends),
        over=is_over(facts, moment),
        to_buy=block.buy is not None,
        each=pricing.price(Item(Kind.CAPACITY_BLOCK, held.instance)),
    )


def _plan(held: HeldCapacity, known: TrainingPlanFacts, moment: datetime) -> Prepaid:
    """SageMaker's answer overrides the description, which has no dates."""
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
