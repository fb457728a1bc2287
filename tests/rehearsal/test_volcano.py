"""Volcano, whose controllers, scheduler and webhooks run on the control plane: its jobs, gangs and queues."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.job_run import JobRun
from muster.rehearsal.kubernetes.pending_pods import pending_pods
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.kubernetes.pods import JobPods
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, Verdict
from tests.factories import DROP, a_blueprint
from tests.jobs.documents import a_container, a_template, a_volcano_job, an_mpi_job
from tests.rehearsal.clusters import GPU
from tests.rehearsal.shared_plane import lent

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

TWO = {"groups.workers.nodes": 2, "groups.workers.capacity.reservation.count": 2, "addons.volcano": {}}

WHOLE_NODE = {"limits": {GPU: 8}, "requests": {GPU: 8}}


def of_nodes(number: int, *, requests: bool = True, **spec: Any) -> dict[str, Any]:
    """A job whose pods take whole nodes. Without requests Volcano's controller does not count GPUs for the queue: of a
    template, limits alone are no requests to it."""
    resources = WHOLE_NODE if requests else {"limits": WHOLE_NODE["limits"]}
    task = {
        "name": "worker",
        "replicas": number,
        "template": a_template(containers=[a_container(resources=resources)]),
    }
    return a_volcano_job(task, **spec)


def rehearsed(job: dict[str, Any], lost: int = 0, edits: Mapping[str, Any] | None = None) -> Outcome:
    blueprint = a_blueprint({**TWO, **(edits or {})})
    return rehearse(RehearsalRequest(blueprint, job, roles_of(job), lost=lost))


def causes(outcome: Outcome) -> set[str]:
    return {each.cause.id for each in outcome.waiting}


def test_a_gang_starts() -> None:
    """Volcano's controller makes the pods, its scheduler places them. Nothing of the job is simulated, and both
    versions are in the report."""
    outcome = rehearsed(of_nodes(2))
    assert outcome.verdict is Verdict.STARTS
    assert [(pod.name, pod.role) for pod in outcome.pods] == [
        ("train-worker-0", "worker"),
        ("train-worker-1", "worker"),
    ]
    assert {"volcano-scheduler", "volcano-controller-manager", "volcano-webhook-manager"} <= {
        each.name for each in outcome.programs
    }
    assert not any("makes" in each.simulated_by or each.name == "Volcano" for each in outcome.simulated_parts)
    assert "the description has volcano 1.15.0, but the rehearsal ran the installed version, v1.14.1" in outcome.notes


def test_a_gang_that_is_a_node_short_does_not_start_at_all() -> None:
    """Two of three pods would have room, and none runs; the message is Volcano's."""
    outcome = rehearsed(of_nodes(3, requests=False))
    assert (outcome.verdict, outcome.running, len(outcome.waiting)) == (Verdict.DOES_NOT_START, 0, 3)
    assert causes(outcome) == {"scheduler-says"}
    (waiting, *_) = outcome.waiting
    assert waiting.speaker == "Volcano"
    assert "tasks in gang unschedulable: pod group is not ready, 3 Pending, 3 minAvailable" in waiting.reason


def test_a_gang_that_volcano_does_not_enqueue_has_no_pods() -> None:
    """More than the cluster has, counted by requests: its controller waits with the pods."""
    outcome = rehearsed(of_nodes(3))
    assert (outcome.verdict, outcome.running) == (Verdict.DOES_NOT_START, 0)
    assert [(each.pod, each.reason) for each in outcome.waiting] == [
        ("train", f"resource in cluster is overused: overused {GPU}")
    ]
    assert causes(outcome) == {"scheduler-says"}


def test_a_node_of_a_gang_is_lost() -> None:
    """The controller makes the pod anew, and it runs once a node takes the lost one's place."""
    (drill,) = rehearsed(of_nodes(2), lost=1).drills
    assert (drill.running_before, drill.running_after, drill.running_at_last) == (2, 1, 2)
    assert {each.cause.id for each in drill.waiting} == {"node-lost"}


