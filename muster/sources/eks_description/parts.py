"""What all parts of a description need: the fleet, hints of the format, and records of what is missing or left out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.config.identifiers import PLACEHOLDER
from muster.fleet.registration import Registration
from muster.fleet.resources import Fleet
from muster.fleet.resources.ref import Ref


@dataclass(frozen=True, slots=True, order=True)
class LeftOutPart:
    """A property of a registered resource that the description does not have."""

    urn: str
    property: str
    """With the engine's name: ``instanceTypes``. Empty for the whole resource."""
    why: str


@dataclass(frozen=True, slots=True)
class Hints:
    """What only the format of the file knows. Each map has URNs as keys."""

    tiers: Mapping[str, str] = field(default_factory=dict)
    """Subnet -> ``private`` or ``public``. Default: by `mapPublicIpOnLaunch`."""
    local_storage: Mapping[str, bool] = field(default_factory=dict)
    """Node group -> whether its NVMe disks are one array. Default: by the user data of its template."""
    autoscaled: frozenset[str] = frozenset()
    """Node groups whose number an autoscaler changes."""
    group_tiers: Mapping[str, str] = field(default_factory=dict)
    """Node group -> the tier of its subnets, if these are not known."""
    public_tier_by_default: bool = False


@dataclass(frozen=True, slots=True)
class Described:
    """A description, with what it lacks."""

    cluster: dict[str, Any]
    left_out: tuple[LeftOutPart, ...]
    placeholders: tuple[str, ...]


@dataclass(slots=True)
class Parts:
    """The data that the parts of a description are made of."""

    fleet: Fleet
    registered: Mapping[str, Registration]
    """By URN."""
    hints: Hints
    region: str
    left_out: list[LeftOutPart] = field(default_factory=list)
    placeholders: list[str] = field(default_factory=list)

    def urn_of(self, ref: Ref) -> str:
        """The URN of a referred resource; empty if the file does not create it."""
        return next((urn for urn, each in self.registered.items() if each.ref == ref), "")

    def inputs(self, urn: str) -> Mapping[str, Any]:
        """The inputs of a resource; none for one that the file does not create."""
        found = self.registered.get(urn)
        return found.inputs if found else {}

    def leave_out(self, urn: str, property_: str, why: str) -> None:
        """Records a property that the description does not have."""
        self.left_out.append(LeftOutPart(urn, property_, why))

    def placeholder(self, path: str, value: Any) -> Any:
        """Records that the file does not have the value at a path, and returns a placeholder for it."""
        self.placeholders.append(path)
        return value


def placeholder_id(prefix: str, about: str = "") -> str:
    """``subnet-fill-me-in-private-a``."""
    return f"{prefix}-{PLACEHOLDER}{f'-{about}' if about else ''}"
