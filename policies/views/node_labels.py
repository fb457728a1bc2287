"""Labels and taints as programs give them to groups of nodes: not known as soon as a part of them is not."""

from collections.abc import Mapping
from typing import Any

from muster.fleet.resources import Taint
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.views.references import blocks


def labels(given: Any) -> frozenset[tuple[str, str]] | UnknownType:
    """A block of labels. A value that is not known is no text: nothing of ours may be compared with it."""
    if given is UNKNOWN or (isinstance(given, Mapping) and UNKNOWN in given.values()):
        return UNKNOWN
    return frozenset((key, str(value)) for key, value in given.items()) if isinstance(given, Mapping) else frozenset()


def taints(given: Any, effects: Mapping[str, str]) -> frozenset[Taint] | UnknownType:
    """A list of blocks.

    Args:
        given: the list.
        effects: a service's words for effects -> Kubernetes' own; those that it does not list stay as they are.
    """
    listed = blocks(given)
    if listed is UNKNOWN or any(UNKNOWN in each.values() for each in listed):
        return UNKNOWN
    return frozenset(_taint(each, effects) for each in listed)


def _taint(entry: Mapping[str, Any], effects: Mapping[str, str]) -> Taint:
    key, value, effect = (str(entry.get(name) or "") for name in ("key", "value", "effect"))
    return Taint(key, value, effects.get(effect, effect))
