"""What all parts of a description need: the fleet, hints of the format, and records of what is missing or left out."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from muster.config.identifiers import PLACEHOLDER
from muster.fleet.registration import Registration
from muster.fleet.resources import Fleet
from muster.fleet.resources.ref import Ref
from muster.sources.source import CannotBeRead

_MODULE_KEY = re.compile(r'\["([^"]+)"\]')


@dataclass(frozen=True, slots=True, order=True)
class LeftOutPart:
    """A property of a registered resource that the description does not have."""

    urn: str
    property: str
    """With the engine's name: ``instanceTypes``. Empty for the whole resource."""
    why: str


class NoGroupLeft(CannotBeRead):
    """No node group can be described."""

    def __init__(self, part: LeftOutPart) -> None:
        """Takes the first group that is left out."""
        self.part = part
        super().__init__(f"no node group can be described: {part.why}")


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
    has_endpoints: bool = False
    """Whether the resources have all endpoints of the VPC that the file creates."""
    lists_keys: bool = False
    """Whether the format itself reports the keys of its file that a description does not have."""


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


def _last(name: str) -> str:
    """The last part of a name. Modules of Terraform name their only resource `this`: then the key of the module."""
    last, keys = name.rpartition(".")[2], _MODULE_KEY.findall(name)
    return keys[-1] if last.startswith("this") and keys else last


def distinct_names(refs: Iterable[Ref], length: int, otherwise: str) -> list[str]:
    """Names in a description: lower case, with letters, digits and dashes, and each only once.

    Args:
        refs: the resources, in the order of the names.
        length: the most characters of a name.
        otherwise: the name of a resource whose own has no letter or digit.
    """
    found: list[str] = []
    for each in refs:
        plain = re.sub(r"[^a-z0-9]+", "-", _last(each.name).lower()).strip("-") or otherwise
        plain = plain if plain[0].isalpha() else f"{otherwise[0]}-{plain}"
        name, number = plain[:length].strip("-"), 2
        while name in found:
            name, number = f"{plain[: length - 4].strip('-')}-{number}", number + 1
        found.append(name)
    return found
