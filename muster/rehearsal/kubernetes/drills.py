"""The drill `--lose-nodes`: nodes fail while a job runs, their group replaces them, and the job recovers or not.

On HyperPod the steps are those of a real cluster (SageMaker AI guide, "Automatic node recovery" and "Running jobs using
kubectl"): a faulty node is removed with its pods; if the job's annotations enable auto-resume, all of its pods are
deleted, and its operator creates them again; a new node joins, and its deep health checks run before any pod can start
there. The pods are real: the operator creates them and the scheduler places them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from muster.blueprint.hyperpod.commands import REPLACE_NODES
from muster.blueprint.hyperpod.node_labels import CHECKS_TAKE
from muster.jobs.group_selection import KUBEFLOW_OPERATOR
from muster.message_text import count_noun, list_names
from muster.rehearsal.kubernetes import hyperpod
from muster.rehearsal.kubernetes.job_run import JobRun
from muster.rehearsal.kubernetes.nodes import PlannedNode
from muster.rehearsal.kubernetes.pending_pods import pending_pods
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.machine_limits import RehearsalError
from muster.rehearsal.outcome import Drill, Moment, SimulatedPart, Tone, Waiting

_IN_LIFE = "on a real cluster, 1 to 6 minutes after the node stops responding"
"""50 s until the controllers mark the node unreachable (`--node-monitor-grace-period`), and about a minute until the
pod garbage collector removes the pods of a Node that the cloud controller has deleted; 300 s (the toleration that every
pod gets) if the instance still exists."""

_RECOVERY = SimulatedPart(
    "HyperPod's node recovery",
    "the faulty node is deleted immediately, and the new node joins immediately",
    "AWS's code; on a real cluster it takes minutes, and longer if no capacity is available",
)
_RESUME = SimulatedPart(
    "HyperPod's job auto-resume",
    "the job's pods are deleted, and its operator creates them again",
    "AWS's code, which runs outside the cluster",
)


def check_loss(lost: int, nodes: Sequence[PlannedNode]) -> None:
    """Checks that a cluster has so many nodes.

    Raises:
        RehearsalError: it has fewer.
    """
    if lost > len(nodes):
        raise RehearsalError(f"the drill cannot lose {count_noun(lost, 'node')}: the cluster has only {len(nodes)}")


@dataclass(slots=True)
class _Log:
    """What happens in the drill."""

    job: JobRun
    moments: list[Moment] = field(default_factory=list)
    simulated_parts: list[SimulatedPart] = field(default_factory=list)

    def add(self, text: str, tone: Tone = Tone.STEP) -> None:
        self.moments.append(Moment(round(self.job.seconds, 2), text, tone))

    def simulated(self, text: str, part: SimulatedPart, tone: Tone = Tone.STEP) -> None:
        self.simulated_parts.append(part)
        self.add(f"simulated: {text}", tone)


def lose_nodes(number: int, cluster: PlannedCluster, job: JobRun) -> Drill:
    """Removes nodes that run pods of the job, those with devices first, and lets the cluster react.

    Raises:
        RehearsalError: the control plane failed, or did not settle.
    """
    log, before = _Log(job), job.running()
    busy = {pod.node for pod in job.now}
    ranked = sorted(cluster.nodes, key=lambda node: (node.name not in busy, not node.devices, node.number))
    lost = tuple(node.name for node in ranked[:number])
    hit = _take_away(lost, cluster, job, log)
    automatic = not cluster.hyperpod or hyperpod.replaces_nodes(cluster.blueprint)
    resumed = cluster.hyperpod and hit > 0 and _resume(cluster, job, log, automatic=automatic)
    if again := job.recreate_pods(hit):
        log.add(f"{list_names(again)} created again, as the job's real controller would do")
    if not job.failed():
        job.settle(cluster.timeout)
    waiting = pending_pods(cluster, job)
    after = last = job.running()
    log.add(f"running: {after}; waiting: {len(waiting)}", Tone.BAD if waiting else Tone.GOOD)
    failed = job.failed()
    if failed:
        log.add(f"the job has failed: {failed}", Tone.BAD)
    elif automatic:
        waiting += _replace(cluster, job, log)
        last = job.running()
        log.add(f"running: {last} of {before}", Tone.GOOD if last >= before else Tone.BAD)
    assumes = _assumption(cluster, lost, ranked) if not failed and after < before <= last else ""
    said = _meaning(before, after, last, failed=bool(failed), automatic=automatic)
    again_text = "HyperPod restarts the job (simulated): " if resumed and not failed else ""
    text = f"{again_text}{said}" + (f"; this assumes that {assumes}" if assumes else "")
    name, parts = f"lose-nodes {number}", tuple(log.simulated_parts)
    return Drill(name, tuple(log.moments), before, after, last, text, waiting, parts, assumes, lost)


def _take_away(lost: tuple[str, ...], cluster: PlannedCluster, job: JobRun, log: _Log) -> int:
    """Removes nodes. Returns the number of the job's pods that were on them."""
    hit = {pod.uid: pod.name for pod in job.now if pod.node in lost}
    job.pods.restart_quiet()
    cluster.remove_nodes(lost)
    job.plane.wait_until(
        lambda: hit.keys().isdisjoint(pod.uid for pod in job.now), "pods of a lost node were not deleted"
    )
    text = f"{list_names(lost)} {'is' if len(lost) == 1 else 'are'} lost"
    log.add(f"{text}, with {list_names(hit.values())} ({_IN_LIFE})" if hit else text, Tone.BAD)
    return len(hit)


