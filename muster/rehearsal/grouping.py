"""What reports tell together: pods that wait for one cause, nodes that are alike."""

from collections.abc import Iterable

from muster.rehearsal.outcome import NodeSeen, Waiting


def by_cause(waiting: Iterable[Waiting]) -> tuple[tuple[Waiting, ...], ...]:
    """Pods with the same cause together, in the order the causes first appear."""
    found: dict[tuple[str, str, str], list[Waiting]] = {}
    for each in waiting:
        found.setdefault((each.cause.id, each.cause.said, each.cause.remedy), []).append(each)
    return tuple(tuple(each) for each in found.values())


def alike(nodes: Iterable[NodeSeen]) -> tuple[tuple[NodeSeen, ...], ...]:
    """Nodes of one group together, in the order the groups first appear."""
    found: dict[str, list[NodeSeen]] = {}
    for each in nodes:
        found.setdefault(each.group, []).append(each)
    return tuple(tuple(each) for each in found.values())
