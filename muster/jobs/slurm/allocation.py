"""The compute resource that a job's workers go to, and what the job requests of each node."""

from collections.abc import Callable, Iterator, Mapping
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
    """The training group that a job's workers go to: the wanted one, or the only one that fits, of the wanted queue.

    Args:
        blueprint: the cluster.
        ask: which group and which queue are wanted.
        lacking: what else the job needs: why workers cannot go to a group of machines with EFA, empty where they can.
        having: all that a group must have, in words: "GPUs and EFA".

    Raises:
        DoesNotFit: none fits, several do and none was wanted, or the wanted one does not.
    """
    why = {group.name: _lacking(group, lacking) for group in _in_queue(blueprint, ask)}
    return blueprint.group(chosen_group(why, ask.group, having, "queues:"))


def constraint(group: SlurmGroup) -> str:
    """The features of its nodes, and, as far as features can tell them, of no others in its queue.

    Nodes have as features the name of their compute resource and their type, and words of ParallelCluster's own, by
    which a compute resource may be called, too (aws-parallelcluster-cookbook, `config_renderer.py`).
    """
    return f"{group.name}&{group.described.instance}" if group.name in _FEATURE_TESTS else group.name


def groups_with_same_features(blueprint: SlurmBlueprint, group: SlurmGroup) -> tuple[str, ...]:
    """The other groups of its queue whose nodes have those features, too."""
    wanted = frozenset(constraint(group).split("&"))
    others = (other for other in blueprint.groups if other.queue == group.queue and other.name != group.name)
    return tuple(other.name for other in others if wanted <= _features(other))


_FEATURE_TESTS: Mapping[str, Callable[[SlurmGroup], bool]] = {
    "static": lambda group: group.described.nodes.min > 0,
    "dynamic": lambda group: group.described.nodes.max > group.described.nodes.min,
    "efa": lambda group: group.described.has_efa,
    "gpu": lambda group: group.node.gpus > 0,
}
"""ParallelCluster's own features -> whether some nodes of a group have it."""


def _features(group: SlurmGroup) -> frozenset[str]:
    own = (word for word, has in _FEATURE_TESTS.items() if has(group))
    return frozenset({group.name, group.described.instance, *own})


def _in_queue(blueprint: SlurmBlueprint, ask: JobOptions) -> tuple[SlurmGroup, ...]:
    if ask.queue is None:
        return blueprint.groups
    names = [queue.name for queue in blueprint.queues]
    if ask.queue not in names:
        hint = did_you_mean(ask.queue, names)
        raise DoesNotFit(
            f"--queue {ask.queue}: the stack has no queue '{ask.queue}'{hint} (there are: {', '.join(names)})"
        )
    own = tuple(group for group in blueprint.groups if group.queue == ask.queue)
    if elsewhere := [group for group in blueprint.groups if group.name == ask.group and group not in own]:
        raise DoesNotFit(
            f"group '{ask.group}' is in the queue '{elsewhere[0].queue}', not in '{ask.queue}'; leave out --queue"
        )
    return own


def _lacking(group: SlurmGroup, lacking: Callable[[SlurmGroup], str]) -> str:
    """Why workers cannot go to a group; empty where they can."""
    machine = group.node.hardware
    if group.described.purpose is not Purpose.TRAINING:
        return f"is for {group.described.purpose.value}"
    if reason := lacking(group):
        return reason
    if not group.node.efa:
        off = ", efa: false" if machine.max_efa else ""
        return f"has no EFA interfaces ({machine.instance}{off})"
    if machine.architecture != IMAGE_ARCHITECTURE:
        return f"has {machine.architecture} processors, the job is for {IMAGE_ARCHITECTURE} ({machine.instance})"
    return ""


CPUS = '--cpus-per-task="$SLURM_CPUS_PER_TASK"'
"""Of every step."""


