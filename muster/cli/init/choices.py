"""The choices of a new stack: its reserved capacity, its network, its backend; placeholders with --offline."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from enum import StrEnum

from muster import backends
from muster.backends.backend import Scheduler
from muster.config.identifiers import PLACEHOLDER
from muster.fleet.backend_sets import IN_HYPERPOD
from muster.hardware.zones import LOCAL_ZONE, region_of


class CapacityKind(StrEnum):
    """The kinds of reserved capacity, by their keys in a description."""

    RESERVATION = "reservation"
    CAPACITY_BLOCK = "capacity-block"
    TRAINING_PLAN = "training-plan"
    ON_DEMAND = "on-demand"

    @property
    def words(self) -> str:
        """For people: ``Capacity Block``."""
        return {"capacity-block": "Capacity Block", "training-plan": "training plan"}.get(self.value, self.value)


class CapacitySource(StrEnum):
    """Where the data about reserved capacity comes from, as text for comments."""

    AWS = "from AWS"
    YOU = "entered by you"
    """Typed on a terminal, because AWS does not answer."""
    NOBODY = "assumed"
    """Assumed, with --offline."""


@dataclass(frozen=True, slots=True)
class ReservedCapacity:
    """Reserved instances of one type in one zone."""

    kind: CapacityKind
    id: str
    """A reservation's id, a training plan's ARN."""
    instance: str
    """EC2's name of the type, also for training plans."""
    zone: str
    count: int
    available: int | None = None
    """The number of free instances; None if it is unknown."""
    zone_id: str | None = None
    starts: date | None = None
    ends: date | None = None
    begun: bool = False
    """For a Capacity Block: whether it is active today."""
    placement_group: str | None = None
    """For a reservation: the name of its placement group."""
    owner: str | None = None
    """The owner's account, if it is another one."""
    source: CapacitySource = CapacitySource.AWS
    """Where these values come from."""
    typed: frozenset[str] = frozenset()
    """The options that gave some of them with --offline: ``--zone``."""

    def why(self, option: str) -> str:
        """The origin of a value that AWS did not give."""
        return f"given with {option}" if option in self.typed else self.source.value

    @property
    def name(self) -> str:
        """Its name in comments: ``cr-0123456789abcdef0``, ``training plan p5-plan``."""
        if self.kind is CapacityKind.ON_DEMAND:
            return f"{self.instance} on demand"
        return f"training plan {self.id.rpartition('/')[2]}" if self.kind is CapacityKind.TRAINING_PLAN else self.id

    @property
    def place(self) -> str:
        """``us-west-2a (usw2-az2)``."""
        return f"{self.zone} ({self.zone_id})" if self.zone_id else self.zone


@dataclass(frozen=True, slots=True)
class ExistingNetwork:
    """An existing VPC, and one private subnet in each needed zone, the workers' zone first."""

    vpc: str
    private: Mapping[str, str]
    """Zone -> subnet."""
    public: Mapping[str, str] = field(default_factory=dict)
    """Zone -> a subnet with a route to an internet gateway, if there is one."""
    why: str = ""
    why_subnets: Mapping[str, str] = field(default_factory=dict)
    """Zone -> the reason for its subnet."""
    zone_ids: Mapping[str, str] = field(default_factory=dict)

    @property
    def zones(self) -> tuple[str, ...]:
        """Its zones in order."""
        return tuple(self.private)


@dataclass(frozen=True, slots=True)
class NewNetwork:
    """A VPC that Muster creates."""

    cidr: str
    zones: tuple[str, ...]
    why: str = ""
    why_cidr: str = ""
    why_zones: str = ""
    zone_ids: Mapping[str, str] = field(default_factory=dict)


AnyNetwork = ExistingNetwork | NewNetwork


class Backend(StrEnum):
    """The service that runs the cluster."""

    EKS = "eks"
    HYPERPOD = "hyperpod"
    HYPERPOD_SLURM = "hyperpod-slurm"
    PARALLELCLUSTER = "parallelcluster"
    PCS = "pcs"

    @property
    def has_kubernetes(self) -> bool:
        """Whether its clusters have a Kubernetes control plane."""
        return backends.named(self.value).scheduler is Scheduler.KUBERNETES

    @property
    def in_hyperpod(self) -> bool:
        """Whether SageMaker launches the instances."""
        return self.value in IN_HYPERPOD


DOCUMENTATION_NETWORK = "203.0.113.0/24"
"""A documentation network (RFC 5737): a placeholder for the network that you deploy from."""


FILE_SYSTEM = "fsx"
"""The word of `--with` for a file system of FSx for Lustre."""


@dataclass(frozen=True, slots=True)
class Additions:
    """The options about what a new stack has beyond its workers."""

    names: tuple[str, ...] = ()
    """`--with`: add-ons, and `fsx`."""
    without_storage: bool = False
    """`--no-storage`."""
    second: str = ""
    """`--second-queue`: an instance type."""


@dataclass(frozen=True, slots=True)
class Choices:
    """A cluster with one group of workers."""

    stack: str
    backend: Backend
    region: str
    reserved: ReservedCapacity
    network: AnyNetwork
    nodes: int
    as_of: date
    why_region: str = ""
    why_nodes: str = ""
    api_from: tuple[str, ...] = ()
    """The networks that may reach the public Kubernetes API. Default: a placeholder."""
    system_zone: str = ""
    """The zone of the system nodes, if not every zone of the network offers their type."""
    account: str = ""
    """The caller's account. Empty with --offline, or if it is unknown."""
    additions: Additions = field(default_factory=Additions)


_DAYS = 14


def placeholder_capacity(
    kind: CapacityKind, id: str, instance: str, zone: str, count: int, as_of: date, typed: frozenset[str]
) -> ReservedCapacity:
    """Reserved capacity from its id and the options. The start of a block is assumed to be tomorrow."""
    block = kind is CapacityKind.CAPACITY_BLOCK
    starts = as_of + timedelta(days=1)
    return ReservedCapacity(
        kind=kind,
        id=id,
        instance=instance,
        zone=zone,
        count=count,
        starts=starts if block else None,
        ends=starts + timedelta(days=_DAYS) if block else None,
        source=CapacitySource.NOBODY,
        typed=typed,
    )


def placeholder_network(zone: str, vpc: str | None, *, new: bool, two_zones: bool) -> AnyNetwork:
    """A VPC with placeholders, or a new one; in two zones for EKS, which are not Local Zones."""
    region = region_of(zone)
    if not two_zones:
        zones: tuple[str, ...] = (zone,)
    elif LOCAL_ZONE.fullmatch(zone):
        zones = (f"{region}a", f"{region}b", zone)
    else:
        zones = (zone, f"{region}{'b' if zone.endswith('a') else 'a'}")
    if new:
        return NewNetwork("10.0.0.0/16", zones, "given with --new-vpc", why_zones="assumed: Muster did not query AWS")
    subnets = {each: f"subnet-{PLACEHOLDER}-private-{each.removeprefix(region).lstrip('-')}" for each in zones}
    return ExistingNetwork(
        vpc or f"vpc-{PLACEHOLDER}",
        subnets,
        why="set the id of your VPC, or replace existing by create: {zones: [...]}" if vpc is None else "",
    )