def _resume(cluster: PlannedCluster, job: JobRun, log: _Log, *, automatic: bool) -> bool:
    """Lets auto-resume stop the job, if it would. Returns whether it did."""
    operator = cluster.installed.version_of(KUBEFLOW_OPERATOR)
    why_not = hyperpod.no_auto_resume(job.document, job.shape, operator)
    if not why_not and not automatic:
        why_not = "it waits for a new node, but none joins"
    if why_not:
        log.add(f"HyperPod does not restart the job: {why_not}", Tone.BAD)
        return False
    job.delete_pods()
    log.simulated("HyperPod's auto-resume deletes all pods of the job to restart it", _RESUME)
    return True


def _replace(cluster: PlannedCluster, job: JobRun, log: _Log) -> tuple[Waiting, ...]:
    """Adds new nodes, and runs their deep health checks. Returns the pods that waited for these."""
    new = cluster.replace()
    job.pods.restart_quiet()  # not before: pods may not change for a long time until the new nodes offer their devices
    names = [node.name for node in new]
    text = f"{list_names(names)} {'replaces the lost node' if len(new) == 1 else 'replace the lost nodes'}"
    if cluster.hyperpod:
        log.simulated(text, _RECOVERY)
    else:
        who = (cluster.blueprint.group(node.group).described.node_creator for node in new)
        log.add(f"{text} ({' and '.join(dict.fromkeys(who))})")
    job.settle(cluster.timeout)
    checked = tuple(node for node in cluster.checked if node.name in names)
    if not checked:
        return ()
    waiting = pending_pods(cluster, job)
    part = hyperpod.simulated_checks(checked)
    log.simulated(f"HyperPod's deep health checks run on {list_names(node.name for node in checked)} first", part)
    cluster.end_checks()
    job.pods.restart_quiet()
    log.simulated(f"the checks end (on a real cluster after {CHECKS_TAKE})", part, Tone.GOOD)
    job.settle(cluster.timeout)
    return waiting


def _assumption(cluster: PlannedCluster, lost: Sequence[str], nodes: Iterable[PlannedNode]) -> str:
    """The condition for the capacity of new nodes, as a clause."""
    there, clauses = cluster.by_group(), []
    for name in dict.fromkeys(node.group for node in nodes if node.name in set(lost)):
        group = cluster.blueprint.group(name).described
        held, instance = group.capacity.held, group.instance_type
        sharing = (each.name for each in cluster.blueprint.groups if each.described.capacity.held == held)
        if held is None:
            clauses.append(f"AWS has {'Spot' if group.capacity.spot else 'on-demand'} capacity for {instance}")
        elif held.count - sum(there[each] for each in sharing) >= len(lost):
            clauses.append(f"an unused instance of the reservation of {instance} is still free")
        else:
            clauses.append(f"AWS replaces the hardware of a reservation of {instance} without an unused instance")
    return " and that ".join(clauses)


def _meaning(before: int, after: int, last: int, *, failed: bool, automatic: bool) -> str:
    if failed:
        return "the job fails and does not restart; raise its backoffLimit, or submit it again"
    if after >= before:
        return "the job continues: its pods run on the remaining nodes"
    if last >= before:
        return "the job waits for the replacement, then all its pods run again"
    if not automatic:
        return f"the job does not recover until you replace the node: `{REPLACE_NODES}`"
    return "the job does not recover, even after its nodes are replaced"
