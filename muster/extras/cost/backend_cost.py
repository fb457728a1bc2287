"""The parts of a cluster's cost that depend on the backend."""

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
    """The kind of the price of the groups' instances."""
    volumes: Callable[[Any, Pricing], Iterator[Line]]
    """The volumes of all nodes."""
    service: Callable[[Any, Pricing, date], Iterator[Line]]
    """The control plane, or the head node."""
    addresses: Callable[[Any, Pricing], Iterator[Line]] = no_lines
    """Public addresses of nodes."""
    extras: Callable[[Any, Pricing], Iterator[Line]] = no_lines
    """Other things that the service bills by the hour."""
    not_counted: Callable[[Any], Iterator[str]]
    """Costs that the sum leaves out, one line each."""
