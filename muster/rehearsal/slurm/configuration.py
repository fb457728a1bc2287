"""slurm.conf and gres.conf of a rehearsal: the blueprint's queues as ParallelCluster writes them, on one machine."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from muster.blueprint.slurm import DerivedQueue, SlurmBlueprint, SlurmGroup


@dataclass(frozen=True, slots=True)
class Gpus:
    """The GPUs of a node as Slurm counts them."""

    type: str
    """``a100``: EC2's name of it, in lower case."""
    number: int


@dataclass(frozen=True, slots=True)
class NodeLine:
    """The static or the dynamic nodes of one compute resource."""

    queue: str
    group: str
    """The compute resource's name, which is the group's."""
    static: bool
    """Whether they always run (``st``), or start when a job needs them (``dy``)."""
    number: int
    instance: str
    zone: str
    """Empty if several zones are possible."""
    cpus: int
    memory_mib: int
    """RealMemory: the memory that jobs may request."""
    gpus: Gpus | None = None
    efa: bool = False

    @property
    def stem(self) -> str:
        """``compute-gpu-st-workers``: what comes before the number."""
        return f"{self.queue}-{'st' if self.static else 'dy'}-{self.group}"

    @property
    def expression(self) -> str:
        """``compute-gpu-st-workers-[1-4]``."""
        return f"{self.stem}-[1-{self.number}]"

    @property
    def names(self) -> tuple[str, ...]:
        """Every node's."""
        return tuple(f"{self.stem}-{each}" for each in range(1, self.number + 1))

    @property
    def features(self) -> tuple[str, ...]:
        """The features that ``--constraint`` can name."""
        more = (*(("efa",) if self.efa else ()), *(("gpu",) if self.gpus else ()))
        return ("static" if self.static else "dynamic", self.instance, self.group, *more)

    @property
    def gres(self) -> str:
        """``gpu:a100:8``; empty if Slurm counts no devices. It never counts Neuron devices and EFA interfaces."""
        return f"gpu:{self.gpus.type}:{self.gpus.number}" if self.gpus else ""


@dataclass(frozen=True, slots=True)
class Partition:
    """A queue, which Slurm calls a partition."""

    name: str
    lines: tuple[NodeLine, ...]
    exclusive: bool = False
    """Whether a job has exclusive use of its nodes."""

    @property
    def nodes(self) -> int:
        """The maximum number of its nodes."""
        return sum(line.number for line in self.lines)


STATIC_WEIGHT, DYNAMIC_WEIGHT = 1, 1000
"""ParallelCluster's weights (StaticNodePriority, DynamicNodePriority): Slurm uses running nodes first."""

_THEIRS = (
    ("SlurmctldParameters", "idle_on_node_suspend,power_save_min_interval=0,node_reg_mem_percent=75"),
    ("TreeWidth", "65533"),
    ("PrivateData", "cloud"),
    ("ResumeRate", "0"),
    ("SuspendRate", "0"),
    ("EnforcePartLimits", "ALL"),
    ("SchedulerType", "sched/backfill"),
    ("ReturnToService", "1"),
    ("MpiDefault", "none"),
    ("GresTypes", "gpu"),
    ("SelectType", "select/cons_tres"),
    ("MinJobAge", "300"),
    ("KillWait", "30"),
    ("InactiveLimit", "0"),
    ("BatchStartTimeout", "180"),
)
"""As on a head node, but for `power_save_min_interval` (30 seconds there): nodes are requested at once."""

_HASTE = ("SchedulerParameters", "batch_sched_delay=0,sched_interval=1,bf_interval=1")
"""Shorter than Slurm's defaults, which collect jobs for 3 seconds and schedule them each minute."""

_OURS = (
    # The planned nodes are far larger than the machine that simulates them.
    ("SlurmdParameters", "config_overrides"),
    # No cgroups: they need root and support of the kernel, and a body that only waits needs no limits.
    ("ProctrackType", "proctrack/linuxproc"),
    ("TaskPlugin", "task/none"),
    ("JobAcctGatherType", "jobacct_gather/none"),
    # Each slurmd has its own slurm.conf, for its own paths.
    ("DebugFlags", "NO_CONF_HASH"),
    # No mail, even if a script requests it.
    ("MailProg", "/bin/true"),
    ("MessageTimeout", "20"),
    _HASTE,
    ("SlurmctldDebug", "verbose"),
    ("SlurmdDebug", "info"),
)

