"""The result of a rehearsal, as plain data for the report writers, and its grouping by cause and node group."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol


class Verdict(StrEnum):
    """Whether the job starts."""

    STARTS = "starts"
    DOES_NOT_START = "does-not-start"


class PodState(StrEnum):
    """The state of a pod of the job."""

    RUNNING = "running"
    WAITING = "waiting"
    NOT_CREATED = "not-created"
    """Its controller creates it only later, or cannot."""


class Unit(StrEnum):
    """What a job runs in: what `Outcome.pods` lists."""

    POD = "pod"
    NODE = "node"
    """For a Slurm job: its share of each node that it has."""


class Tone(StrEnum):
    """Whether a moment is a neutral step, good or bad."""

    STEP = "step"
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Amount:
    """One resource of one node. Milli-CPUs, bytes, or devices."""

    planned: int
    """What the node offers once everything works."""
    offered: int
    """What the node offers now: less if a plugin does not run there, or if devices are broken."""
    used: int


@dataclass(frozen=True, slots=True)
class NodeReport:
    """One node at the end."""

    name: str
    group: str
    instance: str
    zone: str
    """Empty if it is unknown."""
    amounts: Mapping[str, Amount]
    """By resource: ``nvidia.com/gpu``, ``vpc.amazonaws.com/efa``, ``hugepages-2Mi``, ``cpu``, ``memory``, ..."""
    pods: tuple[str, ...] = ()
    """The job's pods that run there."""
    ultraserver: str = ""
    """The label of its UltraServer; empty if it is in none, or if nothing labels it."""


@dataclass(frozen=True, slots=True)
class PodReport:
    """One pod of the job at the end."""

    name: str
    role: str
    """``worker``, ``launcher``, as the job's kind calls it."""
    state: PodState
    node: str | None


def pods_not_created(job: str, role: str, number: int) -> Iterator[PodReport]:
    """The pods of a role that no controller has created. They have no names yet."""
    for each in range(number):
        yield PodReport(f"{job} ({role} {each + 1})", role, PodState.NOT_CREATED, None)


@dataclass(frozen=True, slots=True)
class Sum:
    """The amounts of one resource that a waiting pod is short of, over the nodes that it could otherwise use."""

    resource: str
    asked: int
    """By one pod."""
    nodes: int
    """How many nodes are counted."""
    most_on_a_node: int
    """What the largest of them offers."""
    offered: int
    """What they offer together."""
    in_use: int
    """How much of that is in use."""
    most_free: int
    """The largest free amount on one node."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why pods wait, as text for people, and the remedy."""

    id: str
    """``plugin-not-on-node``: fixed, for programs."""
    said: str
    remedy: str
    where: str = ""
    """The dotted path in the stack file that the remedy is about (``groups.workers.nodes``); empty if there is none."""
    sums: tuple[Sum, ...] = ()


SCHEDULER = "the scheduler"

REQUEST_CAUSES = frozenset({"more-than-a-node-has"})
"""The causes whose remedy is another request in the job."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A pod that does not run."""

    pod: str
    reason: str
    """The message of the scheduler, or of the program that refused the pod; empty if there is none."""
    cause: Cause
    speaker: str = SCHEDULER
    """Who wrote the message: ``the scheduler``, ``the API server``, ``sbatch``."""


@dataclass(frozen=True, slots=True)
class SimulatedPart:
    """Something that was simulated, not run."""

    name: str
    """``nvidia-device-plugin``, ``MPI operator``."""
    simulated_by: str
    """``a DaemonSet with the placement of Muster's values``."""
    why: str

    def __str__(self) -> str:
        return f"{self.name}: {self.simulated_by} ({self.why})"


@dataclass(frozen=True, slots=True)
class Moment:
    """One event of the timeline."""

    seconds: float
    """Since the job was submitted."""
    said: str
    tone: Tone = Tone.STEP


