"""Queues of Volcano and of Kueue: their models, and the checks that read several queues, or the groups."""

from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator, StrictBool, StrictInt

from muster.config.description.base import Change, Form, StrictModel, key, optional
from muster.config.description.node_settings import MOST_NODES
from muster.config.description.written_blocks import Fault, blocks
from muster.config.identifiers import GroupName, Namespace
from muster.finding import KeyPath
from muster.kubernetes_quantity import Quantity
from muster.message_text import count_noun, did_you_mean

_NAME = Form(
    "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?",
    "a valid queue name",
    "team-a: lower-case letters, digits and dashes, at most 63 characters",
)

VOLCANOS_DEFAULT, VOLCANOS_ROOT = "default", "root"
"""The two Queues that Volcano creates itself: `default`, for jobs that set no queue, and `root`, the parent of all
others. Its webhook lets no one delete them (`pkg/webhooks/admission/queues/validate` at v1.15.0)."""


def is_queue_name(value: object) -> bool:
    """Whether a value is a valid queue name."""
    return isinstance(value, str) and _NAME.fits(value)


def _not_volcanos_own(value: str) -> str:
    if value in {VOLCANOS_DEFAULT, VOLCANOS_ROOT}:
        raise ValueError(f"Volcano creates the queue '{value}' itself; choose another name")
    return value


QueueName = Annotated[str, _NAME]
"""Also a label value: a job sets its queue in a label."""

VolcanoQueueName = Annotated[QueueName, AfterValidator(_not_volcanos_own)]


def _amount(value: Any) -> Any:
    """The amount as text, after a check that Kubernetes can read it."""
    if Quantity.parse(value).nano < 0:
        raise ValueError(f"'{value}' is negative; write 0 or more")
    return str(value)


Amount = Annotated[str, BeforeValidator(_amount, json_schema_input_type=StrictInt | str)]
"""``8``, ``500m``, ``320Gi``."""

ResourceName = Annotated[
    str,
    Form(
        "([a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?",
        "a resource name",
        "cpu or nvidia.com/gpu",
        drawn=False,
    ),
]
"""``cpu``, ``aws.amazon.com/neuron``."""


class VolcanoQueue(StrictModel):
    """A Queue of Volcano. Jobs select it by name (`torchx run -cfg queue=NAME`)."""

    weight: StrictInt = key(
        "Share of the cluster, relative to the weights of the other queues. Default: 1.",
        Change.IN_PLACE,
        default=1,
        ge=1,
        le=65535,
    )
    capability: dict[ResourceName, Amount] = key(
        "Limit for all jobs of the queue together, as a Kubernetes quantity by resource. Default: no limit.",
        Change.IN_PLACE,
        default={},
    )
    reclaimable: StrictBool = key(
        "Whether other queues can reclaim what this queue uses beyond its share. Default: true.",
        Change.IN_PLACE,
        default=True,
    )
    parent: QueueName | None = optional(
        "Parent queue. The scheduler of Volcano uses it only if its capacity plugin has `enableHierarchy`. Default: "
        "none.",
        Change.IN_PLACE,
    )


WHOLE = 100


class KueueQueue(StrictModel):
    """A ClusterQueue of Kueue and a LocalQueue of the same name. Jobs select it in a label.

    A queue without `share` and `nodes` gets an equal part of what the other queues leave.
    """

    namespace: Namespace = key(
        "Namespace whose jobs the queue admits. Muster creates it if it does not exist. Default: default.",
        Change.REPLACES,
        default="default",
    )
    share: StrictInt | None = optional(
        "Percentage of every group that the queue gets, 1 to 100. Default: an equal part of what the other queues "
        "leave.",
        Change.IN_PLACE,
        ge=1,
        le=WHOLE,
    )
    nodes: dict[GroupName, StrictInt] = key(
        "Number of nodes that the queue gets of a group, by group name. It overrides `share` for that group. "
        "Default: none.",
        Change.IN_PLACE,
        default={},
    )
    borrow: StrictBool = key(
        "Whether jobs of this queue may use what the other queues leave idle. As soon as another queue needs it "
        "back, Kueue stops the jobs that borrowed it, and they wait again. Default: true.",
        Change.IN_PLACE,
        default=True,
    )


ONLY_QUEUE = "main"
"""The only queue of a cluster whose description sets no queues."""


Queues = Mapping[str, Mapping[Any, Any]]

_QUEUES = ("addons", "kueue", "queues")


def queue_faults(raw: Mapping[Any, Any]) -> Iterator[Fault]:
    """Faults in the queues of a description with add-ons, and perhaps with groups."""
    yield from _volcano(_queues(raw, "volcano"))
    yield from _kueue(_queues(raw, "kueue"), _most_nodes(raw.get("groups")))


def _queues(raw: Mapping[Any, Any], addon: str) -> Queues:
    return {name: queue for name, queue in blocks(raw, "addons", addon, "queues").items() if isinstance(name, str)}


