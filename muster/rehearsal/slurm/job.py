"""A job on the rehearsal's Slurm: sbatch's messages about its script, and the job's states after submission."""

import re
import time
from dataclasses import dataclass

from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.processes import tail
from muster.rehearsal.slurm.batch_script import Script, waiting_body
from muster.rehearsal.slurm.controller import MOST_NODES, CommandResult, Controller
from muster.whole_number import whole_number

_ON_NODES = re.compile(r" on nodes (\S+) in partition (\S+)")
_QUIET = 1.0
"""Seconds without a change after which a waiting job counts as waiting forever."""
_TIMEOUT_SECONDS = 30.0
"""Seconds for a job to settle."""
_NO_REASON = frozenset({"None", "Priority", "WaitingForScheduling"})
"""Slurm's reasons for a job that it has not tried to schedule yet."""


@dataclass(frozen=True, slots=True)
class Task:
    """The job, or a task of an array."""

    id: str
    state: str
    """``RUNNING``: Slurm's state."""
    reason: str
    """Slurm's reason why it waits; ``None`` if Slurm gives none."""
    requested: int
    """The number of nodes."""
    nodes: tuple[str, ...]
    """The nodes that it has."""
    requeues: bool = True
    """Whether it restarts if one of its nodes is lost."""

    @property
    def has_nodes(self) -> bool:
        """Whether it runs, or its nodes are starting."""
        return self.state in {"RUNNING", "CONFIGURING"} and bool(self.nodes)

    @property
    def over(self) -> bool:
        """Whether it has ended, successfully or not. After the loss of a node it is COMPLETING until Slurm gives up the
        node."""
        if (self.state, self.reason, self.requeues) == ("COMPLETING", "NodeDown", False):
            return True
        return self.state not in {"PENDING", "RUNNING", "CONFIGURING", "REQUEUED", "COMPLETING", "SUSPENDED"}


class SlurmJob:
    """One script on one controller."""

    def __init__(self, controller: Controller, script: Script) -> None:
        self.controller = controller
        self.script = script
        self.id = ""
        self.began = time.monotonic()
        self.now: tuple[Task, ...] = ()

    @property
    def seconds(self) -> float:
        """Seconds since its first check."""
        return time.monotonic() - self.began

    def test(self, **instead: str) -> CommandResult:
        """The message of ``sbatch --test-only`` on the script's options, or with other options instead."""
        return self._sbatch("--test-only", *(f"--{name}={value}" for name, value in instead.items()))

    def _sbatch(self, *options: str) -> CommandResult:
        body = waiting_body(str(self.controller.folder))
        return self.controller.commands.run("sbatch", *self.script.arguments(), *options, stdin=body)

    @staticmethod
    def place(result: CommandResult) -> tuple[str, str]:
        """The nodes on which a test would start it, unexpanded, and its partition."""
        found = _ON_NODES.search(result.why)
        return (found[1], found[2]) if found else ("", "")

    def wake(self, expression: str) -> tuple[str, ...]:
        """Powers up nodes that are down, with Slurm's own power saving. Returns their names.

        Slurm would do so itself once a job has them, but would then check them only every 30 s.
        """
        names = self.controller.commands.names(expression) if expression else ()
        asleep = tuple(name for name in names if name not in self.controller.up)
        if asleep and len(asleep) + len(self.controller.up) <= MOST_NODES:
            for name in asleep:
                self.controller.commands.run_or_raise("scontrol", "update", f"NodeName={name}", "State=POWER_UP")
            self.controller.wait_until(
                lambda: set(asleep) <= set(self.controller.up), "Slurm did not request the nodes that it powers up"
            )
            self.controller.wait_until(
                lambda: self.controller.ready(asleep), "the simulated nodes did not all report to slurmctld"
            )
            return asleep
        return ()

    def submit(self) -> CommandResult:
        """Submits it, with a body that only waits."""
        folder = self.controller.folder
        options = ["--parsable", "--output=/dev/null", "--error=/dev/null", f"--chdir={folder}"]
        if "begin" in self.script.asks:
            options.append("--begin=now")
        result = self._sbatch(*options)
        self.id = result.out.partition(";")[0] if result.done else ""
        return result

    def look(self) -> tuple[Task, ...]:
        """The job's state in Slurm."""
        commands = self.controller.commands
        self.now = tuple(
            Task(
                id=each["JobId"],
                state=each["JobState"],
                reason=each["Reason"],
                requested=whole_number(each["NumNodes"].partition("-")[0]) or 0,  # ``2`` or ``2-4``
                nodes=commands.names(each["NodeList"]),
                requeues=each.get("Requeue") != "0",
            )
            for each in commands.records("job", self.id)
        )
        return self.now

    def settle(self) -> tuple[Task, ...]:
        """Waits until the job runs, has ended, or counts as waiting forever.

        Raises:
            RehearsalError: it does not settle.
        """
        until = time.monotonic() + _TIMEOUT_SECONDS
        seen, since = self.look(), time.monotonic()
        while time.monotonic() < until:
            self._launched(seen)
            moving = [each for each in seen if not self._rests(each)]
            if not moving:
                return seen
            decided = all(each.state == "PENDING" and each.reason not in _NO_REASON for each in moving)
            if decided and time.monotonic() - since > _QUIET:
                return seen
            self.controller.wait()
            if (now := self.look()) != seen:
                seen, since = now, time.monotonic()
        raise RehearsalError(f"the job does not settle: {seen[0].state} ({seen[0].reason})")

    def _rests(self, task: Task) -> bool:
        """Whether it runs or has ended, or has its nodes and they are up or more than the machine can run."""
        if task.state == "CONFIGURING":
            many = len(set(task.nodes) | set(self.controller.up)) > MOST_NODES
            return many or (bool(task.nodes) and self.controller.ready(task.nodes))
        return task.over or (task.state == "RUNNING" and self._began(task))

    def end(self) -> tuple[Task, ...]:
        """Lets its body end. Returns the tasks that have ended."""
        running = [each.id for each in self.look() if each.state == "RUNNING"]
        self.controller.end_jobs()
        self.controller.wait_until(
            lambda: all(each.over for each in self.look() if each.id in running), "the job did not end"
        )
        return tuple(each for each in self.now if each.id in running)

    def _began(self, task: Task) -> bool:
        """Whether its body runs."""
        return (self.controller.folder / f"began-{task.id}").exists()

    def _launched(self, tasks: tuple[Task, ...]) -> None:
        """Checks whether a simulated node failed to start a body, which is not an error of the job.

        Raises:
            RehearsalError: one could not.
        """
        for each in tasks:
            if each.reason.startswith("launch_failed") or (each.over and each.nodes and not self._began(each)):
                log = self.controller.folder / f"{each.nodes[0] if each.nodes else 'slurmctld'}.log"
                reason = "a simulated node cannot start the job's body; its log ends:"
                raise RehearsalError(reason, *tail(log))