@dataclass(frozen=True, slots=True)
class Drill:
    """The effect of a loss on the running job."""

    name: str
    """``lose-nodes 1``."""
    moments: tuple[Moment, ...]
    running_before: int
    running_after: int
    """While the loss lasts."""
    running_at_last: int
    """After the replacement of what was lost, if anything replaces it."""
    said: str
    """The result for the job, in a sentence."""
    waiting: tuple[Waiting, ...] = ()
    """While the loss lasts."""
    simulated_parts: tuple[SimulatedPart, ...] = ()
    """What was simulated, besides the loss itself."""
    assumes: str = ""
    """The condition for the replacement, as a clause; empty if nothing is assumed."""
    lost: tuple[str, ...] = ()
    """The nodes that were lost."""

    @property
    def comes_back(self) -> bool:
        """Whether at least the same number of pods runs at the end as before."""
        return self.running_at_last >= self.running_before


@dataclass(frozen=True, slots=True)
class Program:
    """One binary that ran."""

    name: str
    version: str
    source: str
    """``downloaded``, ``built``, ``KUBEBUILDER_ASSETS`` or ``PATH``."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One rehearsal."""

    stack: str
    job: str
    kind: str
    """``MPIJob``."""
    kubernetes: str
    """The version of the control plane: ``1.35``; empty for Slurm."""
    programs: tuple[Program, ...]
    verdict: Verdict
    nodes: tuple[NodeReport, ...]
    """Before any drill."""
    pods: tuple[PodReport, ...]
    """Before any drill."""
    waiting: tuple[Waiting, ...]
    simulated_parts: tuple[SimulatedPart, ...]
    moments: tuple[Moment, ...]
    notes: tuple[str, ...] = ()
    """Notes for the reader: an add-on that the description does not have, a chart of another version."""
    if_exist: tuple[str, ...] = ()
    """What the job needs, but neither its file nor the description has: ``Secret hf-token``. The verdict assumes that
    the cluster has it."""
    drills: tuple[Drill, ...] = ()
    seconds: float = 0.0
    """How long it took."""
    peak_memory_mib: int = 0
    """The sum of the components' peak memory; 0 if the system does not report it (macOS)."""
    slurm: str = ""
    """The version of Slurm: ``22.05.8``; empty for Kubernetes."""
    unit: Unit = Unit.POD
    requests_at: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Role and resource -> the place of the request in the user's file: ``job.yaml:9:13``."""

    @property
    def scheduler(self) -> str:
        """The scheduler that ran: ``Kubernetes 1.35``, ``Slurm 22.05.8``."""
        return f"Slurm {self.slurm}" if self.slurm else f"Kubernetes {self.kubernetes}"

    def request_at(self, seen: "GroupedCause") -> str:
        """The place in the user's file of the request that a cause is about; empty if the request is not the cause, or
        the place is unknown."""
        if seen.cause.id not in REQUEST_CAUSES or not seen.cause.sums:
            return ""
        role = next((pod.role for pod in self.pods if pod.name in seen.pods), "")
        return self.requests_at.get((role, seen.cause.sums[0].resource), "")

    @property
    def not_back(self) -> tuple[Drill, ...]:
        """The drills after which fewer pods run than before."""
        return tuple(drill for drill in self.drills if not drill.comes_back)

    @property
    def is_good(self) -> bool:
        """Whether the job starts, and recovers after every drill."""
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
    """A cause, with every pod that waits because of it."""

    cause: Cause
    pods: tuple[str, ...]
    reason: str
    """The most frequent message."""
    speaker: str
    """Who wrote it."""


def group_causes(waiting: Iterable[Waiting]) -> tuple[GroupedCause, ...]:
    """Each cause once, those with the most pods first."""
    grouped: dict[Cause, list[Waiting]] = {}
    for each in waiting:
        grouped.setdefault(each.cause, []).append(each)
    seen = []
    for cause, alike in grouped.items():
        ((reason, speaker), _), *_ = Counter((each.reason, each.speaker) for each in alike).most_common(1)
        seen.append(GroupedCause(cause, tuple(each.pod for each in alike), reason, speaker))
    return tuple(sorted(seen, key=lambda each: -len(each.pods)))


def group_names(groups: Iterable[str]) -> str:
    """``'workers' and 'others'``."""
    return " and ".join(repr(each) for each in groups)


def count_by_group(nodes: Sequence[GroupMember]) -> str:
    """``4 nodes of 'workers'``."""
    number = f"{len(nodes)} node{'' if len(nodes) == 1 else 's'}"
    return f"{number} of {group_names(dict.fromkeys(node.group for node in nodes))}"
