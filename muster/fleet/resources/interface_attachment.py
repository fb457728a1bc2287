"""Network interfaces that a program attaches to instances which run."""

from dataclasses import dataclass, field
from typing import Generic

from muster.fleet.interfaces import InterfaceType
from muster.fleet.resources.place import Place, Ref
from muster.fleet.unknown import UNKNOWN, U, UnknownType


@dataclass(frozen=True, slots=True)
class InterfaceAttachment(Generic[U]):
    """An interface with an attachment of its own, or an attachment that names an interface."""

    ref: Ref
    type: str | None | U
    """EC2's `InterfaceType`; None for an ordinary one."""
    place: Place = field(compare=False)

    @property
    def is_efa(self) -> bool | UnknownType:
        """Whether it carries EFA traffic."""
        if self.type is UNKNOWN:
            return UNKNOWN
        return self.type in (InterfaceType.EFA, InterfaceType.EFA_ONLY)
