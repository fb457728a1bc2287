"""MPIJobs, which the MPI operator itself runs on the control plane."""

from typing import Any

import pytest

from muster.jobs.catalogue import job_of
from muster.jobs.group_selection import JobOptions
from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, Verdict
from tests.factories import a_blueprint
from tests.jobs.clusters import manifest_of
from tests.jobs.documents import an_mpi_job
from tests.rehearsal.world import World

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

TWO = {"groups.workers.nodes": 2, "groups.workers.capacity.reservation.count": 2, "addons.mpi-operator": {}}


def nccl(edits: dict[str, Any], nodes: int, **more: Any) -> Outcome:
    """The NCCL test on the default cluster with some edits."""
    blueprint = a_blueprint({**TWO, **edits})
    job = manifest_of(job_of("nccl-tests"), a_blueprint(TWO), JobOptions(nodes=nodes))
    return rehearse(RehearsalRequest(blueprint, job, roles_of(job), **more))


def test_the_nccl_test_starts() -> None:
    """The operator's own pods: workers by number, and the launcher of a Job. Nothing of it is simulated."""
    outcome = nccl({}, 2)
    assert outcome.verdict is Verdict.STARTS
    assert "mpi-operator" in {each.name for each in outcome.programs}
    assert not any("MPI operator" in each.name for each in outcome.simulated_parts)
    workers = sorted(pod.name for pod in outcome.pods if pod.role == "worker")
    (launcher,) = [pod.name for pod in outcome.pods if pod.role == "launcher"]
    assert workers == ["nccl-tests-worker-0", "nccl-tests-worker-1"]
    assert launcher.startswith("nccl-tests-launcher-")


def test_workers_wait_for_a_node_that_is_missing() -> None:
    """One node short: one worker runs, the other waits."""
    outcome = nccl({"groups.workers.nodes": 1}, 2)
    assert outcome.verdict is Verdict.DOES_NOT_START
    assert [each.pod for each in outcome.waiting] == ["nccl-tests-worker-1"]


def test_a_worker_that_is_lost_comes_again() -> None:
    """The operator makes it anew under its name, once a node takes its place."""
    outcome = nccl({}, 2, lost=1)
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_at_last) == (3, 3)


def test_what_the_operator_makes(plane: ControlPlane, world: World) -> None:
    """Its own host file, and the keys that the pods mount."""
    job = {**an_mpi_job(), "metadata": {"name": "train", "namespace": world.namespace}}
    plane.client.create(job)
    path = f"/api/v1/namespaces/{world.namespace}"

    def there() -> bool:
        names = {each["metadata"]["name"] for each in plane.client.items(f"{path}/configmaps")}
        return "train-config" in names

    plane.wait_until(there, "the operator made no host file")
    hosts = plane.client.get(f"{path}/configmaps/train-config")["data"]["hostfile"]
    domain = f"train.{world.namespace}.svc"
    assert hosts.splitlines() == [f"train-worker-{number}.{domain} slots=8" for number in range(2)]
    assert plane.client.get(f"{path}/secrets/train-ssh")["type"] == "kubernetes.io/ssh-auth"
