"""slurm.conf of a rehearsal: the blueprint's queues as its service writes them, on one machine."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from muster import backends
from muster.blueprint.cluster import SlurmBlueprint
from muster.hardware.tables import read_table
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import SimulatedPart


@dataclass(frozen=True, slots=True, kw_only=True)
class SlurmService:
    """What a rehearsal knows of a service that runs Slurm."""

    title: str
    """``ParallelCluster 3.16.1``."""
    slurm: str
    """The version of its Slurm: ``25.11``."""
    settings: tuple[tuple[str, str], ...]
    """What it writes to slurm.conf, beside nodes and partitions."""
    simulated: tuple[SimulatedPart, ...] = ()
    """What a rehearsal simulates of the service."""


@dataclass(frozen=True, slots=True)
class NodeLine:
    """Equal nodes of one group, with consecutive numbers in their names."""

    stem: str
    """``compute-gpu-st-workers``: what comes before the number."""
    group: str
    """The group's name."""
    static: bool
    """Whether they always run, or start when a job needs them."""
    number: int
    instance: str
    zone: str
    """Empty if several zones are possible."""
    cpus: int
    memory_mib: int
    """RealMemory: the memory that jobs may request."""
    gpus: int = 0
    """The GPUs as Slurm counts them. It never counts Neuron devices and EFA interfaces."""
    gpu_type: str = ""
    """``a100``; empty if Slurm's configuration does not set one."""
    features: tuple[str, ...] = ()
    """The features that ``--constraint`` can name."""
    weight: int | None = None
    """Slurm uses nodes with a lower weight first."""
    first: int = 1
    """The number of the first node."""

    @property
    def expression(self) -> str:
        """``compute-gpu-st-workers-[1-4]``."""
        return f"{self.stem}-[{self.first}-{self.first + self.number - 1}]"

    @property
    def names(self) -> tuple[str, ...]:
        """Every node's."""
        return tuple(f"{self.stem}-{each}" for each in range(self.first, self.first + self.number))

    @property
    def gres(self) -> str:
        """``gpu:a100:8``; empty if Slurm counts no devices."""
        return ":".join(filter(None, ("gpu", self.gpu_type, str(self.gpus)))) if self.gpus else ""


@dataclass(frozen=True, slots=True)
class Partition:
    """A queue, which Slurm calls a partition."""

    name: str
    lines: tuple[NodeLine, ...]
    exclusive: bool = False
    """Whether a job has exclusive use of its nodes."""


_HASTE = ("SchedulerParameters", "batch_sched_delay=0,sched_interval=1,bf_interval=1")
"""Shorter than Slurm's defaults, which collect jobs for 3 seconds and schedule them each minute."""

_HEAD = (
    ("AuthType", "auth/munge"),
    ("CredType", "cred/munge"),
    ("ResumeProgram", "/bin/true"),
    ("SuspendProgram", "/bin/true"),
    ("ResumeTimeout", "1800"),
    ("SuspendTimeout", "120"),
)
_OURS = (
    # Without plugins for nodes: none of them runs.
    ("ProctrackType", "proctrack/linuxproc"),
    ("TaskPlugin", "task/none"),
    ("JobAcctGatherType", "jobacct_gather/none"),
    # No mail, even if a script requests it.
    ("MailProg", "/bin/true"),
    ("MessageTimeout", "20"),
    _HASTE,
    ("SlurmctldDebug", "verbose"),
)

_NEVER = 10**8
"""Seconds. A service sets -1 for never, with which Slurm 22.05 would not even power nodes up."""

REHEARSED = {
    row["setting"].lower(): row["setting"] for row in read_table("rehearsed_settings.csv", "muster.rehearsal.slurm")
}
"""The settings of a description that a rehearsal has: those that decide which jobs start (slurm.conf(5) of 25.11). None
of them names a program, a file, a library or an address. In lower case -> as Slurm writes it."""

