"""What a rehearsal found, as plain data for the report writers, and its grouping by cause and node group."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class Verdict(StrEnum):
    """What becomes of the job."""

    STARTS = "starts"
    DOES_NOT_START = "does-not-start"


class PodState(StrEnum):
    """Where a pod of the job is."""

    RUNNING = "running"
    WAITING = "waiting"
    NOT_CREATED = "not-created"
    """Its controller makes it only later, or cannot."""


class NodeState(StrEnum):
    """Where a node is."""

    READY = "ready"
    LOST = "lost"


class Unit(StrEnum):
    """What a job runs in: what `Outcome.pods` lists."""

    POD = "pod"
    NODE = "node"
    """Of a Slurm job: its share of each node that it has."""


class Tone(StrEnum):
    """How a moment reads."""

    STEP = "step"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Amount:
    """One resource of one node. Milli-CPUs, bytes, or devices."""

    planned: int
    """What it offers once everything works."""
    offered: int
    """What it offers now: less where a plugin does not run there, or devices are broken."""
    used: int


@dataclass(frozen=True, slots=True)
class NodeReport:
    """One node at the end."""

    name: str
    group: str
    instance: str
    zone: str
    """Empty where nobody said."""
    state: NodeState
    amounts: Mapping[str, Amount]
    """By resource: ``nvidia.com/gpu``, ``vpc.amazonaws.com/efa``, ``hugepages-2Mi``, ``cpu``, ``memory``, ..."""
    pods: tuple[str, ...] = ()
    """The job's pods that run there."""


@dataclass(frozen=True, slots=True)
class PodReport:
    """One pod of the job at the end."""

    name: str
    role: str
    """``worker``, ``launcher``, as the job's kind calls it."""
    state: PodState
    node: str | None
    asks: Mapping[str, int]
    """By resource, in the units of `Amount`."""


@dataclass(frozen=True, slots=True)
class Sum:
    """The arithmetic of one resource that a waiting pod is short of, over the nodes it could go to otherwise."""

    resource: str
    asked: int
    """By one pod."""
    nodes: int
    """How many nodes are counted."""
    most_on_a_node: int
    """What the best of them offers."""
    offered: int
    """What they offer together."""
    in_use: int
    """What of that is taken."""
    most_free: int
    """What is free on the node with the most."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why pods wait, in words for people, and what to do."""

    id: str
    """``plugin-not-on-node``: fixed, for programs."""
    said: str
    remedy: str
    where: str = ""
    """The dotted path in the stack file that the remedy is about (``groups.workers.nodes``); empty where it is none."""
    sums: tuple[Sum, ...] = ()


@dataclass(frozen=True, slots=True)
class Waiting:
    """A pod that does not run."""

    pod: str
    reason: str
    """The message of the scheduler, or of what refused the pod."""
    cause: Cause


@dataclass(frozen=True, slots=True)
class StandIn:
    """Something that was simulated, not run."""

    name: str
    """``nvidia-device-plugin``, ``MPI operator``."""
    played_by: str
    """``a DaemonSet with the placement our values give``."""
    why: str


@dataclass(frozen=True, slots=True)
class Moment:
    """One thing that happened."""

    seconds: float
    """Since the job was sent."""
    said: str
    tone: Tone = Tone.STEP


@dataclass(frozen=True, slots=True)
class Drill:
    """What a loss did to the running job."""

    name: str
    """``lose-nodes 1``, ``lose-zone us-west-2a``, ``degrade vpc.amazonaws.com/efa=1``."""
    moments: tuple[Moment, ...]
    running_before: int
    running_after: int
    """While the loss lasts."""
    running_at_last: int
    """Once what was lost has been replaced, where something replaces it."""
    said: str
    """What it means for the job, in a sentence."""
    waiting: tuple[Waiting, ...] = ()
    """While the loss lasts."""
    stand_ins: tuple[StandIn, ...] = ()
    """What was simulated, beside the loss itself."""
    assumes: str = ""
    """What has to be true for the replacement to come, as a clause; empty where nothing is assumed."""

    @property
    def comes_back(self) -> bool:
        """Whether as many pods run at last as before."""
        return self.running_at_last >= self.running_before