_NEVER = 10**8
"""Seconds. ParallelCluster sets -1, with which Slurm 22.05 would not even power nodes up."""

KEPT = frozenset(
    name.lower()
    for name in (
        *(name for name, _ in _OURS if name != _HASTE[0]),
        *("ClusterName", "SlurmctldHost", "SlurmUser", "SlurmdUser", "SlurmctldPort", "SlurmdPort"),
        *("AuthType", "AuthInfo", "CredType", "StateSaveLocation", "SlurmdSpoolDir", "SlurmctldPidFile"),
        *("SlurmdPidFile", "SlurmctldLogFile", "SlurmdLogFile", "CommunicationParameters"),
        *("ResumeProgram", "SuspendProgram", "ResumeFailProgram", "ResumeTimeout", "SuspendTimeout"),
        *("Prolog", "Epilog", "PrologSlurmctld", "EpilogSlurmctld", "TaskProlog", "TaskEpilog", "HealthCheckProgram"),
        *("JobSubmitPlugins", "CliFilterPlugins", "PlugStackConfig", "RebootProgram", "UnkillableStepProgram"),
        *("AccountingStorageType", "AccountingStorageHost", "AccountingStorageEnforce", "JobCompType", "Include"),
        *("JobCompLoc", "JobCompHost", "JobCompPass", "JobCompPort", "JobCompUser", "JobCompParams"),
    )
)
"""Settings that a rehearsal sets itself: programs and paths that exist only on the head node."""


@dataclass(frozen=True, slots=True)
class Machine:
    """The machine that simulates the cluster."""

    folder: Path
    user: str
    """The user that the daemons run as."""
    address: str
    """The address of this machine's own name, if that is loopback: there the daemons listen."""
    listens_everywhere: bool
    """Whether they listen on every address, because the machine's name has an address that is not loopback."""
    controller_port: int
    node_ports: Mapping[str, int]
    """Node -> the port of its slurmd."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """The content of the cluster's slurm.conf and gres.conf."""

    cluster: str
    partitions: tuple[Partition, ...]
    """The first is the default partition, as in ParallelCluster."""
    memory_counts: bool = False
    """EnableMemoryBasedScheduling: whether Slurm allocates memory like CPUs, or only checks it."""
    idle_minutes: int = 10
    settings: Mapping[str, str] = field(default_factory=dict)
    """CustomSlurmSettings of the whole cluster: further lines."""

    @property
    def lines(self) -> tuple[NodeLine, ...]:
        """The nodes of all queues."""
        return tuple(line for each in self.partitions for line in each.lines)

    def kept(self) -> tuple[str, ...]:
        """The settings that a rehearsal leaves out."""
        return tuple(name for name in self.settings if name.lower() in KEPT)

    def slurm_conf(self, machine: Machine) -> str:
        """The file."""
        parts = (self._head(machine), self._queues(machine), self._own())
        return "\n".join(line for part in parts for line in part) + "\n"

    @staticmethod
    def node_conf(machine: Machine, name: str) -> str:
        """slurm.conf of one node, which has its own folder for its state.

        Its path is short, and relative to the rehearsal's: a step's socket is in it, `NODE_JOB.STEP`, and the path of
        a socket has 107 letters. A node's name alone has up to 58.
        """
        return f"include {machine.folder}/slurm.conf\nSlurmdSpoolDir={list(machine.node_ports).index(name)}\n"

    def gres_conf(self, devices: Path) -> str:
        """The file. Each GPU is an empty file in the folder `devices`, because slurmd counts the files that it
        finds."""
        return "".join(
            f"NodeName={line.expression} Name=gpu Type={gpus.type} File={devices}/nvidia[0-{gpus.number - 1}]\n"
            for line in self.lines
            if (gpus := line.gpus)
        )

    def _head(self, machine: Machine) -> Iterator[str]:
        folder = machine.folder
        yield f"ClusterName={self.cluster}"
        yield f"SlurmctldHost=localhost({machine.address})"
        yield f"SlurmctldPort={machine.controller_port}"
        yield f"SlurmUser={machine.user}"
        yield f"SlurmdUser={machine.user}"
        yield "AuthType=auth/munge"
        yield f"AuthInfo=socket={folder}/munge.socket,cred_expire=70"
        yield "CredType=cred/munge"
        if not machine.listens_everywhere:
            yield "CommunicationParameters=NoCtldInAddrAny,NoInAddrAny"
        yield f"StateSaveLocation={folder}/state"
        yield f"SlurmctldPidFile={folder}/slurmctld.pid"
        yield f"SlurmdPidFile={folder}/slurmd-%n.pid"
        yield f"ResumeProgram={folder}/resume"
        yield f"SuspendProgram={folder}/suspend"
        yield f"ResumeFailProgram={folder}/suspend"
        yield "ResumeTimeout=1800"
        yield "SuspendTimeout=120"
        yield from (f"{name}={value}" for name, value in (*_THEIRS, *_OURS))

    def _queues(self, machine: Machine) -> Iterator[str]:
        yield f"SuspendTime={self.idle_minutes * 60 if self.idle_minutes >= 0 else _NEVER}"
        yield f"SelectTypeParameters={'CR_CPU_Memory' if self.memory_counts else 'CR_CPU'}"
        for number, queue in enumerate(self.partitions):
            yield from (_node(line, machine) for line in queue.lines)
            yield f"NodeSet={queue.name}_nodes Nodes={','.join(line.expression for line in queue.lines)}"
            default = " Default=YES" if number == 0 else ""
            alone = " OverSubscribe=EXCLUSIVE" if queue.exclusive else ""
            named = f"PartitionName={queue.name} Nodes={queue.name}_nodes MaxTime=INFINITE State=UP"
            yield f"{named}{default}{alone}"
        if always := [line.expression for line in self.lines if line.static]:
            yield f"SuspendExcNodes={','.join(always)}"

    def _own(self) -> Iterator[str]:
        for name, value in self.settings.items():
            if name.lower() == _HASTE[0].lower():
                yield f"{name}={value},{_HASTE[1]}"
            elif name.lower() not in KEPT:
                yield f"{name}={value}"


