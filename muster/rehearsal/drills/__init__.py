"""Drills: what a loss does to a running job, played on the control plane."""

from muster.rehearsal.drills.broken_devices import break_devices
from muster.rehearsal.drills.log import Log
from muster.rehearsal.drills.loss import SHORT_NAMES, Loss, check, degrading
from muster.rehearsal.drills.lost_nodes import lose_nodes
from muster.rehearsal.drills.replaced_nodes import replace_nodes
from muster.rehearsal.outcome import Drill
from muster.rehearsal.planned_cluster import PlannedCluster
from muster.rehearsal.sent_job import SentJob

__all__ = ["SHORT_NAMES", "Loss", "check", "degrading", "play"]


def play(loss: Loss, cluster: PlannedCluster, job: SentJob) -> Drill:
    """Plays one loss on a job that runs, and what follows.

    Raises:
        RehearsalFault: the control plane broke, or did not come to rest.
    """
    log, before = Log(job), job.running()
    if log.failed():
        said = "not played: the job has failed in the drill before"
        return Drill(str(loss), tuple(log.moments), before, before, before, said)
    if loss.resource:
        return break_devices(loss, cluster, job, log)
    return (replace_nodes if cluster.hyperpod else lose_nodes)(loss, cluster, job, log)
