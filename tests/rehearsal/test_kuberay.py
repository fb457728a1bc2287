"""RayClusters and RayJobs, whose pods the KubeRay operator itself makes on the control plane."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, Verdict
from tests.factories import a_blueprint
from tests.jobs.documents import a_ray_cluster, a_ray_job

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]


def rehearsed(job: dict[str, Any], nodes: int, lost: int = 0, edits: Mapping[str, Any] | None = None) -> Outcome:
    """On so many nodes, of which each worker takes one."""
    size = {"groups.workers.nodes": nodes, "groups.workers.capacity.reservation.count": nodes}
    blueprint = a_blueprint({**size, "addons.kuberay-operator": {}, **(edits or {})})
    return rehearse(RehearsalRequest(blueprint, job, roles_of(job), lost=lost))


def test_a_ray_cluster_starts() -> None:
    """The head and the workers, by the operator's own names; nothing of it is simulated, and both versions are in the
    report."""
    outcome = rehearsed(a_ray_cluster(), 3)
    assert outcome.verdict is Verdict.STARTS
    assert "kuberay-operator" in {each.name for each in outcome.programs}
    assert not any("KubeRay" in each.name for each in outcome.simulated_parts)
    assert sorted((pod.role, pod.name.rsplit("-", 1)[0]) for pod in outcome.pods) == [
        *[("gpu", "train-gpu-worker")] * 3,
        ("head", "train-head"),
    ]
    assert (
        "the description has kuberay-operator 1.7.0, but the rehearsal ran the installed version, v1.6.2"
    ) in outcome.notes


def test_a_ray_cluster_that_is_a_node_short() -> None:
    """The workers that there is room for run; the scheduler's message is that of the other."""
    outcome = rehearsed(a_ray_cluster(), 2)
    assert (outcome.verdict, outcome.running, len(outcome.waiting)) == (Verdict.DOES_NOT_START, 3, 1)
    assert {each.cause.id for each in outcome.waiting} == {"nodes-full"}


def test_a_ray_job_is_submitted_once_its_cluster_runs() -> None:
    """The operator makes a RayCluster, and then a Job of the submitter; what is not rehearsed is in the report."""
    outcome = rehearsed(a_ray_job(), 3)
    assert outcome.verdict is Verdict.STARTS
    assert sorted(pod.role for pod in outcome.pods) == ["gpu", "gpu", "gpu", "head", "submitter"]
    assert any("Ray's dashboard" in each for each in outcome.notes)


def test_a_ray_job_whose_cluster_is_a_node_short_is_not_submitted() -> None:
    outcome = rehearsed(a_ray_job(), 2)
    assert (outcome.verdict, outcome.running) == (Verdict.DOES_NOT_START, 3)
    assert {each.cause.id for each in outcome.waiting} == {"nodes-full"}
    assert [pod.role for pod in outcome.pods if not pod.node] == ["gpu", "submitter"]


def test_the_pods_of_a_ray_job_are_rejected() -> None:
    """The operator writes the message on the RayCluster."""
    job = a_ray_job()
    job["spec"]["rayClusterSpec"]["headGroupSpec"]["template"]["spec"]["serviceAccountName"] = "missing"
    (waiting,) = rehearsed(job, 3).waiting
    assert waiting.cause.id == "refused"
    assert 'serviceaccount "missing" not found' in waiting.reason


def test_a_node_of_a_ray_cluster_is_lost() -> None:
    """The operator makes the worker anew, under another name."""
    (drill,) = rehearsed(a_ray_cluster(), 3, lost=1).drills
    assert (drill.running_before, drill.running_at_last) == (4, 4)


def test_a_ray_cluster_is_a_gang_of_volcanos_where_the_chart_says_so() -> None:
    """`batchScheduler`: one worker has no node, and nothing starts."""
    gangs = {"addons.volcano": {}, "addons.kuberay-operator": {"values": {"batchScheduler": {"name": "volcano"}}}}
    size = {"groups.workers.nodes": 2, "groups.workers.capacity.reservation.count": 2}
    job = a_ray_cluster()
    # A control plane of its own: on the shared one the operator runs without that flag.
    outcome = rehearse(RehearsalRequest(a_blueprint({**size, **gangs, "kubernetes": "1.34"}), job, roles_of(job)))
    assert (outcome.verdict, outcome.running, len(outcome.waiting)) == (Verdict.DOES_NOT_START, 0, 4)
    assert {each.cause.id for each in outcome.waiting} == {"scheduler-says"}
    assert outcome.waiting[0].reason.startswith("resource in cluster is overused: ")
    assert "overused nvidia.com/gpu" in outcome.waiting[0].reason
