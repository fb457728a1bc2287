"""What a drill removes, and the log of the consequences."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from muster import message_text
from muster.blueprint.gpu_sharing import GPU
from muster.blueprint.node import DEVICE_CLASSES, EFA_RESOURCE
from muster.message_text import did_you_mean, list_names
from muster.rehearsal.kubernetes.job_run import JobPod, JobRun
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.kubernetes.pending_pods import pending_pods
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import Moment, SimulatedPart, Tone, Waiting
from muster.whole_number import whole_number


@dataclass(slots=True)
class DrillLog:
    """The moments of one drill."""

    job: JobRun
    moments: list[Moment] = field(default_factory=list)
    simulated_parts: list[SimulatedPart] = field(default_factory=list)
    """The simulated steps, one entry per occurrence."""

    def add(self, text: str, tone: Tone = Tone.STEP) -> None:
        """Adds an event at the current time."""
        self.moments.append(Moment(round(self.job.seconds, 2), text, tone))

    def add_simulated(self, text: str, part: SimulatedPart, tone: Tone = Tone.STEP) -> None:
        """Adds a simulated step to the moments and to the report's list of simulated parts."""
        self.simulated_parts.append(part)
        self.add(f"simulated: {text}", tone)

    def count(self, before: int) -> int:
        """Adds the number of running pods to the moments, and returns it."""
        last = self.job.running()
        self.add(f"running: {last} of {before}", Tone.GOOD if last >= before else Tone.BAD)
        return last

    def failed(self) -> bool:
        """Whether the job has failed permanently; adds the failure to the moments."""
        if why := self.job.failed():
            self.add(f"the job has failed: {why}", Tone.BAD)
        return bool(why)


def recreate_lost_pods(cluster: PlannedCluster, job: JobRun, log: DrillLog, lost: int) -> tuple[Waiting, ...]:
    """Has the controllers recreate lost pods, and returns the pods that wait."""
    again = job.recreate_pods(lost)
    if again:
        log.add(f"{list_names(again)} created again, as the job's real controller would do")
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
        ValueError: the text does not have this format.
    """
    name, _, written = text.partition("=")
    number = whole_number(written.strip(), 0)
    if number is None:
        raise ValueError(f"'{text}' is not a resource and a number; use the format efa=1")
    if not number:
        raise ValueError(f"'{text}' breaks no devices; give a number of at least 1")
    resource = SHORT_NAMES.get(name.strip(), name.strip())
    if "/" not in resource:
        known = ", ".join(SHORT_NAMES)
        raise ValueError(
            f"'{name.strip()}' is not a device{did_you_mean(name.strip(), SHORT_NAMES)} (devices: {known})"
        )
    return Loss(resource=resource, broken=number)


_UNREPORTED = {
    DEVICE_CLASSES[GPU]: (
        "NVIDIA's DRA driver does not report broken GPUs by default (its feature gate NVMLDeviceHealthCheck is off), "
        "so the drill would change nothing; use --lose-nodes"
    ),
    DEVICE_CLASSES[EFA_RESOURCE]: (
        "no source states how the EFA DRA driver reports a broken interface, so the drill is not evaluated; use "
        "--lose-nodes"
    ),
}
"""Why a drill cannot break devices that a DRA driver offers (dra-driver-nvidia-gpu 0.4.1,
`pkg/featuregates/featuregates.go`)."""


def check_loss(loss: Loss, nodes: Sequence[PlannedNode]) -> None:
    """Checks that these nodes have what a drill removes.

    Raises:
        RehearsalError: they do not.
    """
    zones = {node.zone for node in nodes if node.zone}
    if loss.zone and loss.zone not in zones:
        there = ", ".join(sorted(zones)) or "none: no group sets its zone"
        raise RehearsalError(f"no node is in zone '{loss.zone}'{did_you_mean(loss.zone, zones)} (zones: {there})")
    most = max((node.has(loss.resource) for node in nodes), default=0)
    claimed = DEVICE_CLASSES.get(loss.resource, "")
    if not most and any(node.published.get(claimed) for node in nodes):
        raise RehearsalError(_UNREPORTED[claimed])
    if loss.resource and not most:
        raise RehearsalError(f"no node has {loss.resource}, so none can fail")
    if loss.broken > most:
        raise RehearsalError(f"no node has {loss.broken} {loss.resource}; the maximum is {most}")
    if loss.nodes > len(nodes):
        raise RehearsalError(f"the drill cannot lose {loss.nodes} nodes: the cluster has only {len(nodes)}")
