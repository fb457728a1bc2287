"""The rehearsal on Slurm: a stack's queues and a job's script, to the verdict, the drills and the report."""

import re
import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace

from muster.blueprint.slurm import SlurmBlueprint
from muster.kubernetes_quantity import MIB
from muster.message_text import count_noun, list_names
from muster.rehearsal import machine_limits
from muster.rehearsal.outcome import (
    Amount,
    Cause,
    Drill,
    Moment,
    NodeReport,
    NodeState,
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
from muster.rehearsal.progress import Progress, SilentProgress, time_step
from muster.rehearsal.slurm import batch_script, drills
from muster.rehearsal.slurm import programs as slurm_programs
from muster.rehearsal.slurm.batch_script import Script
from muster.rehearsal.slurm.causes import RefusalDiagnosis, pending_cause
from muster.rehearsal.slurm.configuration import Configuration, NodeLine, planned_configuration
from muster.rehearsal.slurm.controller import MOST_NODES, Controller, SettingRefused
from muster.rehearsal.slurm.job import SlurmJob, Task

_USED = re.compile(r"gpu:(?:(?:\(null\)|[^:,(]+):)?(\d+)")
"""``gpu:a100:8(IDX:0-7)``, or without a type ``gpu:8(IDX:0-7)`` or ``gpu:(null):8(IDX:0-7)``."""


def report_programs(controller: Controller) -> tuple[Program, ...]:
    """The daemons that ran."""
    return tuple(
        Program(name, slurm_programs.program_version(controller.commands.programs[name]), "PATH")
        for name in ("slurmctld", "slurmd")
    )


def report_nodes(controller: Controller, job: SlurmJob) -> tuple[NodeReport, ...]:
    """Every node that is up, from Slurm's records; then the others, which offer nothing now."""
    known = {each["NodeName"]: each for each in controller.commands.records("node")}
    on = {node for task in job.now if task.has_nodes for node in task.nodes}
    return tuple(
        NodeReport(
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
    """Whether jobs can run on a node. A powered-down node counts, because Slurm powers it up for its job."""
    return not re.search(r"DOWN(?!\w)|FAIL|INVAL", record["State"].replace("POWERED_DOWN", ""))


def _amounts(line: NodeLine, record: Mapping[str, str], *, up: bool) -> Iterator[tuple[str, Amount]]:
    def amount(planned: int, used: int) -> Amount:
        return Amount(planned, planned if up else 0, used)

    if line.gpus:
        used = _USED.search(record.get("GresUsed", ""))
        yield (
            ":".join(filter(None, ("gres/gpu", line.gpus.type))),
            amount(line.gpus.number, int(used[1]) if used else 0),
        )
    yield "cpu", amount(line.cpus * 1000, int(record["CPUAlloc"]) * 1000)
    yield "memory", amount(line.memory_mib * MIB, int(record["AllocMem"]) * MIB)


def simulated_parts(configuration: Configuration, script: Script) -> tuple[SimulatedPart, ...]:
    """All simulated parts."""
    return tuple(_simulated_parts(configuration, script))


def _simulated_parts(configuration: Configuration, script: Script) -> Iterator[SimulatedPart]:
    yield SimulatedPart(
        script.name or "the script's commands",
        "the script's options with a body that only waits: its srun, containers and programs do not run",
        "this machine does not have the script's devices, images and file systems",
    )
    yield SimulatedPart(
        "the nodes",
        "one slurmd on this machine for each node, configured with the planned sizes",
        "the EC2 instances are only planned",
    )
    if any(line.gpus for line in configuration.lines):
        yield SimulatedPart("GPUs", "empty files that slurmd counts", "the simulated nodes have no GPUs")
    if any(not line.static for line in configuration.lines):
        yield SimulatedPart(
            "ResumeProgram, SuspendProgram",
            "programs that start a slurmd immediately, and never stop one",
            "the service's programs call EC2",
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


@dataclass(frozen=True, slots=True)
class RehearsalRequest:
    """The inputs of a rehearsal."""

    blueprint: SlurmBlueprint
    script: Script
    name: str
    """The job's name if its script does not set one."""
    lost: int = 0
    """How many nodes are lost after it has started."""
    notes: tuple[str, ...] = ()


@machine_limits.exhausted_here()
def rehearse(request: RehearsalRequest, progress: Progress | None = None) -> Outcome:
    """Starts Slurm, rehearses on it, and ends it.

    Raises:
        RehearsalError: the rehearsal cannot continue, for a reason outside the job.
    """
    progress = progress or SilentProgress()
    began = time.perf_counter()
    configuration = planned_configuration(request.blueprint)
    drills.check_loss(request.lost, configuration)
    progress.status("starting Slurm ...")
    with Controller(configuration) as controller:
        try:
            controller.start_all()
        except SettingRefused as refused:
            outcome = _settings_refused(request, controller, str(refused))
        else:
            outcome = _Rehearsal(controller, request, progress).run()
        progress.status("")
        memory = controller.memory_mib()
        seconds = {**controller.seconds, **outcome.seconds}
    seconds["total"] = round(time.perf_counter() - began, 2)
    return replace(outcome, seconds=seconds, peak_memory_mib=memory)


@dataclass(slots=True)
class _Rehearsal:
    """The state of one rehearsal, on a controller without other jobs."""

    controller: Controller
    request: RehearsalRequest
    progress: Progress
    seconds: dict[str, float] = field(default_factory=dict)
    moments: list[Moment] = field(default_factory=list)
    job: SlurmJob = field(init=False)

    def __post_init__(self) -> None:
        self.job = SlurmJob(self.controller, self.request.script)

    def run(self) -> Outcome:
        with self._timed("job", f"checking and submitting {self.name}"):
            waiting = self._submit()
        outcome = self._outcome(waiting)
        if outcome.verdict is Verdict.STARTS and self.request.lost:
            with self._timed("drills", "running the drills"):
                outcome = replace(outcome, drills=(self._lose_nodes(),))
        elif self.request.lost:
            outcome = replace(
                outcome, notes=(*outcome.notes, ("drill skipped, because the job does not start: lose-nodes"))
            )
        if outcome.verdict is Verdict.STARTS:
            with self._timed("end", "waiting for the end of the job"):
                self._end()
        return replace(outcome, seconds=dict(self.seconds), moments=tuple(self.moments))

    @property
    def name(self) -> str:
        return self.request.script.name or self.request.name

    def _submit(self) -> tuple[Waiting, ...]:
        answer = self.job.test()
        if not answer.done:
            cause = RefusalDiagnosis(
                self.request.script, self.controller.configuration, self.controller.version, self._takes
            )
            return self._refused("sbatch --test-only", answer.why, cause.refusal(answer.why))
        (expression, queue) = self.job.place(answer)
        self._add_moment(
            f"sbatch --test-only accepts {self.name}: queue {queue or 'unknown'}, nodes {expression or 'unknown'}"
        )
        if expression and (woken := self.job.wake(expression)):
            self._add_moment(
                f"Slurm powers up {list_names(woken)}; simulated: they report immediately (EC2 takes minutes)"
            )
        answer = self.job.submit()
        if not answer.done:
            judge = RefusalDiagnosis(
                self.request.script, self.controller.configuration, self.controller.version, self._takes
            )
            return self._refused("sbatch", answer.why, judge.refusal(answer.why))
        self._add_moment(f"sbatch accepts {self.name} as job {self.job.id}")
        tasks = self.job.settle()
        return self._report_pending(tasks, queue)

    def _takes(self, instead: dict[str, str]) -> bool:
        return self.job.test(**instead).done

    def _refused(self, who: str, why: str, cause: Cause) -> tuple[Waiting, ...]:
        self._add_moment(f"{who} rejects {self.name}: {cause.said}", Tone.BAD)
        return (Waiting(self.name, why, cause, "sbatch"),)

    def _report_pending(self, tasks: tuple[Task, ...], queue: str) -> tuple[Waiting, ...]:
        running = [each for each in tasks if each.has_nodes]
        for each in running[:1]:
            self._add_moment(f"{self.name} {self._does(each)}: {list_names(each.nodes)}", Tone.GOOD)
        if running and len(tasks) > 1:
            self._add_moment(f"{count_noun(len(running), 'task')} of its array at the same time; the others follow")
        if running:
            return ()
        stuck = [each for each in tasks if not each.over]
        if not stuck:
            cause = Cause(
                "job-ended", "the job ended before it ran", "read Slurm's reason, and fix the script's options"
            )
            return self._add_pending(tasks[0], cause)
        return self._add_pending(stuck[0], pending_cause(stuck[0].reason, self.controller.configuration, queue))

    def _does(self, task: Task) -> str:
        if task.state == "RUNNING":
            return "runs"
        up = set(task.nodes) <= set(self.controller.up)
        return "has its nodes" + ("" if up else f"; more than {MOST_NODES} nodes are not simulated")

    def _add_pending(self, task: Task, cause: Cause) -> tuple[Waiting, ...]:
        self._add_moment(f"{self.name} does not run: {cause.said}", Tone.BAD)
        return (Waiting(self.name, f"{task.state} ({task.reason})", cause, "Slurm"),)

    def _lose_nodes(self) -> Drill:
        return drills.lose_nodes(self.request.lost, self.job, self.name)

    def _end(self) -> None:
        if states := sorted({each.state for each in self.job.end()}):
            self._add_moment(
                f"{self.name} ends: {', '.join(states)}", Tone.GOOD if states == ["COMPLETED"] else Tone.BAD
            )

    def _outcome(self, waiting: tuple[Waiting, ...]) -> Outcome:
        controller, request = self.controller, self.request
        return Outcome(
            stack=request.blueprint.stack,
            job=self.name,
            kind="sbatch",
            kubernetes="",
            slurm=controller.version,
            unit=Unit.NODE,
            programs=report_programs(controller),
            verdict=Verdict.DOES_NOT_START if waiting else Verdict.STARTS,
            nodes=report_nodes(controller, self.job),
            pods=self._shares(waiting),
            waiting=waiting,
            simulated_parts=simulated_parts(controller.configuration, request.script),
            moments=(),
            notes=(*request.notes, *_notes(request, controller)),
        )

    def _shares(self, waiting: tuple[Waiting, ...]) -> tuple[PodReport, ...]:
        """The job on each of its nodes, or on none."""
        running = [each for each in self.job.now if each.has_nodes]
        if running and not waiting:
            each_one = ((task, node) for task in running for node in task.nodes)
            return tuple(PodReport(f"{self.name} ({node})", "node", PodState.RUNNING, node, {}) for _, node in each_one)
        requested = batch_script.requested_nodes(self.request.script.asks)
        number = max((each.requested for each in self.job.now), default=requested.number if requested else 1)
        state = PodState.WAITING if self.job.now else PodState.NOT_CREATED
        return tuple(PodReport(f"{self.name} (node {at})", "node", state, None, {}) for at in range(1, number + 1))

    def _add_moment(self, text: str, tone: Tone = Tone.STEP) -> None:
        self.moments.append(Moment(round(self.job.seconds, 2), text, tone))

    def _timed(self, step: str, doing: str) -> AbstractContextManager[None]:
        self.progress.status(f"{doing} ...")
        return time_step(self.seconds, step)


def _notes(request: RehearsalRequest, controller: Controller) -> Iterator[str]:
    service = controller.configuration.service
    if minor(controller.version) != service.slurm:
        yield (
            f"{service.title} has Slurm {service.slurm}, but the rehearsal ran with this "
            f"machine's {controller.version}: it rejects options that only the newer version has"
        )
    for group in request.blueprint.groups:
        if block := group.described.capacity.capacity_block:
            yield (
                f"the nodes of {group.name} exist only from {block.starts} to {block.ends}, the dates of their "
                "Capacity Block; an earlier job waits for them"
            )
    yield from service.notes(request.script)
    yield from _lines_not_read(request.script)
    if "begin" in request.script.asks:
        yield "the rehearsal ignores --begin and starts the job now"
    if "dependency" in request.script.asks:
        yield "the rehearsal does not have the jobs of --dependency; Slurm treats unknown jobs as completed"
    if "wait" in request.script.asks:
        yield "the rehearsal ignores --wait: sbatch returned immediately"
    if named := [f"--{each}" for each in _OF_ACCOUNTING if each in request.script.asks]:
        are = "is" if len(named) == 1 else "are"
        yield f"{list_names(named)} {are} not checked: a rehearsal has no accounting, and accepts any name"


def _lines_not_read(script: Script) -> Iterator[str]:
    """Notes about options that sbatch does not read."""
    if comments := script.commented:
        one = len(comments) == 1
        yield (
            f"{'line' if one else 'lines'} {list_names(str(each) for each in comments)}: '# SBATCH' is a comment; "
            "Slurm reads only '#SBATCH'. Remove the space to set the option"
        )
    if late := script.unread:
        yield (
            f"sbatch ignores #SBATCH on {'lines' if len(late) > 1 else 'line'} "
            f"{list_names(str(each) for each in late)}, after the script's first command: move "
            f"{'them' if len(late) > 1 else 'it'} above that command"
        )


_OF_ACCOUNTING = ("account", "qos", "wckey")
"""Options whose values are names in a cluster's accounting database."""


def minor(version: str) -> str:
    """``22.05.8`` -> ``22.05``."""
    return ".".join(version.split(".")[:2])


def _settings_refused(request: RehearsalRequest, controller: Controller, log: str) -> Outcome:
    """The result if slurmctld does not start. It would also fail on the head node, and with it the cluster's
    creation."""
    own = controller.configuration.settings
    named = [name for name in own if name.lower() in log.lower()]
    newer = (
        f"; this machine has Slurm {controller.version}, which rejects settings of newer versions"
        if controller.version
        else ""
    )
    cause = Cause(
        "settings-refused",
        f"slurmctld does not start with {', '.join(named) or 'these settings'}",
        f"fix slurm.settings according to this message{newer}",
        f"slurm.settings.{named[0]}" if len(named) == 1 else "slurm.settings",
    )
    return Outcome(
        stack=request.blueprint.stack,
        job=request.script.name or request.name,
        kind="sbatch",
        kubernetes="",
        slurm=controller.version,
        unit=Unit.NODE,
        programs=(Program("slurmctld", controller.version, "PATH"),),
        verdict=Verdict.DOES_NOT_START,
        nodes=(),
        pods=(),
        waiting=(Waiting(request.script.name or request.name, log, cause, "slurmctld"),),
        simulated_parts=(),
        moments=(),
        notes=request.notes,
    )
