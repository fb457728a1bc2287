"""A job is followed until it has settled: by one reading of its pods at a time."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes import pods as pods_module
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.job_run import JobRun
from muster.rehearsal.kubernetes.pods import JobPods
from tests.rehearsal.clusters import a_gpu_job


class PodsOverTime:
    """An API server whose pods change with each reading; the last reading stays."""

    def __init__(self, *readings: list[dict[str, Any]]) -> None:
        self._readings = list(readings)

    def create(self, thing: dict[str, Any], **_: object) -> dict[str, Any]:
        """Creates the job."""
        return {**thing, "metadata": {**thing["metadata"], "uid": "of-the-job"}}

    def path(self, _: dict[str, Any]) -> str:
        """The job's."""
        return "/job"

    def items(self, _: str) -> list[dict[str, Any]]:
        """The pods."""
        return self._readings.pop(0) if len(self._readings) > 1 else self._readings[0]


def a_pod_in(phase: str) -> dict[str, Any]:
    """A pod of the job."""
    metadata = {"name": "train-0", "uid": "1", "ownerReferences": [{"kind": "Job", "uid": "of-the-job"}]}
    ready = [{"type": "Ready", "status": "True"}] if phase == "Running" else []
    return {"metadata": metadata, "spec": {"containers": []}, "status": {"phase": phase, "conditions": ready}}


def test_pods_that_come_between_two_readings_neither_run_nor_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, each reading is too old at once."""
    monkeypatch.setattr(pods_module, "age_of_reading", lambda _: -1.0)

    def wait_until(ready: Callable[[], bool], *_: object) -> None:
        while not ready():
            pass

    client = PodsOverTime([], *([[a_pod_in("Pending")]] * 5), [a_pod_in("Running")])
    plane = SimpleNamespace(client=client, runs_kueue=False, schedulers=frozenset(), wait_until=wait_until)
    job = a_gpu_job()
    run = JobRun(cast(ControlPlane, plane), roles_of(job), job, JobPods(cast(Any, client), "default"))
    run.send()
    run.settle(60)
    assert [pod.running for pod in run.now] == [True]
