"""Drills: what a loss does to a running job, played on the control plane.

A node is lost as EC2 loses it: its kubelet falls silent, the cloud controller finds that the instance is gone and
takes the Node away, its pods go with it, and Auto Scaling puts another in its place where there is capacity left. In
life that takes minutes, here it is done at once. A device breaks as its plugin reports it: the node offers one less,
and who runs goes on until it has to start again.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from muster.fleet.near_miss import did_you_mean
from muster.fleet.node import EFA_RESOURCE
from muster.rehearsal.faults import RehearsalFault
from muster.rehearsal.nodes import PlannedNode
from muster.rehearsal.outcome import Drill, Moment, Tone, Waiting
from muster.rehearsal.planned_cluster import PlannedCluster
from muster.rehearsal.pods import Pod
from muster.rehearsal.sent_job import SentJob
from muster.rehearsal.waiting import waiting_pods

_IN_LIFE = "in life 1 to 6 minutes after the node falls silent"
"""50 s until the controllers call it unreachable (`--node-monitor-grace-period`), about a minute until the collector
of pods removes what was on a Node that the cloud controller has taken away; 300 s (the toleration every pod gets)
where the instance is still there."""


@dataclass(frozen=True, slots=True)
class Loss:
    """What is to be lost: so many nodes, a zone, or some devices of a node."""

    nodes: int = 0
    zone: str = ""
    resource: str = ""
    broken: int = 0

    def __str__(self) -> str:
        if self.nodes:
            return f"lose-nodes {self.nodes}"
        return f"lose-zone {self.zone}" if self.zone else f"degrade {self.resource}={self.broken}"


SHORT_NAMES = {"efa": EFA_RESOURCE, "gpu": "nvidia.com/gpu", "neuron": "aws.amazon.com/neuron"}


def degrading(text: str) -> Loss:
    """Reads ``efa=1``.

    Raises:
        ValueError: it is no such thing.
    """
    name, equals, number = text.partition("=")
    if not equals or not number.strip().isdecimal() or not int(number):
        raise ValueError(f"'{text}' is not a resource and a number; write it as in efa=1")
    resource = SHORT_NAMES.get(name.strip(), name.strip())
    if "/" not in resource:
        known = ", ".join(SHORT_NAMES)
        raise ValueError(
            f"no devices are called '{name.strip()}'{did_you_mean(name.strip(), SHORT_NAMES)} (there are: {known})"
        )
    return Loss(resource=resource, broken=int(number))


def check(loss: Loss, nodes: Sequence[PlannedNode]) -> None:
    """Sees whether it can be lost of these nodes.

    Raises:
        RehearsalFault: they have none of it.
    """
    zones = {node.zone for node in nodes if node.zone}
    if loss.zone and loss.zone not in zones:
        there = ", ".join(sorted(zones)) or "none: no group says its zone"
        raise RehearsalFault(f"no node is in zone '{loss.zone}'{did_you_mean(loss.zone, zones)} (there are: {there})")
    most = max((number for node in nodes for each in node.devices.values()
                for resource, number in each.items() if resource == loss.resource), default=0)  # fmt: skip
    if loss.resource and not most:
        raise RehearsalFault(f"no node has {loss.resource}, so none can break")
    if loss.broken > most:
        raise RehearsalFault(f"no node has {loss.broken} {loss.resource}; the most is {most}")
    if loss.nodes > len(nodes):
        raise RehearsalFault(f"the cluster has {len(nodes)} nodes; {loss.nodes} cannot be lost")


@dataclass(slots=True)
class _Log:
    """The moments of one drill."""

    job: SentJob
    moments: list[Moment] = field(default_factory=list)

    def say(self, said: str, tone: Tone = Tone.STEP) -> None:
        self.moments.append(Moment(round(self.job.seconds, 2), said, tone))


def play(loss: Loss, cluster: PlannedCluster, job: SentJob, patience: float) -> Drill:
    """Plays one loss on a job that runs, and what follows.

    Raises:
        RehearsalFault: the control plane broke, or did not come to rest.
    """
    log = _Log(job)
    return _degraded(loss, cluster, job, log, patience) if loss.resource else _lost(loss, cluster, job, log, patience)


# Nodes.


def _lost(loss: Loss, cluster: PlannedCluster, job: SentJob, log: _Log, patience: float) -> Drill:
    before = _running(job)
    names = tuple(_of_zone(loss.zone, cluster) if loss.zone else _busiest(loss.nodes, cluster, job))
    hit = tuple(pod for pod in job.pods.now if pod.node in names)
    log.say(f"{_list(names)} {'is' if len(names) == 1 else 'are'} lost: {_pods(hit)} of the job there", Tone.BAD)
    job.pods.stir()
    cluster.lose(names)
    gone = {pod.uid for pod in hit}
    job.plane.wait_until(
        lambda: not gone & {pod.uid for pod in job.pods.now}, "the pods of a lost node did not go", patience
    )
    if hit:
        log.say(f"{_list(pod.name for pod in hit)} gone with {'it' if len(names) == 1 else 'them'} ({_IN_LIFE})")
    waiting = _after(cluster, job, log, patience)
    after = _running(job)
    if failed := job.failed():
        log.say(f"the job has failed: {failed}", Tone.BAD)
        said = "the job fails and does not come back by itself; raise its backoffLimit, or send it again"
        return Drill(str(loss), tuple(log.moments), before, after, after, said, waiting)
    job.pods.stir()
    new = cluster.replace(without=loss.zone)
    if not new:
        said = (
            f"the job does not go on: its nodes are in {loss.zone} alone"
            if after < before
            else "the job runs no pod there and goes on"
        )
        return Drill(str(loss), tuple(log.moments), before, after, after, said, waiting)
    one = len(new) == 1
    log.say(f"{_list(new)} {'joins in its' if one else 'join in their'} place (Auto Scaling, if the capacity is there)")
    job.settle(patience)
    last = _running(job)
    log.say(f"running: {last} of {before}", Tone.GOOD if last >= before else Tone.BAD)
    return Drill(str(loss), tuple(log.moments), before, after, last, _meaning(before, after, last), waiting)


def _meaning(before: int, after: int, last: int) -> str:
    if after >= before:
        return "the job goes on: the nodes that are left take its pods"
    if last >= before:
        return "the job waits for the replacement, then all its pods run again, from its last checkpoint"
    return "the job does not come back, not even on replaced nodes"


def _after(cluster: PlannedCluster, job: SentJob, log: _Log, patience: float) -> tuple[Waiting, ...]:
    """Lets the controllers make the pods again, and sees who waits."""
    again = job.make_again()
    if again:
        log.say(f"{_list(again)} made again, as the controller would that the rehearsal stands in for")
    if not job.failed():
        job.settle(patience)
    waiting = waiting_pods(cluster, job)
    running = _running(job)
    log.say(f"running: {running}; waiting: {len(waiting)}", Tone.BAD if waiting else Tone.GOOD)
    return waiting


def _busiest(number: int, cluster: PlannedCluster, job: SentJob) -> tuple[str, ...]:
    """Nodes that run pods of the job, those with devices first; then any."""
    busy = {pod.node for pod in job.pods.now}
    ranked = sorted(cluster.nodes, key=lambda node: (node.name not in busy, not node.devices, node.number))
    return tuple(node.name for node in ranked[:number])


def _of_zone(zone: str, cluster: PlannedCluster) -> Iterator[str]:
    return (node.name for node in cluster.nodes if node.zone == zone)


# Devices.


def _degraded(loss: Loss, cluster: PlannedCluster, job: SentJob, log: _Log, patience: float) -> Drill:
    before = _running(job)
    pod, node = _user_of(loss.resource, cluster, job)
    has = cluster.has(node, loss.resource)
    cluster.degrade(node, loss.resource, loss.broken)
    log.say(f"{node} offers {has - loss.broken} of its {has} {loss.resource}", Tone.BAD)
    if pod is None:
        cluster.degrade(node, loss.resource, 0)
        said = f"no pod of the job uses {loss.resource}: it goes on"
        return Drill(str(loss), tuple(log.moments), before, before, before, said)
    log.say(f"{pod.name} goes on with what it has: nothing evicts it")
    job.pods.stir()
    cluster.delete_pod(job.shape.namespace, pod.name)
    job.plane.wait_until(
        lambda: pod.uid not in {each.uid for each in job.pods.now}, f"{pod.name} did not end", patience
    )
    log.say(f"{pod.name} ends, as if its process had crashed")
    waiting = _after(cluster, job, log, patience)
    after = _running(job)
    if failed := job.failed():
        log.say(f"the job has failed: {failed}", Tone.BAD)
        cluster.degrade(node, loss.resource, 0)
        said = "the job fails with the first pod that ends, and does not come back by itself"
        return Drill(str(loss), tuple(log.moments), before, after, after, said, waiting)
    job.pods.stir()
    cluster.degrade(node, loss.resource, 0)
    log.say(f"{node} is repaired, or another in its place, and offers all {has}")
    job.settle(patience)
    last = _running(job)
    log.say(f"running: {last} of {before}", Tone.GOOD if last >= before else Tone.BAD)
    said = (
        "the job goes on until a pod has to start again; that one waits until the node is replaced"
        if waiting
        else "the job goes on: what is left is enough"
    )
    return Drill(str(loss), tuple(log.moments), before, after, last, said, waiting)


def _user_of(resource: str, cluster: PlannedCluster, job: SentJob) -> tuple[Pod | None, str]:
    """A pod of the job on a node that has the devices, and the node; any such node where the job uses none."""
    having = [node.name for node in cluster.nodes if cluster.has(node.name, resource)]
    for pod in job.pods.now:
        if pod.running and pod.node in having and resource in str(pod.spec.get("containers")):
            return pod, pod.node
    return None, having[0]


# Words.


def _running(job: SentJob) -> int:
    return sum(pod.running for pod in job.pods.now)


_MOST = 4


def _list(names: Iterable[str]) -> str:
    every = list(names)
    more = f" and {len(every) - _MOST} more" if len(every) > _MOST else ""
    return ", ".join(every[:_MOST]) + more


def _pods(pods: tuple[Pod, ...]) -> str:
    return f"{len(pods)} pod{'' if len(pods) == 1 else 's'}"
