"""What reports tell together: pods that wait for one cause, nodes of one group."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from muster.rehearsal.outcome import Cause, NodeSeen, Waiting


class OfGroup(Protocol):
    """A node."""

    @property
    def group(self) -> str:
        """Its group's name."""


@dataclass(frozen=True, slots=True)
class CauseSeen:
    """A cause, with every pod that waits for it."""

    cause: Cause
    pods: tuple[str, ...]
    reasons: tuple[tuple[str, int], ...]
    """The scheduler's own words, and how many pods it said them of; the commonest first."""


def causes(waiting: Iterable[Waiting]) -> tuple[CauseSeen, ...]:
    """Each cause once, those with the most pods first."""
    pods: dict[Cause, list[str]] = {}
    reasons: dict[Cause, Counter[str]] = {}
    for each in waiting:
        pods.setdefault(each.cause, []).append(each.pod)
        reasons.setdefault(each.cause, Counter())[each.reason] += 1
    seen = (CauseSeen(cause, tuple(names), tuple(reasons[cause].most_common())) for cause, names in pods.items())
    return tuple(sorted(seen, key=lambda each: -len(each.pods)))


def by_group(nodes: Iterable[NodeSeen]) -> tuple[tuple[NodeSeen, ...], ...]:
    """Nodes of one group together, in the order the groups first appear."""
    found: dict[str, list[NodeSeen]] = {}
    for each in nodes:
        found.setdefault(each.group, []).append(each)
    return tuple(tuple(each) for each in found.values())


def names(groups: Iterable[str]) -> str:
    """``'workers' and 'others'``."""
    return " and ".join(repr(each) for each in groups)


def these(nodes: Sequence[OfGroup]) -> str:
    """``4 nodes of 'workers'``."""
    number = f"{len(nodes)} node{'' if len(nodes) == 1 else 's'}"
    return f"{number} of {names(dict.fromkeys(node.group for node in nodes))}"
