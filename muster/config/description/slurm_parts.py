"""Parts of the descriptions of clusters with Slurm: node counts, and parameters of slurm.conf."""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictInt, model_validator
from pydantic_core import PydanticCustomError

from muster.config.description.base import Change, StrictModel, in_order, key

MOST_NODES = 5000


class NodeRange(StrictModel):
    """Number of nodes: always running, and the maximum. With a single number, that number of nodes always runs."""

    min: StrictInt = key(
        "Number of nodes that always run (static). You can raise it in place. To lower it, stop the compute fleet, "
        "or set `on-update: terminate`.",
        Change.FLEET_STOP,
        ge=0,
        le=MOST_NODES,
    )
    max: StrictInt = key(
        "Maximum number of nodes. Those beyond `min` start for jobs and stop when idle (dynamic). To lower it, stop "
        "the compute fleet, or set `on-update: terminate`.",
        Change.FLEET_STOP,
        ge=1,
        le=MOST_NODES,
    )

    @model_validator(mode="after")
    def _ordered(self) -> "NodeRange":
        in_order(min=self.min, max=self.max)
        return self

    @property
    def start(self) -> int:
        """How many run at first."""
        return self.min

    @property
    def fixed(self) -> bool:
        """Whether the number is fixed."""
        return self.min == self.max


def node_range(value: Any) -> Any:
    """The block that a single number means."""
    if isinstance(value, dict | NodeRange):
        return value
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= MOST_NODES:
        raise PydanticCustomError(
            "choice",
            "'{found}' is not a number of nodes; write a number from 1 to {most}, as in 4, or {form}",
            {
                "found": value if not isinstance(value, bool) else str(value).lower(),
                "most": MOST_NODES,
                "form": "{min, max}",
            },
        )
    return {"min": value, "max": value}


_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
"""Slurm ignores case in names."""
_PARTS = frozenset({"nodename", "nodeset", "partitionname", "downnodes", "include"})
"""Lines that define nodes and partitions: a description has queues and groups for them. In lower case, because Slurm
ignores case."""


def _key(value: str) -> str:
    if not _KEY.fullmatch(value):
        raise ValueError(
            f"'{value}' is not a parameter of slurm.conf, because each is one word; write a parameter of slurm.conf(5)"
        )
    if value.lower() in _PARTS:
        raise ValueError(
            f"you cannot set '{value}', because Muster writes nodes and partitions from your queues and groups; "
            "remove it"
        )
    return value


def _value(value: Any) -> Any:
    """One line of text, or a whole number. `1.5` and `true` are values of YAML, not of Slurm."""
    if isinstance(value, str) and value.strip() and value.isprintable():
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    got = "a text of several lines" if isinstance(value, str) and value.strip() else f"'{value}'"
    raise PydanticCustomError(
        "choice",
        "{got} is not a value of slurm.conf; write a whole number, or text of one line in quotes",
        {"got": got},
    )


SettingKey = Annotated[str, AfterValidator(_key), Field(json_schema_extra={"pattern": f"^{_KEY.pattern}$"})]
SettingValue = Annotated[Any, BeforeValidator(_value, json_schema_input_type=str | int)]
