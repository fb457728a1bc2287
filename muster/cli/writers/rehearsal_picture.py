"""The picture of a rehearsal's cluster as data: zones, in them groups, in them nodes, and what of each is free."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from muster.fleet.amounts import is_device
from muster.rehearsal.grouping import by_group
from muster.rehearsal.outcome import Amount, NodeSeen, NodeState

MOST_CARDS = 24
"""Nodes of a group in a zone that are drawn each on a card of its own; more become tiles."""

MOST_CARDS_IN_ALL = 72
"""Cards on one page; groups that would go beyond become tiles."""


class Look(StrEnum):
    """What one sees of a node at a glance."""

    FULL = "full"
    """Of one of its devices, none is left."""
    PARTLY = "partly used"
    FREE = "free"
    """No pod of the job runs there, and no device is in use."""
    SHORT = "offering less"
    """Than planned: a plugin does not run there, or devices are broken."""
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Parts:
    """An amount, taken apart into what does not overlap."""

    used: int = 0
    over: int = 0
    """In use though no longer offered: a device that broke under a pod which runs on."""
    free: int = 0
    missing: int = 0
    """Planned, but neither offered nor in use."""

    @property
    def all(self) -> int:
        """Everything together."""
        return self.offered + self.over + self.missing

    @property
    def offered(self) -> int:
        """What a node that is there offers."""
        return self.used + self.free

    @property
    def in_use(self) -> int:
        """What pods have, offered or no longer."""
        return self.used + self.over

    def __add__(self, other: "Parts") -> "Parts":
        return Parts(
            self.used + other.used, self.over + other.over, self.free + other.free, self.missing + other.missing
        )


@dataclass(frozen=True, slots=True)
class NodeDrawn:
    """One node."""

    node: NodeSeen
    look: Look
    devices: Mapping[str, Parts]
    """By resource; accelerators before EFA, what it has none of left out."""
    others: Mapping[str, Parts]
    """CPU, memory, huge pages: what is measured, not counted; only what is used or amiss."""

    @property
    def quarters(self) -> int:
        """How many quarters are in use of the device it is fullest of: 1, 2 or 3, for a node that is partly used."""
        shares = [4 * each.in_use // each.all for each in self.devices.values()]
        return min(3, max(1, *shares, 1))


@dataclass(frozen=True, slots=True)
class GroupDrawn:
    """The nodes of a group in one zone."""

    name: str
    instances: tuple[str, ...]
    nodes: tuple[NodeDrawn, ...]
    cards: bool
    """Drawn node by node, each on its own card; else as tiles."""

    @property
    def looks(self) -> Mapping[Look, int]:
        """How many nodes look how; only what there is."""
        return looks(self.nodes)

    @property
    def exceptional(self) -> tuple[NodeDrawn, ...]:
        """The nodes that do not look like most of them, the worst first."""
        most = max(self.looks.items(), key=lambda each: each[1])[0]
        worst = (Look.LOST, Look.SHORT, Look.PARTLY, Look.FREE, Look.FULL)
        odd = [node for node in self.nodes if node.look is not most or most in {Look.LOST, Look.SHORT}]
        return tuple(sorted(odd, key=lambda each: worst.index(each.look)))


@dataclass(frozen=True, slots=True)
class ZoneDrawn:
    """One zone."""

    name: str
    """Empty where nobody said."""
    groups: tuple[GroupDrawn, ...]

    @property
    def nodes(self) -> int:
        """How many there are."""
        return sum(len(group.nodes) for group in self.groups)


@dataclass(frozen=True, slots=True)
class Total:
    """One resource of all nodes of a group."""

    resource: str
    planned: int
    parts: Parts


@dataclass(frozen=True, slots=True)
class GroupTotal:
    """What a group has, in all zones."""

    name: str
    nodes: int
    resources: tuple[Total, ...]


def parts(amount: Amount, state: NodeState) -> Parts:
    """What of an amount is in use, free, and not offered. Of a lost node nothing is offered, whatever it last said."""
    if state is NodeState.LOST:
        return Parts(missing=max(amount.planned, amount.offered, amount.used))
    used = min(amount.used, amount.offered)
    return Parts(
        used, amount.used - used, amount.offered - used, max(0, amount.planned - max(amount.offered, amount.used))
    )


def drawn(node: NodeSeen) -> NodeDrawn:
    """One node."""
    taken_apart = {resource: parts(node.amounts[resource], node.state) for resource in ordered(node.amounts)}
    devices = {resource: each for resource, each in taken_apart.items() if each.all and is_device(resource)}
    others = {
        resource: each for resource, each in taken_apart.items() if each.all > each.free and resource not in devices
    }
    look = _look(node, taken_apart.values(), devices.values())
    return NodeDrawn(node, look, devices, {} if look is Look.LOST else others)


def zones(nodes: Iterable[NodeSeen]) -> tuple[ZoneDrawn, ...]:
    """Every zone by name, those of nodes whose zone nobody said at the end; groups and nodes as they come."""
    found: dict[str, dict[str, list[NodeDrawn]]] = {}
    for node in nodes:
        found.setdefault(node.zone, {}).setdefault(node.group, []).append(drawn(node))
    cards_left, made = MOST_CARDS_IN_ALL, []
    for zone in sorted(found, key=lambda name: (not name, name)):
        groups = []
        for name, members in found[zone].items():
            cards = len(members) <= min(MOST_CARDS, cards_left)
            cards_left -= len(members) if cards else 0
            instances = tuple(dict.fromkeys(each.node.instance for each in members))
            groups.append(GroupDrawn(name, instances, tuple(members), cards))
        made.append(ZoneDrawn(zone, tuple(groups)))
    return tuple(made)


def looks(nodes: Iterable[NodeDrawn]) -> Mapping[Look, int]:
    """How many nodes look how; only what there is."""
    counted = Counter(node.look for node in nodes)
    return {look: counted[look] for look in Look if counted[look]}


def totals(nodes: Iterable[NodeSeen]) -> tuple[GroupTotal, ...]:
    """What each group has in all, by resource; what none of its nodes has is left out."""
    return tuple(GroupTotal(members[0].group, len(members), _sums(members)) for members in by_group(nodes))


def ordered(resources: Iterable[str]) -> list[str]:
    """Resources as people look for them: accelerators, EFA, then what is measured, by name."""
    return sorted(resources, key=lambda name: (not is_device(name), name.endswith("/efa"), name))


def _sums(nodes: Sequence[NodeSeen]) -> tuple[Total, ...]:
    made = []
    for resource in ordered({resource for node in nodes for resource in node.amounts}):
        having = [node for node in nodes if resource in node.amounts]
        together = sum((parts(node.amounts[resource], node.state) for node in having), Parts())
        if together.all:
            made.append(Total(resource, sum(node.amounts[resource].planned for node in having), together))
    return tuple(made)


def _look(node: NodeSeen, everything: Iterable[Parts], devices: Iterable[Parts]) -> Look:
    if node.state is NodeState.LOST:
        return Look.LOST
    if any(each.missing or each.over for each in everything):
        return Look.SHORT
    if any(not each.free for each in devices):
        return Look.FULL
    return Look.PARTLY if node.pods or any(each.used for each in devices) else Look.FREE
