"""A block of somebody else's words, without what is not said in it."""

from collections.abc import Mapping
from typing import Any


def said(values: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that have a value, in their order: to AWS a key without one says something else than no key."""
    return {key: value for key, value in values.items() if value is not None}
