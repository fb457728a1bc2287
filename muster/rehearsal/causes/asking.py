"""A pod that waits, as its cause is looked for."""

from collections.abc import Mapping
from dataclasses import dataclass

from muster.fleet.matching import Json
from muster.rehearsal.scene import LiveNode


@dataclass(frozen=True, slots=True)
class Asking:
    """A waiting pod."""

    pod: Json
    """Its spec."""
    asks: Mapping[str, int]
    """What it asks of a node, by resource, more than nothing of each; ``pods`` too."""
    role: str
    alike: int
    """How many pods of the job ask the same of nodes, whatever their role."""

    def fits(self, node: LiveNode) -> int:
        """How many such pods a node takes, with nothing else on it."""
        return min(node.offered(name) // number for name, number in self.asks.items())

    def lacks(self, node: LiveNode) -> tuple[str, ...]:
        """The resources of which a node has too little left for it; none where there is room."""
        return tuple(name for name, number in sorted(self.asks.items()) if node.free(name) < number)
