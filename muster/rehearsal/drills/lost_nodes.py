"""Nodes that are lost as EC2 loses them.

The kubelet falls silent, the cloud controller finds that the instance is gone and takes the Node away, its pods go with
it, and Auto Scaling puts another in its place where there is capacity left. In life that takes minutes, here it is done
at once.
"""

from muster.rehearsal.drills.log import Log, aftermath, counted
from muster.rehearsal.drills.loss import Loss
from muster.rehearsal.outcome import Drill, Tone
from muster.rehearsal.planned_cluster import PlannedCluster
from muster.rehearsal.sent_job import SentJob
from muster.rehearsal.spares import assuming, spares
from muster.words import listed

_IN_LIFE = "in life 1 to 6 minutes after the node falls silent"
"""50 s until the controllers call it unreachable (`--node-monitor-grace-period`), about a minute until the collector
of pods removes what was on a Node that the cloud controller has taken away; 300 s (the toleration every pod gets)
where the instance is still there."""


def lose_nodes(loss: Loss, cluster: PlannedCluster, job: SentJob, log: Log) -> Drill:
    """Loses so many nodes, or all of a zone."""
    before = job.running()
    names = of_zone(loss.zone, cluster) if loss.zone else busiest(loss.nodes, cluster, job)
    nodes = cluster.by_group()
    lost = _take_away(names, loss.zone, cluster, job, log)
    waiting = aftermath(cluster, job, log, lost)
    after = job.running()

    def drill(last: int, said: str, assumes: str = "") -> Drill:
        words = assuming(said, assumes)
        return Drill(str(loss), tuple(log.moments), before, after, last, words, waiting, assumes=assumes)

    if log.failed():
        return drill(after, "the job fails and does not come back by itself; raise its backoffLimit, or send it again")
    new = cluster.replace(without=loss.zone)
    source = spares(cluster.blueprint, cluster.by_group(new), nodes, without=loss.zone)
    job.pods.stir()  # not before: until the new nodes offer their devices the pods may be quiet for long
    if new:
        place = "joins in its place" if len(new) == 1 else "join in their place"
        where = ", ".join(dict.fromkeys(cluster.node(name).zone for name in new if cluster.node(name).zone))
        log.say(f"{listed(new)} {place}{f' in {where}' if where else ''} (Auto Scaling: {source.said})")
    job.settle(cluster.patience)
    last = log.count(before) if new else after
    waited = after < before <= last
    return drill(last, _meaning(before, after, last, loss.zone), source.assumes if waited else "")


def _take_away(names: tuple[str, ...], zone: str, cluster: PlannedCluster, job: SentJob, log: Log) -> int:
    """Takes nodes away; how many pods of the job went with them."""
    hit, one = tuple(pod for pod in job.now if pod.node in names), len(names) == 1
    log.say(f"{listed(names)} {'is' if one else 'are'} lost: {counted(hit)} of the job there", Tone.BAD)
    job.pods.stir()
    cluster.lose(names, zone)
    gone = {pod.uid for pod in hit}
    job.plane.wait_until(lambda: gone.isdisjoint(pod.uid for pod in job.now), "pods of a lost node did not go")
    if hit:
        log.say(f"{listed(pod.name for pod in hit)} gone with {'it' if one else 'them'} ({_IN_LIFE})")
    return len(hit)


def busiest(number: int, cluster: PlannedCluster, job: SentJob) -> tuple[str, ...]:
    """Nodes that run pods of the job, those with devices first; then any."""
    busy = {pod.node for pod in job.now}
    ranked = sorted(cluster.nodes, key=lambda node: (node.name not in busy, not node.devices, node.number))
    return tuple(node.name for node in ranked[:number])


def of_zone(zone: str, cluster: PlannedCluster) -> tuple[str, ...]:
    """The nodes of a zone."""
    return tuple(node.name for node in cluster.nodes if node.zone == zone)


def _meaning(before: int, after: int, last: int, zone: str) -> str:
    if after >= before:
        return "the job goes on: the nodes that are left take its pods"
    if last >= before:
        return "the job waits for the replacement, then all its pods run again"
    if zone:
        return f"the job does not come back until {zone} does: what it needs is there alone"
    return "the job does not come back, not even on replaced nodes"
