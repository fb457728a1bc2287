"""Nodes that HyperPod finds faulty and replaces, and the job that it starts again.

What happens on a real cluster, and is simulated here step by step (SageMaker AI guide, "Automatic node recovery" and
"Running jobs using kubectl"; awslabs/ai-on-sagemaker-hyperpod b13e484, `resiliency/eks-resiliency.md`, with what
kubectl shows
meanwhile):

1. The health monitoring agent finds a fault: it labels the node, and taints it. That ends no pod.
2. With automatic node recovery the node is removed with its pods; without it, the user must act.
3. Auto-resume brings the job down, if the job's annotations want it, and the operator makes all its pods again.
4. A new node joins; where its group has deep health checks, they run before any pod is placed on it.

Real are the pods, which the operator makes and the scheduler places.
"""

from collections.abc import Mapping

from muster.blueprint.hyperpod.commands import REPLACE_NODES
from muster.blueprint.hyperpod.node_labels import CHECKS_TAKE, NODE_HEALTH, TAINT, Health
from muster.jobs.group_selection import KUBEFLOW_OPERATOR
from muster.message_text import list_names
from muster.rehearsal.kubernetes import hyperpod
from muster.rehearsal.kubernetes.drills.loss import DrillLog, Loss, count_pods, recreate_lost_pods
from muster.rehearsal.kubernetes.drills.node_loss import (
    busiest_nodes,
    nodes_of_zone,
    replacement_source,
    with_assumptions,
)
from muster.rehearsal.kubernetes.hyperpod import AutoResume, auto_resume, replaces_nodes
from muster.rehearsal.kubernetes.job_run import JobPod, JobRun
from muster.rehearsal.kubernetes.pending_pods import pending_pods
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.outcome import Drill, StandIn, Tone, Waiting, group_causes

_AGENT = StandIn(
    "HyperPod's health monitoring agent",
    "it finds a fault, and the node has the label and the taint, at once",
    "AWS's own code, and no node here has hardware",
)
_LOSS = StandIn("the loss itself", "the nodes go at once, and their pods with them", "no node here fails by itself")
_RESUME = StandIn(
    "HyperPod's job auto-resume",
    "the job's pods are deleted, and its operator makes them again",
    "AWS's own code, outside the cluster",
)


def _recovery(played_by: str) -> StandIn:
    why = "AWS's own code; in life it takes minutes, and more where there is no capacity"
    return StandIn("HyperPod's node recovery", played_by, why)


def replace_nodes(loss: Loss, cluster: PlannedCluster, job: JobRun, log: DrillLog) -> Drill:
    """Plays the loss of so many nodes, or of all of a zone, as HyperPod answers it."""
    before = job.running()
    names = nodes_of_zone(loss.zone, cluster) if loss.zone else busiest_nodes(loss.nodes, cluster, job)
    hit = tuple(pod for pod in job.now if pod.node in names)
    nodes = cluster.by_group()
    automatic = replaces_nodes(cluster.blueprint)
    resuming = auto_resume(job.document, job.shape, cluster.installed.version_of(KUBEFLOW_OPERATOR))
    if not loss.zone:
        _mark_for_replacement(names, hit, cluster, job, log)
    _take_away(names, hit, loss, cluster, job, log, automatic=automatic)
    resumed = bool(hit) and _resume(resuming, loss, job, log, automatic=automatic)
    waiting = recreate_lost_pods(cluster, job, log, len(hit))
    after = last = job.running()
    new: tuple[str, ...] = ()
    assumes = ""
    failed = log.failed()
    if automatic and not failed:
        new, checked, assumes = _replace(loss, cluster, job, log, nodes)
        waiting += checked
        job.settle(cluster.timeout)
        last = log.count(before) if new else after
    text = (
        "the job fails and does not come back by itself; raise its backoffLimit, or send it again"
        if failed
        else _meaning(before, after, last, loss.zone, automatic=automatic, resumed=resumed)
    )
    assumed = assumes if not failed and after < before <= last else ""
    words = with_assumptions(text, assumed)
    return Drill(str(loss), tuple(log.moments), before, after, last, words, waiting, tuple(log.stand_ins), assumed)


def _mark_for_replacement(
    names: tuple[str, ...], hit: tuple[JobPod, ...], cluster: PlannedCluster, job: JobRun, log: DrillLog
) -> None:
    """The agent has found a fault: labels and the taint, and the pods go on."""
    cluster.mark_for_replacement(names)
    text = f"{NODE_HEALTH}={Health.TO_REPLACE}, with the taint {TAINT}"
    log.add_played(f"HyperPod's health monitoring agent finds {list_names(names)} faulty: {text}", _AGENT, Tone.BAD)
    going = [pod for pod in job.now if pod.running and pod.uid in {each.uid for each in hit}]
    if going:
        they = "it goes" if len(going) == 1 else "they go"
        log.add(f"{count_pods(tuple(going))} of the job there: {they} on, for the taint only keeps new pods off")


