"""What the groups of a random cluster are drawn into."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Around:
    """What groups are drawn into."""

    region: str
    zones: list[str]
    public: bool
    """Whether every zone has a public subnet (or none has)."""
    created: bool
    """Whether Muster makes the network: its subnets are then no larger than their part of a VPC."""
    only_managed: bool
    """Whether the cluster takes no nodes but EKS's own (it has no access entries)."""

    @property
    def most_nodes(self) -> int:
        """Of one group: five of them fit into one zone's subnet, updates included."""
        return 3 if self.created else 16