def _node(line: NodeLine, machine: Machine) -> str:
    """ParallelCluster's line for nodes, and their address on this machine."""
    parts = [
        f"NodeName={line.expression}",
        f"CPUs={line.cpus} RealMemory={line.memory_mib} State=CLOUD",
        f"Feature={','.join(line.features)}",
        f"Weight={STATIC_WEIGHT if line.static else DYNAMIC_WEIGHT}",
    ]
    if line.gres:
        parts.append(f"Gres={line.gres}")
    ports = ",".join(str(machine.node_ports[name]) for name in line.names)
    here = f"NodeHostName=localhost NodeAddr={machine.address} Port=[{ports}]"
    return " ".join((*parts, here))


def planned_configuration(blueprint: SlurmBlueprint) -> Configuration:
    """The configuration that ParallelCluster would write for Slurm."""
    own = blueprint.described.slurm
    return Configuration(
        cluster=blueprint.cluster_name,
        partitions=tuple(_partition(queue, blueprint) for queue in blueprint.queues),
        memory_counts=own.memory_scheduling,
        idle_minutes=own.idle_minutes,
        settings={name: str(value) for name, value in sorted(own.settings.items())},
    )


def gpu_type(model: str) -> str:
    """A GPU's type in Slurm: EC2's name in lower case, without spaces (`config_utils.py` of the cookbook)."""
    return re.sub(r"\s*\(.*|\s", "", model).lower()


def _partition(queue: DerivedQueue, blueprint: SlurmBlueprint) -> Partition:
    lines = tuple(line for group in queue.groups for line in _lines(group, blueprint))
    return Partition(queue.name, lines, queue.described.exclusive)


def _lines(group: SlurmGroup, blueprint: SlurmBlueprint) -> list[NodeLine]:
    node, nodes, zones = group.node, group.described.nodes, blueprint.zones(group)
    gpus = Gpus(gpu_type(node.hardware.accelerator_model), node.gpus) if node.gpus else None
    numbers = {True: nodes.min, False: nodes.max - nodes.min}
    return [
        NodeLine(
            queue=group.queue,
            group=group.name,
            static=static,
            number=number,
            instance=group.described.instance,
            zone=zones[0] if len(zones) == 1 else "",
            cpus=node.cpus,
            memory_mib=node.memory_mib,
            gpus=gpus,
            efa=bool(node.efa),
        )
        for static, number in numbers.items()
        if number
    ]
