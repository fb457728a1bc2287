"""The rehearsal on Slurm: the planned queues on a real slurmctld, and its answer to `sbatch --test-only`."""

import re
import time
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace

from muster.blueprint.cluster import SlurmBlueprint
from muster.kubernetes_quantity import MIB
from muster.message_text import list_names, or_list
from muster.rehearsal import machine_limits
from muster.rehearsal.machine_limits import SILENT, Progress
from muster.rehearsal.outcome import (
    Amount,
    Cause,
    Moment,
    NodeReport,
    Outcome,
    PodReport,
    PodState,
    Program,
    SimulatedPart,
    Tone,
    Unit,
    Verdict,
    Waiting,
)
from muster.rehearsal.slurm.batch_script import Script
from muster.rehearsal.slurm.configuration import Configuration, NodeLine, Partition, planned_configuration
from muster.rehearsal.slurm.controller import CommandResult, Controller, SettingRefused

_ON_NODES = re.compile(r" on nodes (\S+) in partition (\S+)")
_BODY = "#!/bin/sh\n"
"""What sbatch gets instead of the script: nothing of it but its options leaves Muster."""
_OF_ACCOUNTING = ("account", "qos", "wckey")
"""Options whose values are names in a cluster's accounting database."""
_NOT_NOW = {
    "begin": "the job begins only at the time of --begin",
    "hold": "the job is held (--hold) until `scontrol release`",
    "dependency": "the rehearsal does not have the jobs of --dependency",
}


@dataclass(frozen=True, slots=True)
class RehearsalRequest:
    """The inputs of a rehearsal."""

    blueprint: SlurmBlueprint
    script: Script
    name: str
    """The job's name if its script does not set one."""
    notes: tuple[str, ...] = ()


@machine_limits.exhausted_here()
def rehearse(request: RehearsalRequest, progress: Progress = SILENT) -> Outcome:
    """Starts Slurm, asks it about the script, and ends it.

    Raises:
        RehearsalError: the rehearsal cannot continue, for a reason outside the job.
    """
    began = time.perf_counter()
    progress.status("starting Slurm ...")
    with Controller(planned_configuration(request.blueprint)) as controller:
        try:
            controller.start_all()
        except SettingRefused as refused:
            outcome = _outcome(request, controller, (), _settings_refused(controller, str(refused)))
        else:
            outcome = _asked(request, controller)
        progress.status("")
        memory = controller.processes.memory_mib()
    return replace(outcome, seconds=round(time.perf_counter() - began, 2), peak_memory_mib=memory)


def _asked(request: RehearsalRequest, controller: Controller) -> Outcome:
    """Slurm's answer to the script's options. If it rejects them, the same again with fewer options."""
    script = request.script

    def answer(but: Collection[str] = ()) -> CommandResult:
        return controller.run("sbatch", "--test-only", *script.arguments(but), stdin=_BODY)

    told = answer()
    if not told.done:
        cause = _refused(request, controller.configuration, list(_without(script, lambda but: answer(but).done)))
        return _outcome(request, controller, (), (cause, told.why, "sbatch"))
    found = _ON_NODES.search(told.why)
    names = controller.run("scontrol", "show", "hostnames", found[1]).out.split() if found else []
    return _outcome(request, controller, tuple(names))


_MOST_ASKED = 64
"""Options of a script without which Slurm is asked again."""


def _without(script: Script, accepts: Callable[[Collection[str]], bool]) -> Iterator[tuple[str, ...]]:
    """The options without which Slurm accepts the script: each that is enough alone; otherwise several together."""
    names = list(script.asks)[:_MOST_ASKED]
    if alone := [(each,) for each in names if accepts((each,))]:
        yield from alone
        return
    out: list[str] = []
    for each in names:
        out.append(each)
        if len(out) > 1 and accepts(out):
            break
    else:
        return
    for each in list(out):
        if accepts([name for name in out if name != each]):
            out.remove(each)
    yield tuple(out)


def _refused(request: RehearsalRequest, configuration: Configuration, without: list[tuple[str, ...]]) -> Cause:
    """The cause if Slurm rejects a script: the options, and what the nodes have."""
    written = {each.name: f"{each} (line {each.line})" for each in request.script.options}
    options = [" and ".join(written[name] for name in names) for names in without]
    asked = request.script.asks.get("partition", "").split(",")
    queues = [each for each in configuration.partitions if each.name in asked] or configuration.partitions
    there = "; ".join(f"queue {each.name} has {_sizes(each)}" for each in queues)
    if not options:
        return Cause(
            "slurm-refuses", "Slurm rejects the script", f"fix the script according to Slurm's message; {there}"
        )
    return Cause(
        "slurm-refuses",
        f"Slurm rejects the script with {or_list(options)}, and accepts it without",
        f"remove or change {or_list(options)}; {there}",
    )


def _sizes(queue: Partition) -> str:
    """``4 nodes train-st-workers-[1-4] with 96 CPUs, 1120665 MiB, gpu:a100:8, no features``."""
    return " and ".join(
        f"{line.number} nodes {line.expression} with {line.cpus} CPUs, {line.memory_mib} MiB, "
        f"{line.gres or 'no GPUs'}, {'features ' + ','.join(line.features) if line.features else 'no features'}"
        for line in queue.lines
    )


