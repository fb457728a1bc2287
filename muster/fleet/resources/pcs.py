"""AWS Parallel Computing Service (PCS): the cluster, its compute node groups and its queues."""

from dataclasses import dataclass, field
from typing import ClassVar, Generic

from muster.fleet.resources.group import DescribedGroup
from muster.fleet.resources.ref import Place, Ref, Reference
from muster.unknown import Observed, U


@dataclass(frozen=True, slots=True)
class PcsCluster(Observed, Generic[U]):
    """A cluster (`AWS::PCS::Cluster`)."""

    ref: Ref
    name: str | None | U
    size: str | None | U
    """``SMALL``, ``MEDIUM`` or ``LARGE``."""
    version: str | None | U
    """Slurm's: ``25.11``."""
    subnets: tuple[Reference, ...] | U
    """Those of the controller's network interface. Sorted."""
    security_groups: tuple[Reference, ...] | U
    """Those on it. Sorted."""
    place: Place = field(compare=False)
    accounting: bool | U = False
    keep_days: int | None | U = None
    """Days for which accounting keeps records; None for PCS's default, -1: as long as the cluster exists."""
    idle_seconds: int | None | U = None
    """Seconds after which a node without a job is terminated; None for PCS's default, 600."""
    settings: tuple[tuple[str, str], ...] | U = ()
    """Custom Slurm settings. Sorted."""

    @property
    def setting_names(self: "PcsCluster") -> frozenset[str]:
        """The parameters of slurm.conf in them."""
        return frozenset(name for name, _ in self.settings)

    @property
    def root(self) -> Place:
        """Where findings about the whole cluster, its account or its network are."""
        return self.place


@dataclass(frozen=True, slots=True)
class ComputeNodeGroup(DescribedGroup[U]):
    """A compute node group (`AWS::PCS::ComputeNodeGroup`). Fields that it shares with a `NodeGroup` have the same
    names."""

    ref: Ref
    cluster: Reference | None | U
    name: str | None | U
    template: Reference | None | U
    """Its launch template; None if PCS manages one."""
    instance_types: tuple[str, ...] | U
    """`instanceConfigs`."""
    subnets: tuple[Reference, ...] | U
    """Sorted."""
    capacity_type: str | None | U
    """`purchaseOption`: ``ONDEMAND``, ``SPOT``, ``CAPACITY_BLOCK`` or ``INTERRUPTIBLE_CAPACITY_RESERVATION``; None for
    the first."""
    nodes_min: int | U
    nodes_max: int | U
    place: Place = field(compare=False)
    security_groups: tuple[Reference, ...] | None | U = None
    """`securityGroupIds`, which replace those of the template; None for the template's. Sorted."""
    image: str | None | U = None
    """`amiId`; None for the template's image."""
    profile: Reference | None | U = None
    """Its instance profile, by ARN if it is not the program's own."""
    idle_seconds: int | None | U = None
    """Overrides the cluster's."""
    settings: tuple[tuple[str, str], ...] | U = ()
    """Custom Slurm settings. Sorted."""
    login: bool = field(default=False, compare=False)
    """Whether the description has it as login nodes."""

    target: ClassVar[None] = None
    """Only its template targets a reservation."""
    managed: ClassVar[bool] = False
    """It has a launch template of the account, like a self-managed group of EKS."""
    zero_at: ClassVar[tuple[str, ...]] = ()
    """No schedule scales it."""

    @property
    def nodes_start(self) -> int | U:
        """Nodes that run from the first."""
        return self.nodes_min


@dataclass(frozen=True, slots=True)
class PcsQueue(Observed, Generic[U]):
    """A queue (`AWS::PCS::Queue`)."""

    ref: Ref
    cluster: Reference | None | U
    name: str | None | U
    groups: tuple[Reference, ...] | U
    """Its compute node groups. Sorted."""
    place: Place = field(compare=False)
    settings: tuple[tuple[str, str], ...] | U = ()
    """Custom Slurm settings. Sorted."""
