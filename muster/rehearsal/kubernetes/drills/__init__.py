"""Drills: the effects of a loss on a running job, simulated on the control plane."""

from muster.rehearsal.kubernetes.drills.full_queue import FullQueue
from muster.rehearsal.kubernetes.drills.loss import SHORT_NAMES, DrillLog, Loss, check_loss, parse_degradation
from muster.rehearsal.kubernetes.drills.node_loss import break_devices, lose_nodes
from muster.rehearsal.kubernetes.drills.node_replacement import replace_nodes
from muster.rehearsal.kubernetes.job_run import JobRun
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.outcome import Drill

__all__ = ["SHORT_NAMES", "FullQueue", "Loss", "check_loss", "parse_degradation", "run_drill"]


def run_drill(loss: Loss, cluster: PlannedCluster, job: JobRun) -> Drill:
    """Simulates one loss while a job runs, and its consequences.

    Raises:
        RehearsalError: the control plane failed, or did not settle.
    """
    log, before = DrillLog(job), job.running()
    if log.failed():
        text = "drill skipped: the job failed in the previous drill"
        return Drill(str(loss), tuple(log.moments), before, before, before, text)
    if loss.resource:
        return break_devices(loss, cluster, job, log)
    return (replace_nodes if cluster.hyperpod else lose_nodes)(loss, cluster, job, log)