def _settings_refused(controller: Controller, log: str) -> tuple[Cause, str, str]:
    """The cause if slurmctld does not start. It would also fail on the head node, and with it the cluster's
    creation."""
    named = [name for name in controller.configuration.settings if name.lower() in log.lower()]
    cause = Cause(
        "settings-refused",
        f"slurmctld does not start with {', '.join(named) or 'these settings'}",
        f"fix slurm.settings according to this message; this machine has Slurm {controller.version}",
        f"slurm.settings.{named[0]}" if len(named) == 1 else "slurm.settings",
    )
    return cause, log, "slurmctld"


def _outcome(
    request: RehearsalRequest,
    controller: Controller,
    names: tuple[str, ...],
    refused: tuple[Cause, str, str] | None = None,
) -> Outcome:
    name = request.script.name or request.name
    waiting: tuple[Waiting, ...] = ()
    pods = tuple(PodReport(f"{name} ({node})", "node", PodState.RUNNING, node) for node in names)
    moment = Moment(0.0, f"sbatch --test-only accepts {name}: {list_names(names)}", Tone.GOOD)
    if refused:
        cause, message, speaker = refused
        waiting = (Waiting(name, message, cause, speaker),)
        pods = (PodReport(f"{name} (node 1)", "node", PodState.NOT_CREATED, None),)
        moment = Moment(0.0, f"{speaker} rejects {name}", Tone.BAD)
    return Outcome(
        stack=request.blueprint.stack,
        job=name,
        kind="sbatch",
        kubernetes="",
        slurm=controller.version,
        unit=Unit.NODE,
        programs=(Program("slurmctld", controller.version, "PATH"),),
        verdict=Verdict.DOES_NOT_START if waiting else Verdict.STARTS,
        nodes=tuple(_nodes(controller.configuration, name, frozenset(names))),
        pods=pods,
        waiting=waiting,
        simulated_parts=tuple(_simulated_parts(controller.configuration, request.script)),
        moments=(moment,),
        notes=(*request.notes, *_notes(request, controller)),
    )


def _nodes(configuration: Configuration, job: str, used: frozenset[str]) -> Iterator[NodeReport]:
    """Every node, and whether the job would have it."""
    for line in configuration.lines:
        amounts = {resource: Amount(number, number, 0) for resource, number in _amounts(line).items()}
        for name in line.names:
            jobs = (job,) if name in used else ()
            yield NodeReport(name, line.group, line.instance, line.zone, amounts, jobs)


def _amounts(line: NodeLine) -> dict[str, int]:
    gpus = {f"gres/{line.gres.rpartition(':')[0]}": line.gpus} if line.gpus else {}
    return {**gpus, "cpu": line.cpus * 1000, "memory": line.memory_mib * MIB}


def _simulated_parts(configuration: Configuration, script: Script) -> Iterator[SimulatedPart]:
    yield SimulatedPart(
        script.name or "the script's commands",
        "only the script's options reach Slurm, with --test-only: nothing runs",
        "this machine does not have the script's devices, images and file systems",
    )
    yield SimulatedPart(
        "the nodes", "lines of slurm.conf, with the planned sizes", "the EC2 instances are only planned"
    )
    if left_out := configuration.not_rehearsed():
        yield SimulatedPart(
            f"slurm.settings: {', '.join(left_out)}",
            "not rehearsed",
            "a rehearsal has only the settings that decide which jobs start",
        )
    if script.files:
        yield SimulatedPart(
            ", ".join(f"--{each}" for each in dict.fromkeys(each.name for each in script.files)),
            "not rehearsed",
            "the value is the name of a file, and a rehearsal reads no file that a script names",
        )
    yield from configuration.service.simulated


def _notes(request: RehearsalRequest, controller: Controller) -> Iterator[str]:
    service, script = controller.configuration.service, request.script
    own = ".".join(controller.version.split(".")[:2])
    if own != service.slurm:
        yield (
            f"{service.title} has Slurm {service.slurm}, but the rehearsal ran with this machine's "
            f"{controller.version}: it rejects options that only the newer version has"
        )
    for group in request.blueprint.groups:
        if block := group.described.capacity.capacity_block:
            yield (
                f"the nodes of {group.name} exist only from {block.starts} to {block.ends}, the dates of their "
                "Capacity Block; an earlier job waits for them"
            )
    if comments := script.commented:
        yield (
            f"line {list_names(map(str, comments))}: '# SBATCH' is a comment; Slurm reads only '#SBATCH'. Remove the "
            "space to set the option"
        )
    if late := script.unread:
        yield (
            f"sbatch ignores #SBATCH on line {list_names(map(str, late))}, after the script's first command: move it "
            "above that command"
        )
    yield from (note for option, note in _NOT_NOW.items() if option in script.asks)
    if named := [f"--{each}" for each in _OF_ACCOUNTING if each in script.asks]:
        yield f"not checked: {list_names(named)}; a rehearsal has no accounting, and accepts any name"
