"""The nodes of the queues, as the lines that ParallelCluster writes of them into slurm.conf. Pure data."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Gpus:
    """What Slurm counts of a node's GPUs."""

    type: str
    """``a100``: EC2's name of it, in small letters."""
    number: int


@dataclass(frozen=True, slots=True)
class NodeLine:
    """Alike nodes of one compute resource: those that always run, or those that come and go."""

    queue: str
    group: str
    """The compute resource's name, which is the group's."""
    static: bool
    """Whether they always run (``st``) or come when a job wants them (``dy``)."""
    number: int
    instance: str
    zone: str
    """Empty where nobody says which of several."""
    cpus: int
    memory_mib: int
    """RealMemory: what jobs may ask for."""
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
        """What ``--constraint`` can ask for."""
        more = (*(("efa",) if self.efa else ()), *(("gpu",) if self.gpus else ()))
        return ("static" if self.static else "dynamic", self.instance, self.group, *more)

    @property
    def gres(self) -> str:
        """``gpu:a100:8``; empty where Slurm counts no devices: Neuron devices and EFA interfaces it never does."""
        return f"gpu:{self.gpus.type}:{self.gpus.number}" if self.gpus else ""


@dataclass(frozen=True, slots=True)
class Partition:
    """A queue: what Slurm calls a partition."""

    name: str
    lines: tuple[NodeLine, ...]
    exclusive: bool = False
    """Whether a job has its nodes for itself."""

    @property
    def nodes(self) -> int:
        """How many nodes it can have at most."""
        return sum(line.number for line in self.lines)
