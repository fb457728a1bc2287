"""What a drill takes away, and the log of what follows."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from muster import message_text
from muster.blueprint.node import EFA_RESOURCE
from muster.message_text import did_you_mean, list_names
from muster.rehearsal.kubernetes.job_run import JobPod, JobRun
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.kubernetes.pending_pods import pending_pods
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import Moment, StandIn, Tone, Waiting


@dataclass(slots=True)
class DrillLog:
    """The moments of one drill."""

    job: JobRun
    moments: list[Moment] = field(default_factory=list)
    stand_ins: list[StandIn] = field(default_factory=list)
    """The simulated steps, each as often as it occurred."""

    def add(self, text: str, tone: Tone = Tone.STEP) -> None:
        """Adds an event at the current time."""
        self.moments.append(Moment(round(self.job.seconds, 2), text, tone))

    def add_played(self, text: str, stand_in: StandIn, tone: Tone = Tone.STEP) -> None:
        """Adds a simulated step to the moments and to the report's stand-ins."""
        self.stand_ins.append(stand_in)
        self.add(f"played: {text}", tone)

    def count(self, before: int) -> int:
        """Adds the number of pods that run again to the moments, and returns it."""
        last = self.job.running()
        self.add(f"running: {last} of {before}", Tone.GOOD if last >= before else Tone.BAD)
        return last

    def failed(self) -> bool:
        """Whether the job has failed finally; adds the failure to the moments."""
        if why := self.job.failed():
            self.add(f"the job has failed: {why}", Tone.BAD)
        return bool(why)


def recreate_lost_pods(cluster: PlannedCluster, job: JobRun, log: DrillLog, lost: int) -> tuple[Waiting, ...]:
    """Has the controllers recreate lost pods, and returns the pods that wait."""
    again = job.recreate_pods(lost)
    if again:
        log.add(f"{list_names(again)} made again, as the controller would that the rehearsal stands in for")
    if not job.failed():
        job.settle(cluster.timeout)
    waiting = pending_pods(cluster, job)
    log.add(f"running: {job.running()}; waiting: {len(waiting)}", Tone.BAD if waiting else Tone.GOOD)
    return waiting


def count_pods(pods: tuple[JobPod, ...]) -> str:
    """``2 pods``."""
    return message_text.count_noun(len(pods), "pod")


@dataclass(frozen=True, slots=True)
class Loss:
    """What a drill removes: a number of nodes, a zone, or devices of a node."""

    nodes: int = 0
    zone: str = ""
    resource: str = ""
    broken: int = 0

    def __str__(self) -> str:
        if self.nodes:
            return f"lose-nodes {self.nodes}"
        return f"lose-zone {self.zone}" if self.zone else f"degrade {self.resource}={self.broken}"


SHORT_NAMES = {"efa": EFA_RESOURCE, "gpu": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}


def parse_degradation(text: str) -> Loss:
    """Reads ``efa=1``.

    Raises:
        ValueError: the text does not have this form.
    """
    name, equals, number = text.partition("=")
    if not equals or not number.strip().isdecimal():
        raise ValueError(f"'{text}' is not a resource and a number; write it as in efa=1")
    if not int(number):
        raise ValueError(f"'{text}' breaks nothing; give at least 1")
    resource = SHORT_NAMES.get(name.strip(), name.strip())
    if "/" not in resource:
        known = ", ".join(SHORT_NAMES)
        raise ValueError(
            f"no devices are called '{name.strip()}'{did_you_mean(name.strip(), SHORT_NAMES)} (there are: {known})"
        )
    return Loss(resource=resource, broken=int(number))


def check_loss(loss: Loss, nodes: Sequence[PlannedNode]) -> None:
    """Checks that these nodes have what a drill removes.

    Raises:
        RehearsalError: they do not.
    """
    zones = {node.zone for node in nodes if node.zone}
    if loss.zone and loss.zone not in zones:
        there = ", ".join(sorted(zones)) or "none: no group says its zone"
        raise RehearsalError(f"no node is in zone '{loss.zone}'{did_you_mean(loss.zone, zones)} (there are: {there})")
    most = max((node.has(loss.resource) for node in nodes), default=0)
    if loss.resource and not most:
        raise RehearsalError(f"no node has {loss.resource}, so none can break")
    if loss.broken > most:
        raise RehearsalError(f"no node has {loss.broken} {loss.resource}; the most is {most}")
    if loss.nodes > len(nodes):
        raise RehearsalError(f"the cluster has {len(nodes)} nodes; {loss.nodes} cannot be lost")
