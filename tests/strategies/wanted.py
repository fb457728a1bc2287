"""What a random legal description must be like, and what its groups are drawn into."""

from dataclasses import dataclass

from muster.config.description.node_group import Purpose
from tests.strategies.described import REGIONS
from tests.strategies.instances import USABLE
from tests.strategies.readings import Kind


@dataclass(frozen=True)
class Wanted:
    """What a breakage needs to find in the legal description that it breaks. None leaves it to chance."""

    zones: int | None = None
    regions: tuple[str, ...] = tuple(REGIONS)
    network: str | None = None
    """``existing`` or ``create``."""
    joins: bool | None = None
    """Whether the control plane is one that exists."""
    instances: tuple[str, ...] = USABLE
    layouts: tuple[str | None, ...] = (None, "aws", "classic", "plain")
    purposes: tuple[str, ...] = tuple(Purpose)
    tiers: tuple[str, ...] = ("private", "public")
    kinds: tuple[Kind, ...] = tuple(Kind)
    """Of the workers' capacity."""
    others: tuple[Kind, ...] = tuple(Kind)
    """Of the other groups' capacity."""
    managed: bool | None = None
    """True: every group is managed. False: the workers are not."""
    images: tuple[str, ...] = ("al2023", "bottlerocket", "custom")
    begun: bool | None = None
    """Whether a Capacity Block has begun."""
    provided_by: str | None = None
    states_zone: bool | None = None
    shared: bool | None = None
    """Whether another group is on the workers' reservation."""
    facts: bool | None = None
    public: bool | None = None
    """Whether every zone has a public subnet (or none has)."""
    groups: int = 2
    """The most groups beside `system` and the workers."""

    def of_others(self) -> "Wanted":
        """What the groups beside the workers must be like."""
        return Wanted(kinds=self.others, managed=self.managed or None)


ANYTHING = Wanted()
"""Nothing in particular."""


@dataclass(frozen=True)
class Around:
    """What groups are drawn into."""

    region: str
    zones: list[str]
    public: bool
    created: bool
    """Whether Muster makes the network: its subnets are then no larger than their part of a VPC."""
    only_managed: bool
    """Whether the cluster takes no nodes but EKS's own (it has no access entries)."""

    @property
    def most_nodes(self) -> int:
        """Of one group: five of them fit into one zone's subnet, updates included."""
        return 3 if self.created else 16
