"""What a stack takes of an account that another stack may take too."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple


class HeldCapacity(NamedTuple):
    """What a stack uses of one reservation, reservation group, Capacity Block or training plan."""

    at: str
    """Where the description states it: ``groups.workers.capacity.reservation``."""
    instances: int
    """The instances that it holds, by the description."""
    most: int
    """The nodes that all groups of the stack that use it may grow to."""


@dataclass(frozen=True, slots=True)
class StackUses:
    """What a stack takes."""

    stack: str = ""
    region: str = ""
    accounts: frozenset[str] = frozenset()
    """The accounts that it may be deployed to; empty if they are not known."""
    names: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """What has a name of its own in an account and a Region -> where the description names it:
    ``("EKS cluster", "train") -> "name"``."""
    capacity: Mapping[str, HeldCapacity] = field(default_factory=dict)
    """By its id or ARN, without placeholders."""
