"""Everything that is chosen for a new stack."""

from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from muster.fleet.new_stack.held import Held
from muster.fleet.new_stack.networks import AnyNetwork


class Backend(StrEnum):
    """Which service runs the cluster."""

    EKS = "eks"
    HYPERPOD = "hyperpod"
    PARALLELCLUSTER = "parallelcluster"


DOCUMENTATION_NETWORK = "203.0.113.0/24"
"""Nobody's (RFC 5737): it stands for the network that people deploy from until somebody says which that is."""


@dataclass(frozen=True, slots=True)
class Choices:
    """A cluster with one group of workers, on instances that are held already."""

    stack: str
    backend: Backend
    region: str
    held: Held
    network: AnyNetwork
    nodes: int
    as_of: date
    why_region: str = ""
    why_nodes: str = ""
    api_from: tuple[str, ...] = ()
    """The networks that the Kubernetes API is public to; a placeholder is written without any."""
    system_zone: str = ""
    """The zone of the nodes beside the workers, where not every zone of the network offers their type."""
    asked: str = ""
    """Whom AWS answered: an account. Empty where nothing was asked, or AWS did not say who asks."""
