"""Faulty nodes that HyperPod replaces, and jobs that it restarts.

The steps of a real cluster, which the drill simulates (SageMaker AI guide, "Automatic node recovery" and "Running jobs
using kubectl"; awslabs/ai-on-sagemaker-hyperpod b13e484, `resiliency/eks-resiliency.md`, with the output of kubectl):

1. The health monitoring agent finds a fault: it labels and taints the node. Pods continue to run.
2. With automatic node recovery, HyperPod removes the node with its pods. Otherwise, the user must act.
3. If the job's annotations enable auto-resume, HyperPod stops the job, and the operator creates all its pods again.
4. A new node joins. If its group has deep health checks, they run before any pod can start on it.

The pods are real: the operator creates them and the scheduler places them.
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
from muster.rehearsal.outcome import Drill, SimulatedPart, Tone, Waiting, group_causes

_AGENT = SimulatedPart(
    "HyperPod's health monitoring agent",
    "it finds a fault, and the node gets the label and the taint immediately",
    "the agent is AWS's code, and simulated nodes have no hardware",
)
_LOSS = SimulatedPart(
    "the loss", "the nodes and their pods are deleted immediately", "simulated nodes do not fail by themselves"
)
_RESUME = SimulatedPart(
    "HyperPod's job auto-resume",
    "the job's pods are deleted, and its operator creates them again",
    "AWS's code, which runs outside the cluster",
)


def _recovery(simulated_by: str) -> SimulatedPart:
    why = "AWS's code; on a real cluster it takes minutes, and longer if no capacity is available"
    return SimulatedPart("HyperPod's node recovery", simulated_by, why)


def replace_nodes(loss: Loss, cluster: PlannedCluster, job: JobRun, log: DrillLog) -> Drill:
    """Simulates the loss of a number of nodes, or of all nodes of a zone, and HyperPod's reaction."""
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
        "the job fails and does not restart; raise its backoffLimit, or submit it again"
        if failed
        else _meaning(before, after, last, loss.zone, automatic=automatic, resumed=resumed)
    )
    assumed = assumes if not failed and after < before <= last else ""
    words = with_assumptions(text, assumed)
    return Drill(
        str(loss), tuple(log.moments), before, after, last, words, waiting, tuple(log.simulated_parts), assumed
    )


def _mark_for_replacement(
    names: tuple[str, ...], hit: tuple[JobPod, ...], cluster: PlannedCluster, job: JobRun, log: DrillLog
) -> None:
    """The agent has found a fault: the nodes get the label and the taint, and the pods continue to run."""
    cluster.mark_for_replacement(names)
    text = f"{NODE_HEALTH}={Health.TO_REPLACE}, with the taint {TAINT}"
    log.add_simulated(f"HyperPod's health monitoring agent finds {list_names(names)} faulty: {text}", _AGENT, Tone.BAD)
    going = [pod for pod in job.now if pod.running and pod.uid in {each.uid for each in hit}]
    if going:
        verb = "continues" if len(going) == 1 else "continue"
        log.add(f"{count_pods(tuple(going))} of the job there {verb} to run: the taint only blocks new pods")


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
    job.plane.wait_until(lambda: gone.isdisjoint(pod.uid for pod in job.now), "pods of a lost node were not deleted")
    one = len(names) == 1
    them = f", with {list_names(pod.name for pod in hit)}" if hit else ""
    if loss.zone:
        log.add_simulated(f"{list_names(names)} {'is' if one else 'are'} lost{them}", _LOSS, Tone.BAD)
    elif automatic:
        text = f"HyperPod removes {list_names(names)}{them} (node-recovery: automatic)"
        log.add_simulated(text, _recovery("the faulty node is deleted immediately"), Tone.BAD)
    else:
        log.add_simulated(f"{list_names(names)} {'fails' if one else 'fail'} permanently{them}", _LOSS, Tone.BAD)
        log.add(f"node-recovery is none: HyperPod adds no new node until you run `{REPLACE_NODES}`", Tone.BAD)


def _resume(resuming: AutoResume, loss: Loss, job: JobRun, log: DrillLog, *, automatic: bool) -> bool:
    """Lets auto-resume stop the job, if it would. Returns whether it did."""
    why_not = resuming.why_not
    if not why_not and not automatic:
        why_not = "it waits for a new node, but none joins"
    if not why_not and loss.zone:
        why_not = f"it waits for new nodes, but {loss.zone} has none"
    if not why_not and job.resumed >= resuming.retries:
        why_not = f"it has already restarted the job {job.resumed} of {resuming.retries} times"
    if why_not:
        log.add(f"HyperPod does not restart the job: {why_not}", Tone.BAD)
        return False
    job.delete_pods()
    which = f"{job.resumed} of {resuming.retries}"
    log.add_simulated(f"HyperPod's auto-resume deletes all pods of the job to restart it ({which})", _RESUME)
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
    place = "replaces the lost node" if len(new) == 1 else "replace the lost nodes"
    source = replacement_source(cluster.blueprint, cluster.by_group(new), nodes, without=loss.zone)
    log.add_simulated(f"{list_names(new)} {place} ({source.text})", _recovery("the new node joins immediately"))
    checked = tuple(node for node in cluster.checked if node.name in new)
    if not checked:
        return new, (), source.assumes
    names, part = tuple(node.name for node in checked), hyperpod.simulated_checks_of_new_nodes(checked)
    log.add_simulated(f"HyperPod's deep health checks run on {list_names(names)} first", part)
    job.settle(cluster.timeout)
    waiting = pending_pods(cluster, job)
    for each in group_causes(waiting):
        pods = f"{len(each.pods)} pods wait" if len(each.pods) > 1 else f"{each.pods[0]} waits"
        log.add(f"{pods}: {each.cause.said}")
    are = "is" if len(names) == 1 else "are"
    text = f"the checks end (on a real cluster after {CHECKS_TAKE}): {list_names(names)} {are} Schedulable"
    log.add_simulated(text, part, Tone.GOOD)
    cluster.end_checks(names)
    job.pods.restart_quiet()
    return new, waiting, source.assumes


def _meaning(before: int, after: int, last: int, zone: str, *, automatic: bool, resumed: bool) -> str:
    again = "HyperPod restarts the job (simulated), and " if resumed else ""
    if after >= before:
        return f"{again or 'the job continues: '}its pods run on the remaining nodes"
    if last >= before:
        return f"{again or 'the job waits: '}all its pods run once the new node is Schedulable"
    if zone:
        return f"the job does not recover until {zone} does: it needs nodes that exist only in this zone"
    if not automatic:
        return f"the job does not recover until you replace the node: `{REPLACE_NODES}`"
    return "the job does not recover, even after its nodes are replaced"
