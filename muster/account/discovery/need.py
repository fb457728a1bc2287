"""What a new stack asks of its network."""

from dataclasses import dataclass

from muster.fleet.new_stack.held import Held


@dataclass(frozen=True, slots=True)
class Need:
    """What a new stack asks of its network."""

    held: Held
    addresses: int
    """Of the subnet in the workers' zone: all nodes that could be there, full of pods."""
    control_plane: bool
    """Whether EKS has a control plane there, which wants two zones."""
    region: str
    system: str = ""
    """The type of the nodes beside the workers: in a new VPC the other zone offers it, too."""

    @property
    def why_zone(self) -> str:
        """``where cr-0123456789abcdef0 is``."""
        return f"where {self.held.name} is"


CONTROL_PLANE_ZONES = 2
"""EKS user guide, "network requirements"."""