_WORD = re.compile(r"[A-Za-z0-9_.,:;=*/%@+()|&\[\]-]+")
"""A value that ends neither its line nor its place in the line: Slurm reads ``A=1 B=2`` as two settings."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """The content of the cluster's slurm.conf."""

    cluster: str
    service: SlurmService
    partitions: tuple[Partition, ...]
    """The first is the default partition."""
    memory_counts: bool = False
    """Whether Slurm allocates memory like CPUs, or only checks it."""
    idle_minutes: int = 10
    """Minutes after which a node without a job stops; -1 for never."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """The description's own settings of slurm.conf. A rehearsal has some of them."""

    @property
    def lines(self) -> tuple[NodeLine, ...]:
        """The nodes of all queues. A node can be in several."""
        return tuple(dict.fromkeys(line for each in self.partitions for line in each.lines))

    def __post_init__(self) -> None:
        words = (word for line in self.lines for word in (line.stem, *line.features))
        for each in (self.cluster, *(queue.name for queue in self.partitions), *words):
            if not _WORD.fullmatch(each):
                raise RehearsalError(f"'{each}' is not one word, which slurm.conf requires; choose another name")

    def rehearsed(self) -> Mapping[str, str]:
        """The settings that a rehearsal has."""
        return {
            REHEARSED[name.lower()]: value
            for name, value in self.settings.items()
            if name.lower() in REHEARSED and _WORD.fullmatch(value)
        }

    def not_rehearsed(self) -> tuple[str, ...]:
        """The names of the other settings."""
        there = {name.lower() for name in self.rehearsed()}
        return tuple(name for name in self.settings if name.lower() not in there)

    def slurm_conf(self, machine: Iterable[str]) -> str:
        """The file, with the lines of the machine that slurmctld runs on."""
        head = (f"{name}={value}" for name, value in (*_HEAD, *self.service.settings, *_OURS))
        return "\n".join((f"ClusterName={self.cluster}", *machine, *head, *self._queues(), *self._own(), ""))

    def _queues(self) -> Iterator[str]:
        yield f"SuspendTime={self.idle_minutes * 60 if self.idle_minutes >= 0 else _NEVER}"
        yield f"SelectTypeParameters={'CR_CPU_Memory' if self.memory_counts else 'CR_CPU'}"
        written: set[NodeLine] = set()
        for number, queue in enumerate(self.partitions):
            yield from (_node(line) for line in queue.lines if line not in written)
            written |= {*queue.lines}
            yield f"NodeSet={queue.name}_nodes Nodes={','.join(line.expression for line in queue.lines)}"
            default = " Default=YES" if number == 0 else ""
            alone = " OverSubscribe=EXCLUSIVE" if queue.exclusive else ""
            named = f"PartitionName={queue.name} Nodes={queue.name}_nodes MaxTime=INFINITE State=UP"
            yield f"{named}{default}{alone}"
        if always := [line.expression for line in self.lines if line.static]:
            yield f"SuspendExcNodes={','.join(always)}"

    def _own(self) -> Iterator[str]:
        for name, value in self.rehearsed().items():
            yield f"{name}={value},{_HASTE[1]}" if name == _HASTE[0] else f"{name}={value}"


def _node(line: NodeLine) -> str:
    """The service's line for nodes."""
    parts = [f"NodeName={line.expression}", f"CPUs={line.cpus} RealMemory={line.memory_mib} State=CLOUD"]
    if line.features:
        parts.append(f"Feature={','.join(line.features)}")
    if line.weight is not None:
        parts.append(f"Weight={line.weight}")
    if line.gres:
        parts.append(f"Gres={line.gres}")
    return " ".join(parts)


def planned_configuration(blueprint: SlurmBlueprint) -> Configuration:
    """The configuration that a cluster's service would write for Slurm."""
    planned = backends.of(blueprint).simulated_nodes
    assert planned is not None, "every backend has nodes in a rehearsal"
    configuration: Configuration = planned.load()(blueprint)
    return configuration
