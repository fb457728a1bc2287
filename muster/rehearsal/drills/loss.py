"""What a drill takes away."""

from collections.abc import Sequence
from dataclasses import dataclass

from muster.fleet.near_miss import did_you_mean
from muster.fleet.node import EFA_RESOURCE
from muster.rehearsal.faults import RehearsalFault
from muster.rehearsal.nodes import PlannedNode


@dataclass(frozen=True, slots=True)
class Loss:
    """What is to be lost: so many nodes, a zone, or some devices of a node."""

    nodes: int = 0
    zone: str = ""
    resource: str = ""
    broken: int = 0

    def __str__(self) -> str:
        if self.nodes:
            return f"lose-nodes {self.nodes}"
        return f"lose-zone {self.zone}" if self.zone else f"degrade {self.resource}={self.broken}"


SHORT_NAMES = {"efa": EFA_RESOURCE, "gpu": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}


def degrading(text: str) -> Loss:
    """Reads ``efa=1``.

    Raises:
        ValueError: it is no such thing.
    """
    name, equals, number = text.partition("=")
    if not equals or not number.strip().isdecimal():
        raise ValueError(f"'{text}' is not a resource and a number; write it as in efa=1")
    if not int(number):
        raise ValueError(f"'{text}' breaks nothing; give at least 1")
    resource = SHORT_NAMES.get(name.strip(), name.strip())
    if "/" not in resource:
        known = ", ".join(SHORT_NAMES)
        raise ValueError(
            f"no devices are called '{name.strip()}'{did_you_mean(name.strip(), SHORT_NAMES)} (there are: {known})"
        )
    return Loss(resource=resource, broken=int(number))


def check(loss: Loss, nodes: Sequence[PlannedNode]) -> None:
    """Sees whether it can be lost of these nodes.

    Raises:
        RehearsalFault: they have none of it.
    """
    zones = {node.zone for node in nodes if node.zone}
    if loss.zone and loss.zone not in zones:
        there = ", ".join(sorted(zones)) or "none: no group says its zone"
        raise RehearsalFault(f"no node is in zone '{loss.zone}'{did_you_mean(loss.zone, zones)} (there are: {there})")
    most = max((node.has(loss.resource) for node in nodes), default=0)
    if loss.resource and not most:
        raise RehearsalFault(f"no node has {loss.resource}, so none can break")
    if loss.broken > most:
        raise RehearsalFault(f"no node has {loss.broken} {loss.resource}; the most is {most}")
    if loss.nodes > len(nodes):
        raise RehearsalFault(f"the cluster has {len(nodes)} nodes; {loss.nodes} cannot be lost")
