"""What a script asks of a queue, and the queue does not have: nodes, GPUs, memory, CPUs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from muster.fleet.amounts import MIB
from muster.fleet.near_miss import did_you_mean
from muster.rehearsal.outcome import Sum
from muster.rehearsal.slurm import asks
from muster.rehearsal.slurm.asks import Asked
from muster.rehearsal.slurm.configuration import Configuration
from muster.rehearsal.slurm.node_lines import NodeLine, Partition
from muster.rehearsal.slurm.script import Script


@dataclass(frozen=True, slots=True)
class Shortage:
    """One of them."""

    id: str
    said: str
    instead: dict[str, str]
    """Options with which it would be enough; none where no number would do."""
    where: str
    growth: str = ""
    """What would make the cluster have it."""
    otherwise: str = "send it to a queue whose nodes have them"
    """What to do where no option mends it."""
    sum: Sum | None = None


def shortages(script: Script, partition: Partition, configuration: Configuration) -> tuple[Shortage, ...]:
    """All of them, as far as the script's options say plainly what it asks."""
    found = (
        _too_many_nodes(script, partition),
        _too_many_gpus(script, partition),
        _too_many_in_all(script, partition),
        _too_much_memory(script, partition, configuration),
        _too_many_cpus(script, partition),
    )
    return tuple(each for each in found if each)


def _too_many_nodes(script: Script, partition: Partition) -> Shortage | None:
    asked = asks.nodes(script.asks)
    if asked is None or asked.number <= partition.nodes:
        return None
    have = f"{partition.nodes} node{'' if partition.nodes == 1 else 's'}"
    group = max(partition.lines, key=lambda line: line.number).group
    where = f"queues.{partition.name}.groups.{group}.nodes"
    return Shortage(
        "more-nodes-than-the-queue",
        f"it asks for {asked.number} nodes{script.at('nodes')}, and queue {partition.name} has at most {have}",
        {"nodes": str(partition.nodes)},
        where,
        f"raise {where} by {asked.number - partition.nodes}",
    )


def _too_many_gpus(script: Script, partition: Partition) -> Shortage | None:
    asked = asks.gpus(script.asks)
    if asked is None:
        return None
    typed = [line for line in partition.lines if line.gpus and asked.type in ("", line.gpus.type)]
    most = max((line.gpus.number for line in typed if line.gpus), default=0)
    if asked.number <= most:
        return None
    at, where = (
        script.at(asked.option),
        f"queues.{partition.name}.groups.{partition.lines[0].group}.instance",
    )
    kinds = sorted({line.gpus.type for line in partition.lines if line.gpus})
    if not typed and kinds:
        said = f"it asks for GPUs of type '{asked.type}'{at}, and queue {partition.name} has {', '.join(kinds)}"
        near = did_you_mean(asked.type, kinds)
        count = max(line.gpus.number for line in partition.lines if line.gpus)
        instead = {asked.option: _gpus_written(asked, kinds[0], min(asked.number, count))}
        return Shortage("no-such-gpus", f"{said}{near}", instead, where)
    types = " and ".join(sorted({line.instance for line in partition.lines}))
    if not most:
        said = f"it asks for {asked.number} GPUs{at}, and Slurm counts none on queue {partition.name}'s {types}"
        return Shortage("no-gpus", said, {}, where)
    written = _gpus_written(asked, asked.type, most)
    return Shortage(
        "more-gpus-than-a-node-has",
        f"it asks for {asked.number} GPUs on a node{at}, and one {types} of queue {partition.name} has {most}",
        {asked.option: written} if asked.option != "gpus-per-task" else {},
        where,
        sum=_sum(
            f"gres/gpu:{kinds[0]}", asked.number, [line.gpus.number if line.gpus else 0 for line in _each(partition)]
        ),
        otherwise="ask for fewer GPUs with --gpus-per-task, or fewer tasks with --ntasks-per-node",
    )


def _too_many_in_all(script: Script, partition: Partition) -> Shortage | None:
    """GPUs or tasks that are not said by node."""
    whole = asks.gpus_in_all(script.asks)
    most = sum(line.gpus.number for line in _each(partition) if line.gpus)
    if whole and most and whole.number > most:
        said = f"it asks for {whole.number} GPUs in all{script.at(whole.option)}"
        return Shortage(
            "more-gpus-than-the-queue",
            f"{said}, and all nodes of queue {partition.name} together have {most}",
            {whole.option: _gpus_written(whole, whole.type, most)},
            f"queues.{partition.name}.groups.{partition.lines[0].group}.nodes",
        )
    tasks = asks.cpus_in_all(script.asks)
    cpus = sum(line.cpus for line in _each(partition))
    if tasks and tasks.number > cpus:
        return Shortage(
            "more-cpus-than-the-queue",
            f"its tasks ask for {tasks.number} CPUs in all{script.at('ntasks')}, and all nodes of queue "
            f"{partition.name} together have {cpus}",
            {},
            f"queues.{partition.name}.groups.{partition.lines[0].group}.nodes",
            otherwise="ask for fewer tasks with --ntasks, or fewer CPUs for each with --cpus-per-task",
        )
    return None


def _too_much_memory(script: Script, partition: Partition, configuration: Configuration) -> Shortage | None:
    asked = asks.memory(script.asks)
    most = max(line.memory_mib for line in partition.lines)
    if asked is None or asked.number <= most:
        return None
    how = "SchedulableMemory, or 95 of a hundred of what EC2 states"
    return Shortage(
        "more-memory-than-a-node-has",
        f"it asks for {asked.number} MiB of memory on a node{script.at(asked.option)}, and the nodes of "
        f"queue {partition.name} have {most} for jobs ({how})",
        {asked.option: f"{most}M"} if asked.option == "mem" else {},
        f"queues.{partition.name}.groups.{partition.lines[0].group}",
        ""
        if configuration.memory_counts or asked.option != "mem"
        else "leave --mem out: without slurm.memory-scheduling a job has all of it",
        sum=_sum("memory", asked.number * MIB, [line.memory_mib * MIB for line in _each(partition)]),
    )


def _too_many_cpus(script: Script, partition: Partition) -> Shortage | None:
    asked = asks.cpus(script.asks)
    most = max(line.cpus for line in partition.lines)
    if asked is None or asked.number <= most:
        return None
    tasks = int(script.asks.get("ntasks-per-node", "1")) if asked.option == "cpus-per-task" else 1
    return Shortage(
        "more-cpus-than-a-node-has",
        f"it asks for {asked.number} CPUs on a node{script.at(asked.option)}, and the nodes of queue "
        f"{partition.name} have {most}",
        {asked.option: str(most // tasks)} if most >= tasks else {},
        f"queues.{partition.name}.groups.{partition.lines[0].group}",
        sum=_sum("cpu", asked.number * 1000, [line.cpus * 1000 for line in _each(partition)]),
    )


def _gpus_written(asked: Asked, kind: str, number: int) -> str:
    """An amount of GPUs as the option wants it: ``8``, ``a100:8``, ``gpu:a100:8``."""
    parts = (*(("gpu",) if asked.option == "gres" else ()), *((kind,) if asked.type else ()), str(number))
    return ":".join(parts)


def _each(partition: Partition) -> Iterator[NodeLine]:
    """Every node's line."""
    return (line for line in partition.lines for _ in range(line.number))


def _sum(resource: str, asked: int, offered: Sequence[int]) -> Sum:
    return Sum(resource, asked, len(offered), max(offered), sum(offered), 0, max(offered))