@dataclass(frozen=True, slots=True)
class Program:
    """One binary that ran."""

    name: str
    version: str
    source: str
    """``built``, ``PATH``, ``KUBEBUILDER_ASSETS``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One rehearsal."""

    stack: str
    job: str
    kind: str
    """``MPIJob``."""
    kubernetes: str
    """The version it ran as: ``1.35``; empty where it was Slurm."""
    programs: tuple[Program, ...]
    verdict: Verdict
    nodes: tuple[NodeReport, ...]
    """Before any drill."""
    pods: tuple[PodReport, ...]
    """Before any drill."""
    waiting: tuple[Waiting, ...]
    stand_ins: tuple[StandIn, ...]
    moments: tuple[Moment, ...]
    notes: tuple[str, ...] = ()
    """Notes for the reader: an add-on that the description does not name, a chart of another version."""
    drills: tuple[Drill, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    """Step -> how long it took; ``total``."""
    peak_memory_mib: int = 0
    """The sum of the components' peak memory; 0 where the system does not report it (macOS)."""
    slurm: str = ""
    """The version it ran on: ``22.05.8``; empty where it was Kubernetes."""
    unit: Unit = Unit.POD

    @property
    def scheduler(self) -> str:
        """The scheduler that ran: ``Kubernetes 1.35``, ``Slurm 22.05.8``."""
        return f"Slurm {self.slurm}" if self.slurm else f"Kubernetes {self.kubernetes}"

    @property
    def not_back(self) -> tuple[Drill, ...]:
        """The drills after which fewer pods run than before."""
        return tuple(drill for drill in self.drills if not drill.comes_back)

    @property
    def is_good(self) -> bool:
        """Whether the job starts, and comes back after every drill."""
        return self.verdict is Verdict.STARTS and not self.not_back

    @property
    def running(self) -> int:
        """How many of the job's pods run."""
        return sum(pod.state is PodState.RUNNING for pod in self.pods)

    @property
    def not_running(self) -> int:
        """The number of pods that do not run, including those that were not created."""
        return len(self.pods) - self.running


class GroupMember(Protocol):
    """A node."""

    @property
    def group(self) -> str:
        """Its group's name."""


@dataclass(frozen=True, slots=True)
class GroupedCause:
    """A cause, with every pod that waits for it."""

    cause: Cause
    pods: tuple[str, ...]
    reasons: tuple[tuple[str, int], ...]
    """The scheduler's messages, each with the number of its pods; the most frequent first."""


def group_causes(waiting: Iterable[Waiting]) -> tuple[GroupedCause, ...]:
    """Each cause once, those with the most pods first."""
    pods: dict[Cause, list[str]] = {}
    reasons: dict[Cause, Counter[str]] = {}
    for each in waiting:
        pods.setdefault(each.cause, []).append(each.pod)
        reasons.setdefault(each.cause, Counter())[each.reason] += 1
    seen = (GroupedCause(cause, tuple(names), tuple(reasons[cause].most_common())) for cause, names in pods.items())
    return tuple(sorted(seen, key=lambda each: -len(each.pods)))


def nodes_by_group(nodes: Iterable[NodeReport]) -> tuple[tuple[NodeReport, ...], ...]:
    """Nodes of one group together, in the order the groups first appear."""
    found: dict[str, list[NodeReport]] = {}
    for each in nodes:
        found.setdefault(each.group, []).append(each)
    return tuple(tuple(each) for each in found.values())


def group_names(groups: Iterable[str]) -> str:
    """``'workers' and 'others'``."""
    return " and ".join(repr(each) for each in groups)


def count_by_group(nodes: Sequence[GroupMember]) -> str:
    """``4 nodes of 'workers'``."""
    number = f"{len(nodes)} node{'' if len(nodes) == 1 else 's'}"
    return f"{number} of {group_names(dict.fromkeys(node.group for node in nodes))}"
