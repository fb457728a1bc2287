"""How Slurm is set."""

import re
from enum import StrEnum
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt
from pydantic_core import PydanticCustomError

from muster.fleet.description.identifiers import QueueName
from muster.fleet.description.part import Change, Part, field


class OnUpdate(StrEnum):
    """What becomes of nodes that run when an update changes their queue (`QueueUpdateStrategy`)."""

    DRAIN = "drain"
    """Jobs end first; then their nodes are replaced."""
    TERMINATE = "terminate"
    """Nodes are replaced at once: their jobs are lost, or requeued."""


_KEY = re.compile(r"[A-Z][A-Za-z0-9]*")
_PARTS = frozenset({"nodename", "nodeset", "partitionname", "downnodes", "include"})
"""Lines that make nodes and partitions: a description has queues and groups for them. Small, for Slurm takes either."""


def _key(value: str) -> str:
    if not _KEY.fullmatch(value):
        raise ValueError(f"'{value}' is not a key of slurm.conf; write it as Slurm's guide does: MaxJobCount")
    if value.lower() in _PARTS:
        raise ValueError(f"'{value}' is not yours to set: queues and their groups become nodes and partitions")
    return value


def _value(value: Any) -> Any:
    """One line of text, or a number: `1.5` and `true` are YAML's, not Slurm's."""
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


class SlurmSettings(Part):
    """Settings of Slurm for the whole cluster."""

    default_queue: QueueName | None = field(
        "The queue of jobs that name none; needed where there are several.", Change.WITH_ANOTHER, default=None
    )
    idle_minutes: StrictInt = field(
        "After how long a dynamic node without a job goes; -1 keeps it.", Change.FLEET_STOP, default=60, ge=-1
    )
    on_update: OnUpdate = field(
        "drain (jobs end first) or terminate: what becomes of nodes when their queue changes.",
        Change.IN_PLACE,
        default=OnUpdate.DRAIN,
    )
    memory_scheduling: StrictBool = field(
        "Whether Slurm counts memory, so that jobs must say how much they want.", Change.FLEET_STOP, default=False
    )
    settings: dict[SettingKey, SettingValue] = field(
        "Further lines of slurm.conf: key -> value. ParallelCluster refuses those it sets itself.",
        Change.IN_PLACE,
        default={},
    )
