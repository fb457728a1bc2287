"""What becomes of data when a stack is destroyed."""

from enum import StrEnum


class OnDestroy(StrEnum):
    """What `destroy` does with what holds data."""

    KEEP = "keep"
    """It stops and names what it would have deleted. Its preview does so: with `--skip-preview` the engine deletes all
    else first (seen in engine 3.260)."""
    DELETE = "delete"
