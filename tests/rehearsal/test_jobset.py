"""JobSets, which the JobSet controller itself runs on the control plane, with its webhooks."""

from typing import Any

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, Verdict
from tests.factories import a_blueprint
from tests.jobs.documents import a_container, a_job_set, a_replicated_job, a_template
from tests.rehearsal.clusters import GPU

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

THREE = {"groups.workers.nodes": 3, "groups.workers.capacity.reservation.count": 3, "addons.jobset": {}}


def of_gpus(name: str, pods: int, **said: Any) -> dict[str, Any]:
    """A replicated job whose pods take whole nodes."""
    job = a_replicated_job(name, pods, **said)
    container = a_container(resources={"limits": {GPU: 8}})
    toleration = {"key": GPU, "operator": "Exists"}
    job["template"]["spec"]["template"] = a_template(
        containers=[container], tolerations=[toleration], restartPolicy="Never"
    )
    return job


def rehearsed(job: dict[str, Any], lost: int = 0) -> Outcome:
    return rehearse(RehearsalRequest(a_blueprint(THREE), job, roles_of(job), lost=lost))


def test_a_job_set_starts() -> None:
    """Two Jobs of three pods in all, by the controller's own names; nothing of it is simulated."""
    outcome = rehearsed(a_job_set(of_gpus("driver", 1), of_gpus("workers", 2)))
    assert outcome.verdict is Verdict.STARTS
    assert "jobset" in {each.name for each in outcome.programs}
    assert not any("JobSet" in each.name for each in outcome.simulated_parts)
    assert sorted(pod.name.rsplit("-", 1)[0] for pod in outcome.pods) == [
        "train-driver-0-0",
        "train-workers-0-0",
        "train-workers-0-1",
    ]


def test_a_job_set_that_is_a_node_short() -> None:
    """The pods that there is room for run; the scheduler's message is that of the others."""
    outcome = rehearsed(a_job_set(of_gpus("driver", 1), of_gpus("workers", 3)))
    assert (outcome.verdict, outcome.running, len(outcome.waiting)) == (Verdict.DOES_NOT_START, 3, 1)
    assert {each.cause.id for each in outcome.waiting} == {"nodes-full"}


def test_a_job_that_waits_for_another() -> None:
    """`dependsOn`: the workers' Job is made once the driver's is ready, which it is not."""
    outcome = rehearsed(
        a_job_set(of_gpus("driver", 4), of_gpus("workers", 1, dependsOn=[{"name": "driver", "status": "Ready"}]))
    )
    assert outcome.verdict is Verdict.DOES_NOT_START
    assert {pod.role for pod in outcome.pods if pod.node} == {"driver"}


def test_what_the_webhook_refuses_is_in_its_words() -> None:
    """Two replicated jobs cannot depend on a later one."""
    job = a_job_set(of_gpus("driver", 1), of_gpus("workers", 1))
    job["spec"]["successPolicy"] = {"operator": "All", "targetReplicatedJobs": ["nobody"]}
    outcome = rehearsed(job)
    assert {each.cause.id for each in outcome.waiting} == {"refused"}
    assert "invalid replicatedJob name 'nobody'" in outcome.waiting[0].reason


def test_a_node_of_a_job_set_is_lost() -> None:
    """The Job controller makes the pod anew, once a node takes the lost one's place."""
    (drill,) = rehearsed(a_job_set(of_gpus("workers", 2)), lost=1).drills
    assert (drill.running_before, drill.running_at_last) == (2, 2)


def test_another_scheduler_is_replaced_by_the_default_one() -> None:
    """The default scheduler places the pods, and the report has a note about it."""
    job = of_gpus("workers", 1)
    job["template"]["spec"]["template"]["spec"]["schedulerName"] = "bin-packing"
    outcome = rehearsed(a_job_set(job))
    assert outcome.verdict is Verdict.STARTS
    assert "the default scheduler replaces 'bin-packing' in the rehearsal" in outcome.notes
