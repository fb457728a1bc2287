"""What queues mean beside each other and beside the groups, asked of a document as it is written.

Of what is wrong by itself nothing more is said: the form of each key is told by its model.
"""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any

from muster.fleet.description.nodes import MOST_NODES
from muster.fleet.description.queues import VOLCANOS_DEFAULT, VOLCANOS_ROOT, WHOLE, is_queue_name
from muster.fleet.dotted import Path_
from muster.fleet.kubernetes_quantity import Quantity
from muster.fleet.near_miss import did_you_mean

Fault = tuple[Path_, str, str]
"""Where, what was found, what to do."""

Queues = Mapping[str, Mapping[Any, Any]]

_QUEUES = ("addons", "kueue", "queues")


def faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Of a description with add-ons, and perhaps groups."""
    yield from _volcano(_queues(raw, "volcano"))
    yield from _kueue(_queues(raw, "kueue"), _most_nodes(raw.get("groups")))


def _queues(raw: Mapping[Any, Any], addon: str) -> Queues:
    found: Any = raw
    for key in ("addons", addon, "queues"):
        found = found.get(key) if isinstance(found, Mapping) else None
    listed = found if isinstance(found, Mapping) else {}
    return {name: queue for name, queue in listed.items() if isinstance(name, str) and isinstance(queue, Mapping)}


def _volcano(queues: Queues) -> Iterator[Fault]:
    """What Volcano's webhook refuses of a Queue (`validateHierarchicalQueue` at v1.15.0), and what it could not."""
    parents = {name: queue["parent"] for name, queue in queues.items() if is_queue_name(queue.get("parent"))}
    for name, parent in parents.items():
        at: Path_ = ("addons", "volcano", "queues", name, "parent")
        if parent == VOLCANOS_DEFAULT:
            yield (
                at,
                f"'{parent}' is the queue of jobs that name none",
                f"write {VOLCANOS_ROOT}, or one of yours",
            )
        elif parent != VOLCANOS_ROOT and parent not in queues:
            meant = did_you_mean(parent, queues)
            yield at, f"there is no queue '{parent}'{meant}", "name one that stands beside it, or remove the key"
        elif circle := _circle(name, parents):
            yield at, f"a queue is part of itself: {circle}", "let one of them stand by itself"
        elif parent in queues:
            yield from _within(name, queues[name], parent, queues[parent])


def _circle(name: str, parents: Mapping[str, str]) -> str:
    """The circle that a queue is in; empty where it is in none."""
    try:
        tuple(TopologicalSorter({child: [parent] for child, parent in parents.items()}).static_order())
    except CycleError as fault:
        return " in ".join(fault.args[1]) if name in fault.args[1] else ""
    return ""


def _within(name: str, queue: Mapping[Any, Any], parent: str, above: Mapping[Any, Any]) -> Iterator[Fault]:
    """No queue may have more than what it is a part of."""
    limits = above.get("capability")
    for resource, amount in _amounts(queue.get("capability")):
        limit = dict(_amounts(limits)).get(resource)
        if limit is not None and amount > limit and isinstance(limits, Mapping):
            got = f"more {resource} than the queue '{parent}' has, which it is a part of"
            at: Path_ = ("addons", "volcano", "queues", name, "capability", resource)
            yield at, got, f"write at most {limits[resource]}"


def _amounts(written: Any) -> Iterator[tuple[str, Quantity]]:
    for resource, amount in written.items() if isinstance(written, Mapping) else ():
        try:
            yield resource, Quantity.parse(amount)
        except ValueError:
            continue


def _kueue(queues: Queues, groups: Mapping[str, int] | None) -> Iterator[Fault]:
    """Nobody is promised what another one has."""
    said = {name: _number(queue.get("share"), 1, WHOLE) for name, queue in queues.items()}
    shares = {name: share for name, share in said.items() if share is not None}
    if sum(shares.values()) > WHOLE:
        listed = " and ".join(f"{share} ({name})" for name, share in shares.items())
        at: Path_ = (*_QUEUES, list(shares)[-1], "share")
        yield at, f"the shares are more than all: {listed} of {WHOLE}", f"make them {WHOLE} at most"
    elif groups is not None:
        yield from _nodes(queues, shares, groups)


def _nodes(queues: Queues, shares: Mapping[str, int], groups: Mapping[str, int]) -> Iterator[Fault]:
    """Nodes that a queue is to have must be there, beside what the others have of the group."""
    taken: dict[str, int] = {}
    for name, queue in queues.items():
        for group, number in _wanted(queue).items():
            at: Path_ = (*_QUEUES, name, "nodes", group)
            if group not in groups:
                listed = f"{did_you_mean(group, groups)} (there are: {', '.join(groups)})"
                yield at, f"there is no group '{group}'{listed}", "name a group of this cluster"
                continue
            shared = sum(share for other, share in shares.items() if group not in _wanted(queues[other]))
            left = groups[group] - taken.get(group, 0) - -(-groups[group] * shared // WHOLE)
            taken[group] = taken.get(group, 0) + number
            if number > left:
                others = " beside what the other queues have" if left < groups[group] else ""
                got = f"{number} nodes of group '{group}', which has {groups[group]} at most{others}"
                yield at, got, f"write at most {max(0, left)}, or raise groups.{group}.nodes"


def _wanted(queue: Mapping[Any, Any]) -> dict[str, int]:
    """Group -> so many of its nodes, as far as that is said in order."""
    nodes = queue.get("nodes")
    said = {
        group: _number(number, 0, MOST_NODES)
        for group, number in (nodes.items() if isinstance(nodes, Mapping) else ())
        if isinstance(group, str)
    }
    return {group: number for group, number in said.items() if number is not None}


def _number(value: Any, least: int, most: int) -> int | None:
    """A number that its model would take; None of any other value."""
    taken = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    return value if taken else None


def _most_nodes(groups: Any) -> Mapping[str, int] | None:
    """Group -> its nodes at most; None where a group is not what it must be, or there are none."""
    if not isinstance(groups, Mapping) or not groups:
        return None
    found: dict[str, int] = {}
    for name, group in groups.items():
        nodes = group.get("nodes") if isinstance(group, Mapping) else None
        most = _number(nodes.get("max") if isinstance(nodes, Mapping) else nodes, 1, MOST_NODES)
        if not isinstance(name, str) or most is None:
            return None
        found[name] = most
    return found
