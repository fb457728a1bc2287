"""Parts of the descriptions of clusters with Slurm: node counts, and parameters of slurm.conf."""

import re
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field
from pydantic_core import PydanticCustomError

MOST_NODES = 5000


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
