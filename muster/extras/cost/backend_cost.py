"""What a backend adds to the cost of a cluster."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from muster.extras.cost.lines import Line, Pricing
from muster.extras.cost.prices import Kind


def no_lines(_blueprint: Any, _pricing: Pricing) -> Iterator[Line]:
    """None."""
    return iter(())


@dataclass(frozen=True, slots=True, kw_only=True)
class BackendCost:
    """The lines of a backend. Each function takes a blueprint of that backend."""

    instances: Kind
    """Whose price the groups' instances have."""
    volumes: Callable[[Any, Pricing], Iterator[Line]]
    """The volumes of all nodes."""
    service: Callable[[Any, Pricing, date], Iterator[Line]]
    """The control plane, or the head node."""
    addresses: Callable[[Any, Pricing], Iterator[Line]] = no_lines
    """Public addresses of nodes."""
    extras: Callable[[Any, Pricing], Iterator[Line]] = no_lines
    """What else the service bills by the hour."""
    not_counted: Callable[[Any], Iterator[str]]
    """What the sum leaves out, a line each."""