@dataclass(frozen=True, slots=True)
class Allocation:
    """Nodes, and what of each."""

    blueprint: SlurmBlueprint
    group: SlurmGroup
    nodes: int
    gpus: int
    """Of each node; none of Neuron devices, which Slurm does not count."""
    processes: int
    """Of the job, on each node: one for a GPU, or for a core of a Neuron device."""
    tasks: int
    """Those that Slurm starts, on each node: the processes, or what starts them."""
    memory: Size | None = None
    """Of each node; None for all of it, or where Slurm does not count it."""

    @property
    def whole(self) -> bool:
        """Whether it has its nodes alone."""
        return self.gpus == self.group.node.gpus

    @property
    def cpus(self) -> int:
        """CPUs of each task."""
        node = self.group.node
        return max(1, (node.cpus if self.whole else node.cpus * self.gpus // node.gpus) // self.tasks)

    @property
    def options(self) -> dict[str, str]:
        """Of `sbatch`."""
        return {
            "partition": self.group.queue,
            "constraint": constraint(self.group),
            "nodes": str(self.nodes),
            "ntasks-per-node": str(self.tasks),
            "cpus-per-task": str(self.cpus),
            **({"gpus-per-node": str(self.gpus)} if self.gpus else {}),
            **({"exclusive": ""} if self.whole else {}),
            **self._memory,
            # Without it the script begins as soon as the first of the nodes has started.
            "wait-all-nodes": "1",
        }

    @property
    def _memory(self) -> dict[str, str]:
        if not _counts_memory(self.blueprint):
            return {}
        node = self.group.node
        if self.memory is not None:
            return {"mem": f"{self.memory.mib}M"}
        # 0 is all that a node has: --exclusive alone takes its CPUs and GPUs, and no memory.
        return {"mem": "0" if self.whole else f"{node.memory_mib * self.gpus // node.gpus}M"}

    @property
    def notes(self) -> tuple[str, ...]:
        """What of it a user might not expect."""
        return tuple(_allocation_text(self))


def allocation(blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions, *, one_task: bool) -> Allocation:
    """Nodes of a group, by the options.

    Args:
        blueprint: the cluster.
        group: one of its groups.
        ask: how many, and how much of each.
        one_task: whether Slurm starts one task a node, which starts the processes; else all of them.

    Raises:
        DoesNotFit: the group has not so many, or a node not so much; every reason at once.
    """
    nodes, (gpus, processes) = require_both(
        lambda: node_count(group, ask, f"queues.{group.queue}.groups"), lambda: _of_a_node(blueprint, group, ask)
    )
    return Allocation(blueprint, group, nodes, gpus, processes, 1 if one_task else processes, ask.memory)


def _of_a_node(blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions) -> tuple[int, int]:
    """GPUs and processes."""
    if reasons := [*_devices(group, ask), *_uncounted(ask), *_memory(blueprint, group, ask)]:
        raise DoesNotFit(*reasons)
    node = group.node
    if not node.gpus:
        machine = node.hardware
        return 0, machine.neuron_cores_lnc2 or machine.neuron_cores or 1
    gpus = ask.devices or node.gpus
    return gpus, gpus


def _devices(group: SlurmGroup, ask: JobOptions) -> Iterator[str]:
    """Why a node has not so many accelerators to give."""
    machine, gpus = group.node.hardware, group.node.gpus
    if ask.devices is None:
        return
    of = f"a node of group '{group.name}' ({machine.instance})"
    if gpus and ask.devices > gpus:
        yield f"--gpus {ask.devices} is more than a node has: {of} has {gpus}; ask for at most {gpus}"
    elif machine.accelerator is Accelerator.NEURON and ask.devices != machine.accelerators:
        yield (
            f"--devices {ask.devices}: Slurm counts no Neuron devices, so a job takes all {machine.accelerators} of "
            f"{of}; leave it out"
        )
    elif not machine.accelerators:
        yield f"--devices {ask.devices}: {machine.instance} has no accelerators; leave it out"


def _uncounted(ask: JobOptions) -> Iterator[str]:
    """The options that Slurm has nothing for."""
    if ask.efa is not None:
        yield f"--efa {ask.efa}: Slurm hands out no EFA interfaces, a job finds all those of its nodes; leave it out"
    if ask.huge_pages is not None:
        yield (
            f"--huge-pages {ask.huge_pages.kubernetes}: Slurm hands out no huge pages, a job finds those that EFA's "
            "installer sets aside on every node; leave it out"
        )


def _memory(blueprint: SlurmBlueprint, group: SlurmGroup, ask: JobOptions) -> Iterator[str]:
    """Why a node has not so much memory to give."""
    if ask.memory is None:
        return
    option, most = f"--memory {ask.memory.kubernetes}", Size(group.node.memory_mib)
    if not _counts_memory(blueprint):
        yield f"{option}: this stack's Slurm counts no memory; leave it out, or set slurm.memory-scheduling: true"
    elif ask.memory > most:
        of = f"a node of group '{group.name}' ({group.node.hardware.instance})"
        yield (
            f"{option} is more than a node has: of {of} jobs may have {most.kubernetes}; ask for at most "
            f"{most.kubernetes}, or set queues.{group.queue}.groups.{group.name}.memory"
        )
    elif not ask.memory.mib:
        yield f"{option}: a job needs some, as in --memory 8000Mi"


def _counts_memory(blueprint: SlurmBlueprint) -> bool:
    return blueprint.described.slurm.memory_scheduling


def _allocation_text(made: Allocation) -> Iterator[str]:
    group, described = made.group, made.blueprint.described
    if not made.whole and described.queues[group.queue].exclusive:
        yield (
            f"the queue '{group.queue}' gives each job its nodes alone (exclusive): {group.node.gpus - made.gpus} of "
            f"{group.node.gpus} GPUs stay idle"
        )
    if not group.described.nodes.min:
        yield f"group '{group.name}' has no nodes until a job asks for them: they start first, which takes minutes"
    elif made.nodes > group.described.nodes.min:
        yield (
            f"{group.described.nodes.min} nodes of group '{group.name}' run always; the others start first, which "
            "takes minutes"
        )
    if others := groups_with_same_features(made.blueprint, group):
        yield (
            f"Slurm cannot tell nodes of group '{group.name}' from those of {', '.join(others)}: its name is a feature "
            "that ParallelCluster gives nodes, too; call it otherwise"
        )
    if described.image and made.gpus:
        yield (
            f"Slurm counts GPUs only where the image has NVIDIA's driver: without it in {described.image} the job is "
            "refused"
        )
