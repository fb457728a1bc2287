"""What the outcome tells of Slurm's nodes and programs."""

import re
from collections.abc import Iterator, Mapping

from muster.fleet.amounts import MIB
from muster.rehearsal.outcome import Amount, NodeSeen, NodeState, Program
from muster.rehearsal.slurm import programs as slurm_programs
from muster.rehearsal.slurm.controller import Controller
from muster.rehearsal.slurm.job import SlurmJob
from muster.rehearsal.slurm.node_lines import NodeLine

_USED = re.compile(r"gpu:[^:,(]+:(\d+)")


def programs(controller: Controller) -> tuple[Program, ...]:
    """The daemons that ran."""
    return tuple(
        Program(name, slurm_programs.version(controller.commands.programs[name]), "PATH")
        for name in ("slurmctld", "slurmd")
    )


def nodes(controller: Controller, job: SlurmJob) -> tuple[NodeSeen, ...]:
    """Every node that is up, by Slurm's count; then those that are not, which offer nothing now."""
    known = {each["NodeName"]: each for each in controller.commands.records("node")}
    on = {node for task in job.now if task.has_nodes for node in task.nodes}
    return tuple(
        NodeSeen(
            name,
            line.group,
            line.instance,
            line.zone,
            NodeState.READY if _usable(known[name]) else NodeState.LOST,
            dict(_amounts(line, known[name], up=name in controller.up)),
            (job.script.name or "the job",) if name in on else (),
        )
        for line in controller.configuration.lines
        for name in line.names
        if name in known
    )


def _usable(record: Mapping[str, str]) -> bool:
    """A node that is powered down counts: Slurm powers it up for whom it gives it."""
    return not re.search(r"DOWN(?!\w)|FAIL|INVAL", record["State"].replace("POWERED_DOWN", ""))


def _amounts(line: NodeLine, record: Mapping[str, str], *, up: bool) -> Iterator[tuple[str, Amount]]:
    def amount(planned: int, used: int) -> Amount:
        return Amount(planned, planned if up else 0, used)

    if line.gpus:
        used = _USED.search(record.get("GresUsed", ""))
        yield f"gres/gpu:{line.gpus.type}", amount(line.gpus.number, int(used[1]) if used else 0)
    yield "cpu", amount(line.cpus * 1000, int(record["CPUAlloc"]) * 1000)
    yield "memory", amount(line.memory_mib * MIB, int(record["AllocMem"]) * MIB)
