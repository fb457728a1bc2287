"""What Muster knows of a backend: one record, whose parts are imported when they are used."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from muster.blueprint.cluster import ClusterBlueprint
    from muster.config.description.cluster import Cluster
    from muster.config.description.written_blocks import Check

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Lazy(Generic[T]):
    """An object by its place, `package.module:name`. Its module is imported by `load`, not before: so a record names
    parts that load pulumi, and a command loads the models of one backend alone."""

    place: str

    def load(self) -> T:
        """The object itself.

        Raises:
            ImportError, AttributeError: there is none at that place (a test loads every one).
        """
        found: T = resolve_name(self.place)
        return found


class Scheduler(StrEnum):
    """What starts jobs on the nodes."""

    KUBERNETES = "kubernetes"
    SLURM = "slurm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """A service that runs clusters."""

    name: str
    """The value of the key `backend`."""
    title: str
    """Its name in texts."""
    scheduler: Scheduler
    other_names: frozenset[str] = frozenset()
    """What people write for `backend` and mean this one, in lower case."""
    description: Lazy[type["Cluster"]]
    """The pydantic model of `muster:cluster`."""
    cross_field_checks: Lazy[tuple["Check", ...]]
    """Checks of a document that read several keys."""
    derive: Lazy[Callable[..., "ClusterBlueprint"]]
    """Description, stack, region, facts, facts file -> blueprint. The blueprint makes the fleet that rules judge."""
    register: Lazy[Callable[[Any], dict[str, Any]]]
    """Registers the resources of a blueprint with Pulumi; returns the stack's outputs."""
    deployed_parts: Lazy[Callable[[Any], Iterator[str]]]
    """Blueprint -> what its stack has, by the names of `deployment_actions.csv`: a deployment needs IAM actions for
    it."""
    node_endpoints: tuple[str, ...]
    """The services that its nodes cannot do without, as VPC endpoints name them."""
    group_of_output: Lazy[Callable[[Any], dict[str, Any]]] | None = None
    """A node group of a stack's outputs -> the group as a description has it, for add-ons on a cluster that is known
    by its outputs; of backends with Kubernetes."""
    simulated_nodes: Lazy[Any] | None = None
    """What nodes have in a rehearsal: on a Kubernetes control plane a `BackendNodes` of
    `muster.rehearsal.kubernetes.nodes`, on Slurm a function that returns the `Configuration` of a blueprint
    (`muster.rehearsal.slurm.configuration`)."""
    print_job: Lazy[Callable[..., Any]]
    """Writes a reference job for a blueprint: `muster job`."""
    rehearse: Lazy[Callable[..., Any]]
    """Runs a job on the planned nodes: `muster rehearse`."""
