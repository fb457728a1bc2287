"""The cost of a cluster: the prices of the table times its nodes, file systems, gateways and control plane.

What has no price is named, and never counted as zero.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal

from muster.blueprint.cluster import ClusterBlueprint
from muster.blueprint.group import Group
from muster.config.description.capacity import CapacityBlock, Reservation, ReservationGroup, TrainingPlan
from muster.config.description.nfs import Efs, OpenZfs
from muster.config.description.storage import Disk, DriveCache, Lustre
from muster.cost.prices import CONTROL_PLANE, EXTENDED_SUPPORT, NAT_GATEWAY, Item, Kind, Price, Unit, price_of
from muster.versions import EKS_CALENDAR

HOURS_A_MONTH = 730
"""The hours of a month in AWS's calculator."""

ALWAYS = (
    "fees of AWS PCS and EKS Auto Mode, licenses of Red Hat",
    "volumes of nodes, public IPv4 addresses, endpoints, load balancers, backups, tracking servers, databases",
    "data transfer by the GB: between zones, to the internet, through NAT gateways and endpoints",
    "S3, ECR, CloudWatch, KMS: storage, requests and logs",
    "savings plans, your own discounts, credits, support, taxes",
)
"""Left out for every stack."""

OF_ADDONS = "this stack has nothing that AWS bills by the hour: its add-ons run on another stack's cluster"


@dataclass(frozen=True, slots=True)
class Money:
    """US dollars a month of 730 hours, exactly: for the initial number of nodes, and for the largest."""

    now: Decimal
    most: Decimal

    @classmethod
    def total(cls, parts: Iterable["Money"]) -> "Money":
        """The sum."""
        every = list(parts)
        return cls(sum((each.now for each in every), Decimal(0)), sum((each.most for each in every), Decimal(0)))

    @property
    def hourly(self) -> "Money":
        """The same per hour."""
        return Money(self.now / HOURS_A_MONTH, self.most / HOURS_A_MONTH)


@dataclass(frozen=True, slots=True)
class Line:
    """Items of one kind."""

    what: str
    """``p5.48xlarge``, ``NAT gateway``."""
    item: Item
    now: int = 1
    """The number of items at first."""
    most: int = 1
    group: str = ""
    """The group they belong to, or several."""
    size: int = 1
    """The units of one item: the GiB of a file system."""
    note: str = ""
    reserved: bool = False
    """Whether it is billed regardless of use."""
    spot: bool = False
    """Whether it is billed at a current price that is in no table."""
    each: Price | None = None
    """The price of a unit; None if it is unknown."""

    @property
    def monthly(self) -> Money | None:
        """The cost of all items; None if the price is unknown, never zero."""
        if self.each is None:
            return None
        usd = self.size * (self.each.usd if self.each.unit is Unit.GB_MONTH else self.each.usd * HOURS_A_MONTH)
        return Money(self.now * usd, self.most * usd)


@dataclass(frozen=True, slots=True)
class Cost:
    """A cluster's cost. Amounts are sums of the lines with a known price: a minimum, if some prices are unknown."""

    lines: tuple[Line, ...]
    left_out: tuple[str, ...]
    """Costs that are not counted, one line each."""

    @property
    def monthly(self) -> Money | None:
        """All lines together; None if there are lines, but none of them has a price."""
        return _total(self.lines)

    @property
    def reserved(self) -> Money | None:
        """The part that is billed regardless of running nodes; None if no price is known."""
        return _total([line for line in self.lines if line.reserved])

    @property
    def unknown(self) -> tuple[Line, ...]:
        """The lines without a price, of which there are items, or can be."""
        return tuple(line for line in self.lines if line.each is None and line.most > 0)

    @property
    def prices(self) -> tuple[Price, ...]:
        """Every price in use, each once, in the order of the lines."""
        return tuple(dict.fromkeys(line.each for line in self.lines if line.each))


def _total(lines: Iterable[Line]) -> Money | None:
    every = list(lines)
    known = [money for line in every if (money := line.monthly) is not None]
    return Money.total(known) if known or not every else None


def cost_of(blueprint: ClusterBlueprint, as_of: date) -> Cost:
    """The cost of a cluster.

    Args:
        blueprint: the cluster.
        as_of: the date, which determines extended support.
    """
    lines = (
        *_control_plane(blueprint, as_of),
        *_service_nodes(blueprint),
        *_gateways(blueprint),
        *_file_systems(blueprint),
        *_nodes(blueprint),
    )
    return Cost(
        tuple(replace(each, each=None if each.spot else price_of(each.item, blueprint.region)) for each in lines),
        tuple(_left_out(blueprint)),
    )


def _control_plane(blueprint: ClusterBlueprint, as_of: date) -> Iterator[Line]:
    """The EKS control plane that Muster creates, with extended support of its version."""
    if not blueprint.on_kubernetes or blueprint.cluster.existing:
        return
    version = str(blueprint.cluster.kubernetes)
    support = EKS_CALENDAR.get(version)
    until = f"standard support until {support.standard_ends}" if support else ""
    yield Line(f"EKS control plane, Kubernetes {version}", CONTROL_PLANE, note=until)
    if support and as_of > support.standard_ends:
        note = f"since {support.standard_ends + timedelta(days=1)}; to stop it, upgrade"
        yield Line(f"Extended support of Kubernetes {version}", EXTENDED_SUPPORT, note=note)


