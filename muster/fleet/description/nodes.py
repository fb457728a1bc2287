"""How many nodes a group has."""

from enum import StrEnum
from typing import Any

from pydantic import StrictInt
from pydantic_core import PydanticCustomError

from muster.fleet.description.part import Change, Part, field

MOST_NODES = 5000
"""Nodes of one managed group, far above EKS's default quota."""


class Scaler(StrEnum):
    """Who moves the number of nodes between min and max."""

    YOU = "you"
    AUTOSCALER = "autoscaler"


class Nodes(Part):
    """How many nodes: at least, at first, at most. A single number fixes all three."""

    min: StrictInt = field("The least; not above what runs.", Change.IN_PLACE, ge=0, le=MOST_NODES)
    start: StrictInt = field("At creation; afterwards the live cluster decides.", Change.IN_PLACE, ge=0, le=MOST_NODES)
    max: StrictInt = field(
        "The most; not below what runs. A reservation must cover it.",
        Change.IN_PLACE,
        ge=1,
        le=MOST_NODES,
    )
    scaled_by: Scaler | None = field(
        "Who moves the number between min and max: you (by hand, or a schedule), or an autoscaler that runs in the "
        "cluster. Where nobody does, say one number.",
        Change.NOTHING,
        default=None,
    )

    @property
    def fixed(self) -> bool:
        """Whether the number is one for good, so that Muster holds it and no autoscaler may."""
        return self.min == self.start == self.max


def three_numbers(value: Any) -> Any:
    """A single number as the three it stands for."""
    if isinstance(value, dict | Nodes):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_NODES:
        raise PydanticCustomError(
            "choice",
            "'{found}' is not a number of nodes; write one from 1 to {most}, as in 4, or {form}",
            {
                "found": value if not isinstance(value, bool) else str(value).lower(),
                "most": MOST_NODES,
                "form": "{min, start, max}",
            },
        )
    return {"min": value, "start": value, "max": value}
