"""Devices that break as their plugin reports it: the node offers fewer, and who runs goes on until it starts again."""

from muster.rehearsal.drills.log import Log, aftermath
from muster.rehearsal.drills.loss import Loss
from muster.rehearsal.outcome import Drill, Tone
from muster.rehearsal.planned_cluster import PlannedCluster
from muster.rehearsal.pods import Pod
from muster.rehearsal.sent_job import SentJob


def break_devices(loss: Loss, cluster: PlannedCluster, job: SentJob, log: Log) -> Drill:
    """Breaks devices of a node that the job uses, and lets a pod there start again."""
    before = job.running()
    pod, node = _user_of(loss.resource, cluster, job)
    has = cluster.node(node).has(loss.resource)
    cluster.degrade(node, loss.resource, loss.broken)
    log.say(f"{node} offers {has - loss.broken} of its {has} {loss.resource}", Tone.BAD)
    if pod is None:
        cluster.degrade(node, loss.resource, 0)
        said = f"no pod of the job uses {loss.resource}: it goes on"
        return Drill(str(loss), tuple(log.moments), before, before, before, said)
    log.say(f"{pod.name} goes on with what it has: nothing evicts it")
    if cluster.hyperpod:
        said = (
            "HyperPod's health monitoring agent may mark the node, to be rebooted or replaced; that is not played here"
        )
        log.say(f"{said}, but with --lose-nodes")
    _end(pod, cluster, job)
    log.say(f"{pod.name} is deleted, as by whoever wants it to start afresh")
    waiting = aftermath(cluster, job, log, 1)
    after = job.running()
    failed = log.failed()
    job.pods.stir()
    cluster.degrade(node, loss.resource, 0)
    if failed:
        said = "the job fails with the first pod that is deleted, and does not come back by itself"
        return Drill(str(loss), tuple(log.moments), before, after, after, said, waiting)
    log.say(f"{node} is repaired, or another in its place, and offers all {has}")
    job.settle(cluster.patience)
    said = (
        "the job goes on until a pod has to be made anew; that one waits until the node is replaced"
        if waiting
        else "the job goes on: what is left is enough"
    )
    return Drill(str(loss), tuple(log.moments), before, after, log.count(before), said, waiting)


def _user_of(resource: str, cluster: PlannedCluster, job: SentJob) -> tuple[Pod | None, str]:
    """A pod of the job that uses the devices, and its node; any node that has some where the job uses none."""
    having = [node.name for node in cluster.nodes if node.has(resource)]
    for pod in job.now:
        if pod.running and pod.node in having and pod.asks.get(resource):
            return pod, pod.node
    return None, having[0]


def _end(pod: Pod, cluster: PlannedCluster, job: SentJob) -> None:
    job.pods.stir()
    cluster.delete_pod(job.shape.namespace, pod.name, pod.uid)
    job.plane.wait_until(lambda: pod.uid not in {each.uid for each in job.now}, f"{pod.name} did not end")
