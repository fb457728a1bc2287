"""The compute resource that a job's workers go to, and what the job requests of each node."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from muster.blueprint.slurm import SlurmBlueprint, SlurmGroup
from muster.config.description.node_group import Purpose
from muster.hardware.catalogue import Accelerator
from muster.jobs.group_selection import IMAGE_ARCHITECTURE, DoesNotFit, chosen_group, node_count
from muster.jobs.job_options import JobOptions
from muster.jobs.worker_set import require_both
from muster.message_text import did_you_mean
from muster.size import Size


def worker_group(
    blueprint: SlurmBlueprint, ask: JobOptions, lacking: Callable[[SlurmGroup], str], having: str
) -> SlurmGroup:
    """The training group of a job's workers: the requested one, or the only one that fits, of the requested queue.

    Args:
        blueprint: the cluster.
        ask: the options, which may set the group and the queue.
        lacking: returns why a group with EFA lacks the job's other requirements; empty if it has them.
        having: all that a group must have, for messages: "GPUs and EFA".

    Raises:
        DoesNotFit: none fits, several fit and none is requested, or the requested one does not fit.
    """
    why = {group.name: _lacking(group, lacking) for group in _in_queue(blueprint, ask)}
    return blueprint.group(chosen_group(why, ask.group, having, f"{blueprint.groups_below}:"))


def groups_with_same_features(blueprint: SlurmBlueprint, group: SlurmGroup) -> tuple[str, ...]:
    """The other groups of its queue whose nodes also have the features of its constraint."""
    wanted = frozenset(filter(None, group.constraint.split("&")))
    others = (other for other in blueprint.groups if other.queue == group.queue and other.name != group.name)
    return tuple(other.name for other in others if wanted <= other.features)


def _in_queue(blueprint: SlurmBlueprint, ask: JobOptions) -> tuple[SlurmGroup, ...]:
    if ask.queue is None:
        return blueprint.groups
    names = [queue.name for queue in blueprint.queues]
    if ask.queue not in names:
        hint = did_you_mean(ask.queue, names)
        raise DoesNotFit(
            f"--queue {ask.queue}: the stack has no queue '{ask.queue}'{hint} (queues: {', '.join(names)})"
        )
    own = tuple(group for group in blueprint.groups if group.queue == ask.queue)
    if elsewhere := [group for group in blueprint.groups if group.name == ask.group and group not in own]:
        raise DoesNotFit(
            f"group '{ask.group}' is in the queue '{elsewhere[0].queue}', not in '{ask.queue}'; leave out --queue"
        )
    return own


def _lacking(group: SlurmGroup, lacking: Callable[[SlurmGroup], str]) -> str:
    """Why a group does not fit; empty if it fits."""
    machine = group.node.hardware
    if group.described.purpose is not Purpose.TRAINING:
        return f"is for {group.described.purpose.value}"
    if reason := lacking(group):
        return reason
    if not group.node.efa:
        off = ", efa: false" if machine.max_efa else ""
        return f"has no EFA interfaces ({machine.instance}{off})"
    if machine.architecture != IMAGE_ARCHITECTURE:
        return f"has {machine.architecture} processors ({machine.instance}), but the job is for {IMAGE_ARCHITECTURE}"
    return ""


CPUS = '--cpus-per-task="$SLURM_CPUS_PER_TASK"'
"""The option of every step."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """Nodes, and the requested share of each."""

    blueprint: SlurmBlueprint
    group: SlurmGroup
    nodes: int
    gpus: int
    """GPUs of each node; 0 for Neuron devices, which Slurm does not count."""
    processes: int
    """Processes of the job on each node: one per GPU, or per core of a Neuron device."""
    tasks: int
    """Tasks that Slurm starts on each node: the processes, or their launcher."""
    memory: Size | None = None
    """Memory of each node; None for all of it, or if Slurm does not count it."""

    @property
    def whole(self) -> bool:
        """Whether it uses whole nodes."""
        return self.gpus == self.group.node.gpus

    @property
    def cpus(self) -> int:
        """CPUs of each task."""
        node = self.group.node
        return max(1, (node.cpus if self.whole else node.cpus * self.gpus // node.gpus) // self.tasks)

    @property
    def options(self) -> dict[str, str]:
        """The options of `sbatch`."""
        return {
            "partition": self.group.queue,
            **({"constraint": self.group.constraint} if self.group.constraint else {}),
            "nodes": str(self.nodes),
            "ntasks-per-node": str(self.tasks),
            "cpus-per-task": str(self.cpus),
            **({"gpus-per-node": str(self.gpus)} if self.gpus else {}),
            **({"exclusive": ""} if self.whole else {}),
            **self._memory,
            # Otherwise the script begins as soon as the first of the nodes has started.
            "wait-all-nodes": "1",
        }

    @property
    def _memory(self) -> dict[str, str]:
        if not self.blueprint.environment.counts_memory:
            return {}
        node = self.group.node
        if self.memory is not None:
            return {"mem": f"{self.memory.mib}M"}
        # 0 is all memory of a node: --exclusive allocates only its CPUs and GPUs.
        return {"mem": "0" if self.whole else f"{node.memory_mib * self.gpus // node.gpus}M"}

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on effects that a user might not expect."""
        return tuple(_allocation_text(self))


