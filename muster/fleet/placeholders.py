"""Ids that nobody has filled in yet: `check`, `plan` and `job` accept them, AWS must never see them."""

from collections.abc import Iterator
from typing import Any

from muster.fleet.description import Description
from muster.fleet.description.identifiers import is_placeholder
from muster.fleet.dotted import Path_, dotted
from muster.fleet.finding import Finding, Level

RULE = "placeholder"
"""The name these findings go by."""


def placeholders(described: Description) -> list[Finding]:
    """A finding for every value that is a placeholder, or was copied from documentation."""
    return [
        Finding(
            path,
            RULE,
            Level.MANDATORY,
            f"'{value}' is a placeholder",
            f"fill in {path} with a value of your account",
            path.partition(".")[0],
        )
        for path, value in blanks(described)
    ]


def blanks(described: Description) -> list[tuple[str, str]]:
    """Where a placeholder stands, and the placeholder."""
    values = described.model_dump(mode="json", exclude_defaults=True, exclude={"suppress"})
    return [
        (dotted(path), value) for path, value in texts(values) if is_placeholder(value) and not _is_chart_value(path)
    ]


def _is_chart_value(path: Path_) -> bool:
    """Values of charts are the user's own, as deep as they like. What else is said of an add-on has a form."""
    block, *below = path
    return block == "addons" and (below[2:3] if below[:1] == ["charts"] else below[1:2]) == ["values"]


def texts(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, str]]:
    """Every text of a document, and where it stands."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, below in value.items():
            yield from texts(below, (*path, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            yield from texts(below, (*path, index))
