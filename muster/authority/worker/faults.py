"""marshmallow's messages, which are nested as the document is, as one message each."""

from collections.abc import Iterator
from typing import Any

SCHEMA = "schema"
ERROR = "ERROR"

Path = tuple[str | int, ...]


def faults_of(messages: Any, at: Path = ()) -> Iterator[dict[str, Any]]:
    """Each message with the path it is about; what marshmallow says of a whole block is about the block."""
    if isinstance(messages, dict):
        for key, below in messages.items():
            yield from faults_of(below, at if key in {"_schema", "value"} else (*at, key))
    elif isinstance(messages, list):
        for each in messages:
            yield from faults_of(each, at)
    else:
        yield message(SCHEMA, ERROR, str(messages), at)


def message(validator: str, level: str, text: str, at: Path, **more: Any) -> dict[str, Any]:
    """One message as Muster is told it."""
    return {"validator": validator, "level": level, "text": text, "path": list(at), **more}