def _service_nodes(blueprint: ClusterBlueprint) -> Iterator[Line]:
    """Head nodes, controllers and login nodes."""
    for each in blueprint.service_nodes:
        instance = each.described.instance
        kind, prefix = (Kind.INSTANCE, "") if each.in_ec2 else (Kind.HYPERPOD, "ml.")
        yield Line(f"{prefix}{instance}", Item(kind, instance), each.count, each.count, each.name)


def _gateways(blueprint: ClusterBlueprint) -> Iterator[Line]:
    if count := len(blueprint.network.nat_zones):
        yield Line("NAT gateway", NAT_GATEWAY, count, count, note="plus each GB through it")


def _file_systems(blueprint: ClusterBlueprint) -> Iterator[Line]:
    for each in blueprint.storage:
        made = each.described
        if isinstance(made, Lustre):
            name, gib = _lustre_name(made), made.size.gib
            yield Line(f"FSx for Lustre '{each.name}', {gib} GiB", Item(Kind.LUSTRE, name), size=gib, note=name)
        elif isinstance(made, OpenZfs):
            what, name, gib = f"FSx for OpenZFS '{each.name}'", made.type.value, made.size.gib
            yield Line(f"{what}, {gib} GiB", Item(Kind.OPENZFS, f"{name}-ssd"), size=gib, note=name)
            item = Item(Kind.OPENZFS, f"{name}-throughput")
            yield Line(f"{what}, {made.throughput} MB/s", item, size=made.throughput, note=name)


def _lustre_name(made: Lustre) -> str:
    """``persistent-2-ssd-250``, ``persistent-1-hdd-12-cache``, ``scratch-ssd``."""
    if made.throughput is None:
        return f"{made.type.value.rpartition('-')[0]}-{made.disk.value}"
    cache = "-cache" if made.disk is Disk.HDD and made.drive_cache is DriveCache.READ else ""
    return f"{made.type.value}-{made.disk.value}-{made.throughput}{cache}"


def _nodes(blueprint: ClusterBlueprint) -> Iterator[Line]:
    """The nodes of groups. Reservations are billed in full, used or not, and nodes beyond them on demand.

    A node is counted once: together they are ``max(nodes, reserved)`` (EC2 user guide, "Capacity Reservation pricing
    and billing"). The number of reserved instances is that of the description.
    """
    on: dict[tuple[str, str], list[Group]] = {}
    for group in blueprint.groups:
        held = group.described.capacity.held
        if held is None:
            yield _on_demand(group)
        elif isinstance(held, Reservation | ReservationGroup):
            on.setdefault((_capacity_name(held), group.described.instance), []).append(group)
    for (name, instance), groups in on.items():
        item, members = Item(Kind.INSTANCE, instance), ", ".join(group.name for group in groups)
        count = max(each.count for group in groups if (each := group.described.capacity.held))
        note = f"{name}: billed in full, used or not, until it ends or you cancel it, by the account that owns it"
        yield Line(instance, item, count, count, members, note=note, reserved=True)
        now = max(0, sum(group.described.nodes_now.start for group in groups) - count)
        most = max(0, sum(group.described.nodes_now.max for group in groups) - count)
        if most:
            why = f"nodes beyond the {count} of {name}, which has no room for them"
            yield Line(instance, item, now, most, members, note=why)


def _on_demand(group: Group) -> Line:
    made, count = group.described, group.described.nodes_now
    item = Item(Kind.INSTANCE if group.in_ec2 else Kind.HYPERPOD, made.instance)
    spot = made.capacity.spot is not None
    note = f"or {', '.join(made.alternatives)}, at another price" if made.alternatives else ""
    note = "Spot prices depend on the hour and the zone" if spot else note
    return Line(made.instance_type, item, count.start, count.max, group.name, note=note, spot=spot)


def _capacity_name(held: Reservation | ReservationGroup | CapacityBlock | TrainingPlan) -> str:
    """Its id or ARN; else the ids of its members, or its offering."""
    if isinstance(held, Reservation):
        return held.id
    if isinstance(held, TrainingPlan):
        return held.arn
    if isinstance(held, ReservationGroup):
        return held.arn or ", ".join(held.create or ())
    return held.id or (held.buy.offering if held.buy else "")


def _left_out(blueprint: ClusterBlueprint) -> Iterator[str]:
    """Costs that are not counted, one line each."""
    in_advance = [group.described.capacity.held for group in blueprint.groups]
    names = (_capacity_name(held) for held in in_advance if isinstance(held, CapacityBlock | TrainingPlan))
    yield from (f"{name}, which is paid in advance" for name in dict.fromkeys(names))
    if blueprint.on_kubernetes and blueprint.cluster.existing:
        name = blueprint.cluster.name or "the cluster"
        yield f"the existing EKS cluster {name}, which is billed independently of this stack"
    if blueprint.network.cidr is None:
        yield "the existing network, with its NAT gateways and endpoints"
    for each in blueprint.storage:
        if each.file_system.existing and each.kind.service:
            yield f"the existing file system '{each.name}', which is billed independently of this stack"
        elif isinstance(each.described, Efs):
            yield f"the EFS file system '{each.name}', which is billed by the GB stored, read and written"
    yield from ALWAYS