def _take_away(
    names: tuple[str, ...],
    hit: tuple[JobPod, ...],
    loss: Loss,
    cluster: PlannedCluster,
    job: JobRun,
    log: DrillLog,
    *,
    automatic: bool,
) -> None:
    job.pods.restart_quiet()
    cluster.remove_nodes(names, loss.zone)
    gone = {pod.uid for pod in hit}
    job.plane.wait_until(lambda: gone.isdisjoint(pod.uid for pod in job.now), "pods of a lost node did not go")
    one = len(names) == 1
    them = f", and {list_names(pod.name for pod in hit)} with {'it' if one else 'them'}" if hit else ""
    if loss.zone:
        log.add_played(f"{list_names(names)} {'is' if one else 'are'} lost{them}", _LOSS, Tone.BAD)
    elif automatic:
        text = f"HyperPod takes {list_names(names)} away{them} (node-recovery: automatic)"
        log.add_played(text, _recovery("the faulty node's end, at once"), Tone.BAD)
    else:
        log.add_played(f"{list_names(names)} {'fails' if one else 'fail'} for good{them}", _LOSS, Tone.BAD)
        log.add(f"node-recovery is none: no new node comes by itself; `{REPLACE_NODES}` brings one", Tone.BAD)


def _resume(resuming: AutoResume, loss: Loss, job: JobRun, log: DrillLog, *, automatic: bool) -> bool:
    """Lets auto-resume bring the job down, where it would; whether it did."""
    why_not = resuming.why_not
    if not why_not and not automatic:
        why_not = "it waits for a new node, and none comes"
    if not why_not and loss.zone:
        why_not = f"it waits for new nodes, and {loss.zone} has none"
    if not why_not and job.resumed >= resuming.retries:
        why_not = f"it did so {job.resumed} of {resuming.retries} times already"
    if why_not:
        log.add(f"HyperPod does not start the job again: {why_not}", Tone.BAD)
        return False
    job.delete_pods()
    which = f"{job.resumed} of {resuming.retries}"
    log.add_played(f"HyperPod's auto-resume brings the job down, all its pods, to start it again ({which})", _RESUME)
    return True


def _replace(
    loss: Loss, cluster: PlannedCluster, job: JobRun, log: DrillLog, nodes: Mapping[str, int]
) -> tuple[tuple[str, ...], tuple[Waiting, ...], str]:
    """Adds new nodes and runs their deep health checks. Returns their names, the pods that waited, and the
    assumptions."""
    new = cluster.replace(without=loss.zone)
    job.pods.restart_quiet()
    if not new:
        return (), (), ""
    place = "joins in its place" if len(new) == 1 else "join in their place"
    source = replacement_source(cluster.blueprint, cluster.by_group(new), nodes, without=loss.zone)
    log.add_played(f"{list_names(new)} {place} ({source.text})", _recovery("the new node's coming, at once"))
    checked = tuple(node for node in cluster.checked if node.name in new)
    if not checked:
        return new, (), source.assumes
    names, stand_in = tuple(node.name for node in checked), hyperpod.stand_in_for_new_nodes(checked)
    log.add_played(f"HyperPod's deep health checks run on {list_names(names)} first", stand_in)
    job.settle(cluster.timeout)
    waiting = pending_pods(cluster, job)
    for each in group_causes(waiting):
        pods = f"{len(each.pods)} pods wait" if len(each.pods) > 1 else f"{each.pods[0]} waits"
        log.add(f"{pods}: {each.cause.said}")
    are = "is" if len(names) == 1 else "are"
    text = f"they end (in life after {CHECKS_TAKE}): {list_names(names)} {are} Schedulable"
    log.add_played(text, stand_in, Tone.GOOD)
    cluster.end_checks(names)
    job.pods.restart_quiet()
    return new, waiting, source.assumes


def _meaning(before: int, after: int, last: int, zone: str, *, automatic: bool, resumed: bool) -> str:
    again = "HyperPod starts the job again (played), and " if resumed else ""
    if after >= before:
        return f"{again or 'the job goes on: '}the nodes that are left take its pods"
    if last >= before:
        return f"{again or 'the job waits: '}all its pods run once the new node is Schedulable"
    if zone:
        return f"the job does not come back until {zone} does: what it needs is there alone"
    if not automatic:
        return f"the job does not come back until somebody replaces the node: `{REPLACE_NODES}`"
    return "the job does not come back, not even on replaced nodes"
