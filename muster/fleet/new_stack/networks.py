"""The network that a new stack gets: a VPC that exists, or one to be made."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class ExistingNetwork:
    """A VPC that exists, and one private subnet in each zone that is needed, the workers' zone first."""

    vpc: str
    private: Mapping[str, str]
    """Zone -> subnet."""
    public: Mapping[str, str] = field(default_factory=dict)
    """Zone -> a subnet with a route to an internet gateway, where there is one."""
    why: str = ""
    why_subnets: Mapping[str, str] = field(default_factory=dict)
    """Zone -> why that one."""
    zone_ids: Mapping[str, str] = field(default_factory=dict)

    @property
    def zones(self) -> tuple[str, ...]:
        """Its zones in order."""
        return tuple(self.private)


@dataclass(frozen=True, slots=True)
class NewNetwork:
    """A VPC that Muster makes."""

    cidr: str
    zones: tuple[str, ...]
    why: str = ""
    why_cidr: str = ""
    why_zones: str = ""
    zone_ids: Mapping[str, str] = field(default_factory=dict)


AnyNetwork = ExistingNetwork | NewNetwork
