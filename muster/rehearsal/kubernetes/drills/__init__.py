"""Drills: what a loss does to a running job, simulated on the control plane."""

from muster.rehearsal.kubernetes.drills.full_queue import FullQueue
from muster.rehearsal.kubernetes.drills.loss import SHORT_NAMES, DrillLog, Loss, check_loss, parse_degradation
from muster.rehearsal.kubernetes.drills.node_loss import break_devices, lose_nodes
from muster.rehearsal.kubernetes.drills.node_replacement import replace_nodes
from muster.rehearsal.kubernetes.job_run import JobRun
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.outcome import Drill

__all__ = ["SHORT_NAMES", "FullQueue", "Loss", "check_loss", "parse_degradation", "run_drill"]


def run_drill(loss: Loss, cluster: PlannedCluster, job: JobRun) -> Drill:
    """Plays one loss on a job that runs, and what follows.

    Raises:
        RehearsalError: the control plane broke, or did not come to rest.
    """
    log, before = DrillLog(job), job.running()
    if log.failed():
        text = "not played: the job has failed in the drill before"
        return Drill(str(loss), tuple(log.moments), before, before, before, text)
    if loss.resource:
        return break_devices(loss, cluster, job, log)
    return (replace_nodes if cluster.hyperpod else lose_nodes)(loss, cluster, job, log)
