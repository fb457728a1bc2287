"""How many instances a group of HyperPod has."""

from typing import Any, ClassVar

from pydantic import StrictInt
from pydantic_core import PydanticCustomError

from muster.fleet.description.part import Change, Part, field

MOST_INSTANCES = 6758
"""Of one group (SageMaker's model of CreateCluster)."""


class InstanceCount(Part):
    """How many instances: asked for, and at least. A single number asks for all of them or none."""

    scaled_by: ClassVar[None] = None

    count: StrictInt = field("Instances asked for.", Change.IN_PLACE, ge=0, le=MOST_INSTANCES)
    minimum: StrictInt | None = field(
        "With so many the group is in service; the others may come later. Where they do not come within three hours, "
        "HyperPod takes everything back.",
        Change.IN_PLACE,
        default=None,
        ge=0,
        le=MOST_INSTANCES,
    )

    @property
    def min(self) -> int:
        """The least that runs."""
        return self.count if self.minimum is None else self.minimum

    @property
    def start(self) -> int:
        """How many are asked for."""
        return self.count

    @property
    def max(self) -> int:
        """The most that runs."""
        return self.count

    @property
    def fixed(self) -> bool:
        """Whether the number is one for good, so that Muster holds it."""
        return True


def counted(value: Any) -> Any:
    """A single number as the block it stands for."""
    if isinstance(value, dict | InstanceCount):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= MOST_INSTANCES:
        raise PydanticCustomError(
            "choice",
            "'{found}' is not a number of instances; write one up to {most}, as in 4, or {form}",
            {
                "found": value if not isinstance(value, bool) else str(value).lower(),
                "most": MOST_INSTANCES,
                "form": "{count, minimum}",
            },
        )
    return {"count": value}
