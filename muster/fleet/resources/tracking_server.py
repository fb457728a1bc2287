"""Tracking servers of SageMaker's managed MLflow."""

from dataclasses import dataclass, field
from typing import Generic

from muster.fleet.resources.place import Place, Ref, Reference
from muster.fleet.unknown import U


@dataclass(frozen=True, slots=True)
class TrackingServer(Generic[U]):
    """One tracking server."""

    ref: Ref
    name: str | U
    artifacts: Reference | U
    """The bucket of this program that artifacts go to, or an address."""
    place: Place = field(compare=False)
    size: str | U = "Small"
    version: str | None | U = None
    """MLflow's; None where the program leaves it to AWS."""
    maintenance: str | None | U = None
    """A time of the week in UTC: ``Tue:03:30``."""
    pods: bool = field(default=False, compare=False)
    """Whether pods get their right to log to it by Pod Identity: what the description says."""