def _volcano(queues: Queues) -> Iterator[Fault]:
    """What Volcano's webhook refuses in a Queue (`validateHierarchicalQueue` at v1.15.0), and what it cannot detect."""
    parents = {name: queue["parent"] for name, queue in queues.items() if is_queue_name(queue.get("parent"))}
    for name, parent in parents.items():
        at: KeyPath = ("addons", "volcano", "queues", name, "parent")
        if parent == VOLCANOS_DEFAULT:
            yield (
                at,
                f"'{parent}' is the queue of jobs that set no queue, and cannot be a parent",
                f"write {VOLCANOS_ROOT}, or one of your queues",
            )
        elif parent != VOLCANOS_ROOT and parent not in queues:
            meant = did_you_mean(parent, queues)
            yield (
                at,
                f"there is no queue '{parent}'{meant}",
                "write the name of another queue in this block, or remove the key",
            )
        elif circle := _circle(name, parents):
            yield at, f"the parents of this queue form a cycle: {circle}", "remove parent from one of them"
        elif parent in queues:
            yield from _within(name, queues[name], parent, queues[parent])


def _circle(name: str, parents: Mapping[str, str]) -> str:
    """The cycle of parents that contains a queue; empty if there is none."""
    try:
        tuple(TopologicalSorter({child: [parent] for child, parent in parents.items()}).static_order())
    except CycleError as fault:
        return " in ".join(fault.args[1]) if name in fault.args[1] else ""
    return ""


def _within(name: str, queue: Mapping[Any, Any], parent: str, above: Mapping[Any, Any]) -> Iterator[Fault]:
    """No queue may have more than its parent."""
    limits = above.get("capability")
    for resource, amount in _amounts(queue.get("capability")):
        limit = dict(_amounts(limits)).get(resource)
        if limit is not None and amount > limit and isinstance(limits, Mapping):
            got = f"this is more {resource} than its parent queue '{parent}' has"
            at: KeyPath = ("addons", "volcano", "queues", name, "capability", resource)
            yield at, got, f"write at most {limits[resource]}"


def _amounts(written: Any) -> Iterator[tuple[str, Quantity]]:
    for resource, amount in written.items() if isinstance(written, Mapping) else ():
        try:
            yield resource, Quantity.parse(amount)
        except ValueError:
            continue


def _kueue(queues: Queues, groups: Mapping[str, int] | None) -> Iterator[Fault]:
    """No queue is promised what another queue has."""
    written = {name: _number(queue.get("share"), 1, WHOLE) for name, queue in queues.items()}
    shares = {name: share for name, share in written.items() if share is not None}
    if sum(shares.values()) > WHOLE:
        listed = " and ".join(f"{share} ({name})" for name, share in shares.items())
        at: KeyPath = (*_QUEUES, list(shares)[-1], "share")
        yield at, f"the shares add up to more than {WHOLE}: {listed}", f"lower them to a sum of at most {WHOLE}"
    elif groups is not None:
        yield from _nodes(queues, shares, groups)


def _nodes(queues: Queues, shares: Mapping[str, int], groups: Mapping[str, int]) -> Iterator[Fault]:
    """The nodes of a queue must exist in the group, in addition to those that other queues have."""
    taken: dict[str, int] = {}
    for name, queue in queues.items():
        for group, number in _wanted(queue).items():
            at: KeyPath = (*_QUEUES, name, "nodes", group)
            if group not in groups:
                listed = f"{did_you_mean(group, groups)} (there are: {', '.join(groups)})"
                yield at, f"there is no group '{group}'{listed}", "write the name of a group of this cluster"
                continue
            shared = sum(share for other, share in shares.items() if group not in _wanted(queues[other]))
            left = groups[group] - taken.get(group, 0) - -(-groups[group] * shared // WHOLE)
            taken[group] = taken.get(group, 0) + number
            if number > left:
                others = ", some or all of them for other queues" if left < groups[group] else ""
                got = (
                    f"the queue needs {count_noun(number, 'node')} of group '{group}', which has at most "
                    f"{groups[group]}{others}"
                )
                yield at, got, f"write at most {max(0, left)}, or raise groups.{group}.nodes"


def _wanted(queue: Mapping[Any, Any]) -> dict[str, int]:
    """Group -> the number of its nodes, where the description sets a valid number."""
    nodes = queue.get("nodes")
    written = {
        group: _number(number, 0, MOST_NODES)
        for group, number in (nodes.items() if isinstance(nodes, Mapping) else ())
        if isinstance(group, str)
    }
    return {group: number for group, number in written.items() if number is not None}


def _number(value: Any, least: int, most: int) -> int | None:
    """A number that the model accepts; None for any other value."""
    taken = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    return value if taken else None


def _most_nodes(groups: Any) -> Mapping[str, int] | None:
    """Group -> its maximum number of nodes; None if a group is invalid, or if there are no groups."""
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