def test_queues_of_the_stack() -> None:
    """Volcano does not let a job into a queue that may have less, nor into one below such a queue."""
    queues = {"team": {"capability": {GPU: 8}}, "sub": {"parent": "team"}, "free": {}}
    edits = {"addons.volcano": {"queues": queues}}
    assert rehearsed(of_nodes(1, queue="free"), edits=edits).verdict is Verdict.STARTS
    outcome = rehearsed(of_nodes(1, queue="team"), edits=edits)
    assert causes(outcome) == {"refused"}
    assert "can only submit job to leaf queue" in outcome.waiting[0].reason


def test_a_queue_that_has_too_little() -> None:
    """The message is Volcano's; the cause names the queue and the amounts."""
    outcome = rehearsed(
        of_nodes(2, queue="team"), edits={"addons.volcano": {"queues": {"team": {"capability": {GPU: 8}}}}}
    )
    assert (outcome.verdict, causes(outcome)) == (Verdict.DOES_NOT_START, {"scheduler-says"})
    (waiting,) = outcome.waiting
    assert waiting.reason == f"queue resource quota insufficient: insufficient {GPU}"


def test_a_queue_that_another_job_has(plane: ControlPlane) -> None:
    """Volcano does not let the second job into its queue before the first ends; the cause is no refusal."""
    blueprint = a_blueprint({**TWO, "addons.volcano": {"queues": {"team": {"capability": {GPU: 8}}}}})
    with lent(plane):
        cluster, pods = PlannedCluster(plane, blueprint), JobPods(plane.client, "default")
        cluster.join()
        job = of_nodes(1, queue="team")
        first, second = (
            JobRun(plane, roles_of(each), each, pods)
            for each in (job, {**job, "metadata": {**job["metadata"], "name": "second"}})
        )
        for run in (first, second):
            run.send()
            run.settle(cluster.timeout)
        assert (first.running(), second.running()) == (1, 0)
        (waiting,) = pending_pods(cluster, second)
        assert (waiting.cause.id, waiting.cause.where) == ("scheduler-says", "addons.volcano")
        assert waiting.reason


@pytest.mark.parametrize("of_volcano", [True, False])
def test_volcanos_scheduler_has_no_node(*, of_volcano: bool) -> None:
    """Nobody places the pods of a job of another kind, either."""
    template = a_template(schedulerName="volcano", containers=[a_container(resources=WHOLE_NODE)])
    job = of_nodes(1) if of_volcano else an_mpi_job(worker={"replicas": 1, "template": template})
    nowhere = {"values": {"custom": {"scheduler_ns": {"team": "ml"}}}}
    outcome = rehearsed(job, edits={"addons.volcano": nowhere, "addons.mpi-operator": {}})
    assert causes(outcome) == {"operator-waits"}
    assert {"the pod of volcano" in each.cause.said for each in outcome.waiting} == {True}


def test_a_queue_that_is_not_there_is_refused_by_the_webhook() -> None:
    outcome = rehearsed(of_nodes(1, queue="nobody"))
    assert causes(outcome) == {"refused"}
    assert 'unable to find job queue: queue.scheduling.volcano.sh "nobody" not found' in outcome.waiting[0].reason


def test_pods_of_other_jobs_go_to_volcano_where_they_ask_for_it() -> None:
    """An MPIJob's; where no add-on installs Volcano, the default scheduler places them, and the report says so."""
    template = a_template(schedulerName="volcano", containers=[a_container(resources=WHOLE_NODE)])
    job = an_mpi_job(worker={"replicas": 2, "template": template})
    outcome = rehearsed(job, edits={"addons.mpi-operator": {}})
    assert outcome.verdict is Verdict.STARTS
    assert not any("the default scheduler replaces" in each for each in outcome.notes)
    outcome = rehearse(
        RehearsalRequest(a_blueprint({**TWO, "addons.volcano": DROP, "addons.mpi-operator": {}}), job, roles_of(job))
    )
    assert "the default scheduler replaces 'volcano' in the rehearsal" in outcome.notes
