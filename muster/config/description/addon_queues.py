"""Queues of Volcano and of Kueue: their models, and the checks that read several queues or the groups."""

import re
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, Field, StrictBool, StrictInt

from muster.config.description.base import Change, StrictModel, field
from muster.config.description.node_settings import MOST_NODES
from muster.config.identifiers import GroupName, Namespace
from muster.finding import KeyPath
from muster.kubernetes_quantity import Quantity
from muster.message_text import did_you_mean

_NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")

VOLCANOS_DEFAULT, VOLCANOS_ROOT = "default", "root"
"""The Queues that Volcano makes by itself, of jobs that name none and of all others, and lets nobody delete
(`pkg/webhooks/admission/queues/validate` at v1.15.0)."""


def is_queue_name(value: object) -> bool:
    """Whether it could be a queue's name."""
    return isinstance(value, str) and bool(_NAME.fullmatch(value))


def _name(value: str) -> str:
    if not is_queue_name(value):
        raise ValueError(f"'{value}' is not a queue's name; use lower-case letters, digits and dashes, 63 at most")
    return value


def _not_volcanos_own(value: str) -> str:
    if value in {VOLCANOS_DEFAULT, VOLCANOS_ROOT}:
        raise ValueError(f"Volcano makes the queue '{value}' itself; take another name")
    return value


QueueName = Annotated[str, AfterValidator(_name), Field(json_schema_extra={"pattern": f"^{_NAME.pattern}$"})]
"""A label's value, too: jobs name their queue in a label."""

VolcanoQueueName = Annotated[QueueName, AfterValidator(_not_volcanos_own)]


def _amount(value: Any) -> Any:
    """As text, once it is an amount that Kubernetes reads."""
    if Quantity.parse(value).nano < 0:
        raise ValueError(f"'{value}' is less than nothing; write 0 or more")
    return str(value)


Amount = Annotated[str, BeforeValidator(_amount, json_schema_input_type=StrictInt | str)]
"""``8``, ``500m``, ``320Gi``."""

_RESOURCE = re.compile(r"([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")


def _resource(value: str) -> str:
    if not _RESOURCE.fullmatch(value):
        raise ValueError(f"'{value}' is not a resource; write one like cpu or nvidia.com/gpu")
    return value


ResourceName = Annotated[str, AfterValidator(_resource)]
"""``cpu``, ``aws.amazon.com/neuron``."""


class VolcanoQueue(StrictModel):
    """A Queue of Volcano's: jobs name it (`torchx run -cfg queue=NAME`)."""

    weight: StrictInt = field(
        "Its part of the cluster, beside the other queues' weights.", Change.IN_PLACE, default=1, ge=1, le=65535
    )
    capability: dict[ResourceName, Amount] = field(
        "The most that its jobs have together, by resource.", Change.IN_PLACE, default={}
    )
    reclaimable: StrictBool = field(
        "Whether others get back what it takes beyond its part.", Change.IN_PLACE, default=True
    )
    parent: QueueName | None = field(
        "The queue it is a part of. Volcano's scheduler heeds it where its capacity plugin does (`enableHierarchy`).",
        Change.IN_PLACE,
        default=None,
    )


WHOLE = 100


class KueueQueue(StrictModel):
    """A ClusterQueue of Kueue's and a LocalQueue of the same name, which jobs name in a label.

    Without `share` and `nodes` it has an equal part of what the others leave.
    """

    namespace: Namespace = field("Whose jobs it takes; made if it is not there.", Change.REPLACES, default="default")
    share: StrictInt | None = field(
        "So many of a hundred of every group.", Change.IN_PLACE, default=None, ge=1, le=WHOLE
    )
    nodes: dict[GroupName, StrictInt] = field(
        "So many nodes of a group, whatever its share.", Change.IN_PLACE, default={}
    )
    borrow: StrictBool = field(
        "Whether its jobs may have what the other queues leave idle. Those get it back as soon as they need it: jobs "
        "that borrowed are stopped, and wait again.",
        Change.IN_PLACE,
        default=True,
    )


ONLY_QUEUE = "main"
"""The queue there is where nobody divides a cluster."""


Fault = tuple[KeyPath, str, str]
"""Where, what was found, what to do."""

Queues = Mapping[str, Mapping[Any, Any]]

_QUEUES = ("addons", "kueue", "queues")


def queue_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
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
        at: KeyPath = ("addons", "volcano", "queues", name, "parent")
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
            at: KeyPath = ("addons", "volcano", "queues", name, "capability", resource)
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
        at: KeyPath = (*_QUEUES, list(shares)[-1], "share")
        yield at, f"the shares are more than all: {listed} of {WHOLE}", f"make them {WHOLE} at most"
    elif groups is not None:
        yield from _nodes(queues, shares, groups)


def _nodes(queues: Queues, shares: Mapping[str, int], groups: Mapping[str, int]) -> Iterator[Fault]:
    """Nodes that a queue is to have must be there, beside what the others have of the group."""
    taken: dict[str, int] = {}
    for name, queue in queues.items():
        for group, number in _wanted(queue).items():
            at: KeyPath = (*_QUEUES, name, "nodes", group)
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
