"""`python -m tests.rehearsal.victim FOLDER`: a rehearsal that goes on until it is killed.

With `plane` it is a control plane that does nothing; else whole rehearsals with drills, one after the other.
"""

import sys
import tempfile
import time
from pathlib import Path

from muster.jobs.catalogue import roles_of
from muster.jobs.pod_roles import QUEUE_LABEL
from muster.rehearsal.kubernetes import kueue
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.rehearsal import RehearsalRequest, rehearse
from tests.factories import a_blueprint
from tests.rehearsal.clusters import a_pytorch_job


def main(folder: str, what: str) -> None:
    """Goes on for ever."""
    tempfile.tempdir = folder
    if what == "plane":
        with ControlPlane(
            jobs=["PyTorchJob", "MPIJob", "TrainJob", "RayJob"],
            schedulers=["volcano"],
            kueue=kueue.configuration(a_blueprint()),
            folder=Path(folder),
        ) as plane:
            plane.create_job_webhooks()
            print("up", flush=True)
            time.sleep(300)
    job = a_pytorch_job("train", "default", workers=1)
    job["metadata"]["labels"] = {QUEUE_LABEL: "main"}
    cluster = a_blueprint(
        {"groups.workers.nodes": 2, "groups.workers.capacity.reservation.count": 2, "addons.kueue": {}}
    )
    while True:
        rehearse(RehearsalRequest(cluster, job, roles_of(job), lost=1))


if __name__ == "__main__":
    main(*sys.argv[1:])