def allocation(blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions, *, one_task: bool) -> Allocation:
    """Nodes of a group, according to the options.

    Args:
        blueprint: the cluster.
        group: one of its groups.
        ask: the options: the number of nodes, and the share of each.
        one_task: whether Slurm starts one task per node, which starts the processes; else one task per process.

    Raises:
        DoesNotFit: the group has fewer nodes, or a node has less; every reason at once.
    """
    nodes, (gpus, processes) = require_both(
        lambda: node_count(group, ask, blueprint.path_of(group.name).rpartition(".")[0]),
        lambda: _of_a_node(blueprint, group, ask),
    )
    return Allocation(blueprint, group, nodes, gpus, processes, 1 if one_task else processes, ask.memory)


def _of_a_node(blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions) -> tuple[int, int]:
    """The GPUs and processes of a node."""
    if reasons := [*_devices(group, ask), *_uncounted(ask), *_memory(blueprint, group, ask)]:
        raise DoesNotFit(*reasons)
    node = group.node
    if not node.gpus:
        machine = node.hardware
        return 0, machine.neuron_cores_lnc2 or machine.neuron_cores or 1
    gpus = ask.devices or node.gpus
    return gpus, gpus


def _devices(group: SlurmGroup, ask: JobOptions) -> Iterator[str]:
    """Why a node has fewer accelerators than requested."""
    machine, gpus = group.node.hardware, group.node.gpus
    if ask.devices is None:
        return
    of = f"a node of group '{group.name}' ({machine.instance})"
    if gpus and ask.devices > gpus:
        yield f"--gpus {ask.devices} is more than a node has: {of} has {gpus}; give at most {gpus}"
    elif machine.accelerator is Accelerator.NEURON and ask.devices != machine.accelerators:
        yield (
            f"--devices {ask.devices}: Slurm does not count Neuron devices, so a job uses all {machine.accelerators} "
            f"of {of}; leave out --devices"
        )
    elif not machine.accelerators:
        yield f"--devices {ask.devices}: {machine.instance} has no accelerators; leave out --devices"


def _uncounted(ask: JobOptions) -> Iterator[str]:
    """The reasons for options that Slurm does not support."""
    if ask.efa is not None:
        yield f"--efa {ask.efa}: Slurm does not allocate EFA interfaces: a job uses all of its nodes; leave out --efa"
    if ask.huge_pages is not None:
        yield (
            f"--huge-pages {ask.huge_pages.kubernetes}: Slurm does not allocate huge pages: a job uses those that "
            "EFA's installer reserves on every node; leave out --huge-pages"
        )


def _memory(blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions) -> Iterator[str]:
    """Why a node has less memory than requested."""
    if ask.memory is None:
        return
    option, most = f"--memory {ask.memory.kubernetes}", Size(group.node.memory_mib)
    here = blueprint.environment
    if not here.counts_memory:
        other = f", or {here.counts_memory_if}" if here.counts_memory_if else ""
        yield f"{option}: this stack's Slurm does not allocate memory; leave it out{other}"
    elif ask.memory > most:
        of = f"a node of group '{group.name}' ({group.node.hardware.instance})"
        yield (
            f"{option} is more than a node has: jobs can use {most.kubernetes} of {of}; give at most "
            f"{most.kubernetes}, or set {blueprint.path_of(group.name)}.memory"
        )
    elif not ask.memory.mib:
        yield f"{option}: a job needs memory; give an amount such as --memory 8000Mi"


def _allocation_text(made: Allocation) -> Iterator[str]:
    group, here = made.group, made.blueprint.environment
    if not made.whole and made.blueprint.queue(group.queue).exclusive:
        yield (
            f"the queue '{group.queue}' is exclusive, so each job has whole nodes, and {group.node.gpus - made.gpus} "
            f"of {group.node.gpus} GPUs per node stay idle"
        )
    if here.starts_nodes and not group.running:
        yield f"group '{group.name}' has no nodes until a job requests them; starting them takes minutes"
    elif here.starts_nodes and made.nodes > group.running:
        yield f"{group.running} nodes of group '{group.name}' always run; starting the others takes minutes"
    if others := groups_with_same_features(made.blueprint, group):
        yield (
            f"Slurm cannot distinguish nodes of group '{group.name}' from those of {', '.join(others)}, because "
            f"{here.same_features}"
        )
    if here.image and made.gpus:
        yield (
            f"Slurm counts GPUs only if the image has NVIDIA's driver; if {here.image} does not have it, Slurm "
            "rejects the job"
        )
