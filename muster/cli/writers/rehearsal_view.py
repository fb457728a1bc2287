"""A rehearsal as data for the page and the text: zones, groups and nodes, pods that do not run, the verdict."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from muster.kubernetes_quantity import is_device
from muster.message_text import list_names
from muster.rehearsal.outcome import (
    Amount,
    NodeReport,
    NodeState,
    Outcome,
    PodReport,
    PodState,
    Unit,
    Verdict,
    Waiting,
    nodes_by_group,
)

MOST_CARDS = 24
"""Nodes of a group in a zone that are drawn as cards; more become tiles."""

MOST_CARDS_IN_ALL = 72
"""Cards on one page; groups that would go beyond become tiles."""


class Look(StrEnum):
    """The state of a node, as a tile shows it."""

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

    node: NodeReport
    look: Look
    devices: Mapping[str, Parts]
    """Resource -> parts, accelerators before EFA; resources that the node does not have are absent."""
    others: Mapping[str, Parts]
    """The measured resources (CPU, memory, huge pages) that are used, or that differ from the plan."""

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
    """Drawn node by node, as cards; else as tiles."""

    @property
    def looks(self) -> Mapping[Look, int]:
        """How many nodes look how; only what there is."""
        return count_looks(self.nodes)

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
    """Empty where it is unknown."""
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
    """The resources of a group in all zones."""

    name: str
    nodes: int
    resources: tuple[Total, ...]


def parts(amount: Amount, state: NodeState) -> Parts:
    """The parts of an amount: in use, free, not offered. A lost node offers nothing, whatever it reported last."""
    if state is NodeState.LOST:
        return Parts(missing=max(amount.planned, amount.offered, amount.used))
    used = min(amount.used, amount.offered)
    return Parts(
        used, amount.used - used, amount.offered - used, max(0, amount.planned - max(amount.offered, amount.used))
    )


def draw_node(node: NodeReport) -> NodeDrawn:
    """One node."""
    taken_apart = {resource: parts(node.amounts[resource], node.state) for resource in ordered(node.amounts)}
    devices = {resource: each for resource, each in taken_apart.items() if each.all and is_device(resource)}
    others = {
        resource: each for resource, each in taken_apart.items() if each.all > each.free and resource not in devices
    }
    look = _look(node, taken_apart.values(), devices.values())
    return NodeDrawn(node, look, devices, {} if look is Look.LOST else others)


def draw_zones(nodes: Iterable[NodeReport]) -> tuple[ZoneDrawn, ...]:
    """Every zone by name, nodes without a known zone last; groups and nodes in their order."""
    found: dict[str, dict[str, list[NodeDrawn]]] = {}
    for node in nodes:
        found.setdefault(node.zone, {}).setdefault(node.group, []).append(draw_node(node))
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


def count_looks(nodes: Iterable[NodeDrawn]) -> Mapping[Look, int]:
    """How many nodes look how; only what there is."""
    counted = Counter(node.look for node in nodes)
    return {look: counted[look] for look in Look if counted[look]}


def group_totals(nodes: Iterable[NodeReport]) -> tuple[GroupTotal, ...]:
    """The total of each group by resource, without resources that none of its nodes has."""
    return tuple(GroupTotal(members[0].group, len(members), _sums(members)) for members in nodes_by_group(nodes))


def ordered(resources: Iterable[str]) -> list[str]:
    """Resources in the order of the output: accelerators, EFA, then measured resources by name."""
    return sorted(resources, key=lambda name: (not is_device(name), name.endswith("/efa"), name))


def _sums(nodes: Sequence[NodeReport]) -> tuple[Total, ...]:
    made = []
    for resource in ordered({resource for node in nodes for resource in node.amounts}):
        having = [node for node in nodes if resource in node.amounts]
        together = sum((parts(node.amounts[resource], node.state) for node in having), Parts())
        if together.all:
            made.append(Total(resource, sum(node.amounts[resource].planned for node in having), together))
    return tuple(made)


def _look(node: NodeReport, everything: Iterable[Parts], devices: Iterable[Parts]) -> Look:
    if node.state is NodeState.LOST:
        return Look.LOST
    if any(each.missing or each.over for each in everything):
        return Look.SHORT
    if any(not each.free for each in devices):
        return Look.FULL
    return Look.PARTLY if node.pods or any(each.used for each in devices) else Look.FREE


@dataclass(frozen=True, slots=True)
class AlikePods:
    """Pods that do not run, for one and the same reason."""

    pods: tuple[str, ...]
    role: str
    """Empty where it is not a pod of the job as it was listed."""
    state: PodState
    asks: tuple[tuple[str, int], ...]
    reason: str
    """Empty where none is given."""
    cause: str
    """Its id; empty where none is given."""


def headline(outcome: Outcome) -> str:
    """The worst result in a sentence: ``nccl-tests starts on p5-odcr: 3 of 3 pods run``, or that it does not start, or
    that it does not recover from a drill."""
    ends = [f"{each.name} ({each.running_at_last} of {each.running_before} run)" for each in outcome.not_back]
    if outcome.verdict is Verdict.STARTS and ends:
        return f"{outcome.job} starts on {outcome.stack}, but does not recover from {list_names(ends)}"
    found = f"{outcome.job} {'starts' if outcome.verdict is Verdict.STARTS else 'does not start'} on {outcome.stack}"
    back = list_names([each.name for each in outcome.drills if each.comes_back])
    return f"{found}: {tally(outcome)}" + (f"; it recovers from {back}" if back else "")


def tally(outcome: Outcome) -> str:
    """How many pods do what the verdict is about: ``1 of 5 pods waits``; of a Slurm job, on how many nodes it runs."""
    if outcome.unit is Unit.NODE:
        return _nodes(outcome)
    total, states = len(outcome.pods), Counter(pod.state for pod in outcome.pods)
    if not total:
        return "it has no pods"
    waiting, unmade = states[PodState.WAITING], states[PodState.NOT_CREATED]
    pods = f"of {total} {'pod' if total == 1 else 'pods'}"
    if outcome.verdict is Verdict.STARTS or not waiting + unmade:
        text = f"{states[PodState.RUNNING]} {pods} {'runs' if states[PodState.RUNNING] == 1 else 'run'}"
        left = [f"{waiting} {'waits' if waiting == 1 else 'wait'}"] if waiting else []
    elif waiting:
        text, left = f"{waiting} {pods} {'waits' if waiting == 1 else 'wait'}", []
    else:
        return f"{unmade} {pods} {'is' if unmade == 1 else 'are'} not created"
    if unmade:
        left.append(f"{unmade} {'is' if unmade == 1 else 'are'} not created")
    return ", ".join((text, *left))


def _nodes(outcome: Outcome) -> str:
    """A Slurm job has all of its nodes or none."""
    number = len(outcome.pods)
    nodes = f"{number} node{'' if number == 1 else 's'}"
    if outcome.verdict is Verdict.STARTS:
        return f"it runs on {nodes}"
    return f"it waits for {nodes}" if any(pod.state is PodState.WAITING for pod in outcome.pods) else "Slurm refuses it"


def not_running(outcome: Outcome) -> tuple[AlikePods, ...]:
    """Every pod of the job that does not run, equal ones together, the largest group first."""
    waiting_by_pod: Mapping[str, Waiting] = {each.pod: each for each in outcome.waiting}
    listed = [pod for pod in outcome.pods if pod.state is not PodState.RUNNING]
    names = {pod.name for pod in outcome.pods}
    listed += [PodReport(each, "", PodState.WAITING, None, {}) for each in waiting_by_pod if each not in names]
    groups: dict[tuple[object, ...], list[PodReport]] = {}
    for pod in listed:
        groups.setdefault(
            (pod.role, pod.state, _asks(pod), waiting_by_pod.get(pod.name) and _why(waiting_by_pod[pod.name])), []
        ).append(pod)
    made = [_alike(pods, waiting_by_pod.get(pods[0].name)) for pods in groups.values()]
    return tuple(sorted(made, key=lambda each: -len(each.pods)))


def _why(waiting: Waiting) -> tuple[str, str]:
    return waiting.reason, waiting.cause.id


def _asks(pod: PodReport) -> tuple[tuple[str, int], ...]:
    return tuple((resource, pod.asks[resource]) for resource in ordered(pod.asks))


def _alike(pods: list[PodReport], waiting: Waiting | None) -> AlikePods:
    first = pods[0]
    reason, cause = _why(waiting) if waiting else ("", "")
    return AlikePods(tuple(pod.name for pod in pods), first.role, first.state, _asks(first), reason, cause)
