"""Drills in which EC2 loses nodes of a Slurm job.

slurmd stops responding. After SlurmdTimeout, slurmctld marks the node down and requeues the job, or fails it if it may
not be requeued. The service replaces the instance (`SlurmService.replaces`). On a real cluster this takes minutes; the
drill does it immediately.
"""

from collections.abc import Iterable

from muster.message_text import count_noun, list_names
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import Drill, Moment, Tone, Waiting
from muster.rehearsal.slurm.causes import pending_cause
from muster.rehearsal.slurm.configuration import Configuration
from muster.rehearsal.slurm.job import SlurmJob, Task

_FROM = "from the beginning, or from a checkpoint if the program loads one"
"""Slurm runs the whole script again; the drill does not know whether the program resumes."""


def check_loss(lost: int, configuration: Configuration) -> None:
    """Checks whether the cluster has this number of nodes.

    Raises:
        RehearsalError: the cluster has fewer.
    """
    have = sum(line.number for line in configuration.lines)
    if lost > have:
        raise RehearsalError(f"the drill cannot lose {lost}: the cluster has at most {count_noun(have, 'node')}")


def lose_nodes(number: int, job: SlurmJob, name: str) -> Drill:
    """Removes nodes of the job, beginning with the last."""
    return _Loss(number, job, name).run()


class _Loss:
    """The state of one loss."""

    def __init__(self, number: int, job: SlurmJob, name: str) -> None:
        self.number, self.job, self.name = number, job, name
        self.controller = job.controller
        self.service = job.controller.configuration.service
        self.moments: list[Moment] = []

    def run(self) -> Drill:
        """Removes the nodes, and records the effect on the job."""
        before = _running(self.job.look())
        task = next(each for each in self.job.now if each.has_nodes)
        lost = tuple(reversed(task.nodes))[: self.number]
        if len(lost) < self.number:
            text = (
                f"drill skipped: the job runs on only {count_noun(len(lost), 'node')}, so it cannot lose {self.number}"
            )
            return Drill(f"lose-nodes {self.number}", (), before, before, before, text)
        self._take_away(lost)
        now = self._shaken(task)
        after = _running(self.job.now)
        if now.over:
            self._add_moment(f"Slurm ends {self.name}: {now.reason}", Tone.BAD)
            self._replace(lost)
            text = "the job fails and does not restart, because its script sets --no-requeue; submit it again"
            return self._drill(before, after, after, text)
        self._add_moment(f"Slurm requeues {self.name} ({now.state}, {now.reason})", Tone.BAD)
        again = self._begin_again(now)
        waiting: tuple[Waiting, ...] = ()
        if again.has_nodes:
            runs = "runs on" if again.state == "RUNNING" else "will run in a moment on its new nodes"
            self._add_moment(f"{self.name} {runs} {list_names(again.nodes)}", Tone.GOOD)
            self._replace(lost)
            after = len(again.nodes)
            text = f"the job restarts on other nodes of the queue, {_FROM}"
            return self._drill(before, after, after, text)
        cause = pending_cause(again.reason, self.controller.configuration, "")
        waiting = (Waiting(self.name, f"{again.state} ({again.reason})", cause, "Slurm"),)
        self._add_moment(f"{self.name} waits: {again.reason}", Tone.BAD)
        self._replace(lost)
        last = self._state(task)
        if not last.has_nodes:
            last = next(each for each in self.job.settle() if each.id == task.id)
        number = len(last.nodes) if last.has_nodes else 0
        runs = f"runs on {count_noun(number, 'node')}" if number else f"still waits: {last.reason}"
        self._add_moment(f"{self.name} {runs}", Tone.GOOD if number >= before else Tone.BAD)
        text = (
            f"the job waits for the replacement, then restarts {_FROM}"
            if number >= before
            else "the job does not recover, even after its nodes are replaced"
        )
        return self._drill(before, after, number, text, waiting)

    def _take_away(self, lost: tuple[str, ...]) -> None:
        for each in lost:
            self.controller.stop_node(each)
        are = "is" if len(lost) == 1 else "are"
        self._add_moment(f"{list_names(lost)} {are} lost", Tone.BAD)
        self._update(lost, "State=DOWN", "Reason=lost")
        self._add_moment(
            f"simulated: slurmctld marks {'it' if len(lost) == 1 else 'them'} down ({self.service.silent})"
        )

    def _begin_again(self, task: Task) -> Task:
        """Skips the time that a requeued job waits."""
        # Slurm would itself request nodes that are not up, but would check them only every 30 s.
        self.job.wake(self.job.place(self.job.test())[0])
        # If it has started meanwhile, Slurm rejects this, which is fine.
        if self.controller.commands.run("scontrol", "update", f"JobId={task.id}", "StartTime=now").done:
            self._add_moment(f"simulated: the job may start again ({self.service.again})")
        return next(each for each in self.job.settle() if each.id == task.id)

    def _replace(self, lost: tuple[str, ...]) -> None:
        """Simulates the service: new instances with the same names."""
        self.controller.start(lost)
        self.controller.wait_until(
            lambda: self._reported(lost), "the simulated replacement nodes did not report to slurmctld"
        )
        instances = "a new instance replaces it" if len(lost) == 1 else f"{len(lost)} new instances replace them"
        names = "name" if len(lost) == 1 else "names"
        self._add_moment(f"simulated: {instances} under the same {names} {self.service.replaced}")

    def _reported(self, names: Iterable[str]) -> bool:
        self._update(names, "State=RESUME")
        return self.controller.ready(names)

    def _update(self, names: Iterable[str], *what: str) -> None:
        for each in names:
            self.controller.commands.run("scontrol", "update", f"NodeName={each}", *what)

    def _shaken(self, task: Task) -> Task:
        """The job once Slurm has requeued or ended it."""
        self.controller.wait_until(
            lambda: (now := self._state(task)).over or now.state == "PENDING", "Slurm did not requeue or end the job"
        )
        return self._state(task)

    def _state(self, task: Task) -> Task:
        return next(each for each in self.job.look() if each.id == task.id)

    def _add_moment(self, text: str, tone: Tone = Tone.STEP) -> None:
        self.moments.append(Moment(round(self.job.seconds, 2), text, tone))

    def _drill(self, before: int, after: int, last: int, text: str, waiting: tuple[Waiting, ...] = ()) -> Drill:
        return Drill(f"lose-nodes {self.number}", tuple(self.moments), before, after, last, text, waiting)


def _running(tasks: Iterable[Task]) -> int:
    return sum(len(each.nodes) for each in tasks if each.has_nodes)
