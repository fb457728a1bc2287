"""Gangs and queues of Volcano, whose controllers, scheduler and webhooks run on the control plane."""

from typing import Any

import pytest

from muster.rehearsal.outcome import Verdict
from tests.jobs.documents import a_container, a_ray_cluster, a_template, a_volcano_job, an_mpi_job
from tests.rehearsal.clusters import GPU, causes, played

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]


def of_nodes(number: int, *, requests: bool = True, **spec: Any) -> dict[str, Any]:
    """A job whose pods take whole nodes. Without requests Volcano's controller does not count GPUs for the queue: of a
    template, limits alone are no requests to it."""
    resources = {"limits": {GPU: 8}, **({"requests": {GPU: 8}} if requests else {})}
    template = a_template(containers=[a_container(resources=resources)])
    return a_volcano_job({"name": "worker", "replicas": number, "template": template}, **spec)


def of_mpi(workers: int) -> dict[str, Any]:
    """Whose workers ask for Volcano's scheduler."""
    template = a_template(schedulerName="volcano", containers=[a_container(resources={"limits": {GPU: 8}})])
    return an_mpi_job(worker={"replicas": workers, "template": template})


QUEUES = {"team": {"capability": {GPU: 8}}, "above": {}, "sub": {"parent": "above"}, "free": {}}


@pytest.mark.parametrize(
    ("job", "cause", "where", "words"),
    [
        (of_nodes(2, queue="free"), "", "", ""),
        (of_mpi(2), "", "", ""),
        # Two of three pods would have room, and none runs.
        (
            of_nodes(3, requests=False),
            "nodes-full",
            "groups.workers.nodes",
            "tasks in gang unschedulable: pod group is not ready, 3 Pending",
        ),
        # Its controller waits with the pods.
        (of_nodes(3), "nodes-full", "groups.workers.nodes", f"resource in cluster is overused: overused {GPU}"),
        (
            of_nodes(2, queue="team"),
            "scheduler-says",
            "addons.volcano",
            f"queue resource quota insufficient: insufficient {GPU}",
        ),
        (of_nodes(1, queue="above"), "refused", "", "can only submit job to leaf queue"),
    ],
    ids=["a gang", "pods of another kind", "a node short", "not enqueued", "a small queue", "a queue above another"],
)
def test_a_gang_runs_whole_or_waits_in_volcanos_words(job: dict[str, Any], cause: str, where: str, words: str) -> None:
    outcome = played(job, {"addons.volcano": {"queues": QUEUES}}, nodes=2)
    assert {(each.cause.id, each.cause.where) for each in outcome.waiting} == ({(cause, where)} if cause else set())
    assert (outcome.verdict is Verdict.STARTS, outcome.running > 0) == (not cause, not cause)
    assert words in (outcome.waiting[0].reason if cause else "")
    assert any("1.15.0" in each and "1.14.1" in each for each in outcome.notes)


@pytest.mark.parametrize("job", [of_nodes(1), of_mpi(1)], ids=["Volcano's", "another's"])
def test_volcanos_scheduler_has_no_node(job: dict[str, Any]) -> None:
    """Nobody places the pods of a job of another kind, either."""
    nowhere = {"values": {"custom": {"scheduler_ns": {"team": "ml"}}}}
    outcome = played(job, {"addons.volcano": nowhere, "addons.mpi-operator": {}}, nodes=2)
    assert causes(outcome) == ["operator-waits"]
    assert {"the pod of volcano" in each.cause.said for each in outcome.waiting} == {True}


def test_a_ray_cluster_is_a_gang_where_the_chart_of_kuberay_says_so() -> None:
    """`batchScheduler`: one worker has no node, and nothing starts."""
    gangs = {"addons.volcano": {}, "addons.kuberay-operator": {"values": {"batchScheduler": {"name": "volcano"}}}}
    # A control plane of its own: on the shared one the operator runs without that flag.
    outcome = played(a_ray_cluster(), {**gangs, "kubernetes": "1.34"}, nodes=2)
    assert (outcome.kubernetes, outcome.running, causes(outcome)) == ("1.34", 0, ["nodes-full"])
    assert f"overused {GPU}" in outcome.waiting[0].reason
