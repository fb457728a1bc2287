"""Jobs on a planned cluster: what is judged, what is only said, and what becomes of a job that loses nodes."""

from typing import Any

import pytest

from muster.rehearsal.outcome import Verdict
from tests.jobs.documents import a_container, a_template, an_mpi_job
from tests.rehearsal.clusters import a_gpu_job, causes, played

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

CLAIM = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "storageClassName": "x"}


@pytest.mark.parametrize("name", ["data", "__NAME__"])
def test_a_claim_that_is_not_there(name: str) -> None:
    """Nor can ever be, as its name is none. With it in the file a volume is made for it, and that is said."""
    job = a_gpu_job(volumes=[{"name": "d", "persistentVolumeClaim": {"claimName": name}}])
    assert causes(played(job)) == ["claim-missing"]
    if name == "data":
        claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": name}, "spec": CLAIM}
        outcome = played(job, None, claim)
        assert outcome.verdict is Verdict.STARTS
        assert "PersistentVolumeClaim data" in {each.name for each in outcome.simulated_parts}


def test_claims_that_come_with_the_pods_are_bound() -> None:
    """Those of a StatefulSet's templates, which it makes one pod after the other, and of a pod's own volumes."""
    labels, own = {"app": "train"}, {"name": "own", "ephemeral": {"volumeClaimTemplate": {"spec": CLAIM}}}
    job = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "train"},
        "spec": {
            "replicas": 2,
            "serviceName": "train",
            "selector": {"matchLabels": labels},
            "volumeClaimTemplates": [{"metadata": {"name": "scratch"}, "spec": CLAIM}],
            "template": a_template(labels=labels, volumes=[own], containers=[a_container(resources={})]),
        },
    }
    outcome = played(job)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 2)
    assert {each.name for each in outcome.simulated_parts} >= {
        f"PersistentVolumeClaim {name}" for name in ("scratch-train-0", "scratch-train-1", "train-0-own", "train-1-own")
    }


def test_nobody_finds_anybody_where_core_dns_has_no_node() -> None:
    """It tolerates no taint of a group: the job starts all the same, and the report says what it lacks."""
    outcome = played(
        a_gpu_job(initContainers=[{"name": "i", "image": "i"}]), {"groups.system.taints": {"team": "NoSchedule"}}
    )
    assert outcome.verdict is Verdict.STARTS
    assert any(note.startswith("CoreDNS does not run,") for note in outcome.notes)


def test_only_its_own_pods_are_counted() -> None:
    """Add-ons, CoreDNS and what goes with a job may be in its namespace. Its name may be left to the API server."""
    etcd = a_template(labels={"app": "etcd"}, containers=[a_container(resources={})])
    spec = {"replicas": 2, "selector": {"matchLabels": {"app": "etcd"}}, "template": etcd}
    beside = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "etcd", "namespace": "kube-system"}}
    job = {**a_gpu_job(), "metadata": {"generateName": "train-", "namespace": "kube-system"}}
    outcome = played(job, None, {**beside, "spec": spec})
    assert [pod.name.startswith("train-") for pod in outcome.pods] == [True]


@pytest.mark.parametrize(
    ("job", "starts", "note"),
    [
        (a_gpu_job(schedulerName="mine"), False, "rehearsals do not run: these pods will wait"),
        (
            an_mpi_job({"template": a_template(schedulerName="volcano")}),
            True,
            "the default scheduler replaces 'volcano'",
        ),
    ],
    ids=["of Kubernetes", "of an operator"],
)
def test_another_scheduler_is_that_of_the_pods_or_replaced(job: dict[str, Any], starts: bool, note: str) -> None:
    """Where it does not run, or no add-on installs it."""
    outcome = played(job, nodes=2)
    assert (outcome.verdict is Verdict.STARTS, any(note in each for each in outcome.notes)) == (starts, True)


def test_a_spare_node_takes_over() -> None:
    """Two pods on four nodes: the job goes on without a replacement."""
    (drill,) = played(a_gpu_job(2), nodes=4, lost=1).drills
    assert (drill.running_before, drill.running_after, drill.waiting) == (2, 2, ())


def test_a_reservation_without_a_spare_instance_depends_on_aws() -> None:
    """The pod waits for the node, and the verdict depends on something else where the reservation has a spare."""
    spare = {"groups.workers.capacity.reservation.count": 3}
    without, others = (played(a_gpu_job(2), edits, nodes=2, lost=1).drills[0] for edits in (None, spare))
    assert (without.running_before, without.running_after, without.running_at_last) == (2, 1, 2)
    assert [(each.cause.id, each.cause.where) for each in without.waiting] == [("node-lost", "groups.workers")]
    assert len({"", without.assumes, others.assumes}) == 3


def test_a_job_after_another_waits_for_as_many_nodes_as_it_lacks() -> None:
    """The first job runs; the remedy of the second has both."""
    first = played(a_gpu_job(2), nodes=2, earlier=[{**a_gpu_job(2), "metadata": {"name": "first"}}])
    assert (first.running, causes(first)) == (0, ["nodes-full"])
    assert [each.cause.where for each in first.waiting] == ["groups.workers.nodes"] * 2
    assert "raise groups.workers.nodes to 4" in first.waiting[0].cause.remedy
    assert any("all 2 pods run" in each.said for each in first.moments)


def test_a_job_after_one_that_cannot_start_runs() -> None:
    """The verdict is the last job's."""
    suspended = {**a_gpu_job(), "metadata": {"name": "first"}}
    outcome = played(a_gpu_job(), earlier=[{**suspended, "spec": {**suspended["spec"], "suspend": True}}])
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 1)
    assert any("first is not submitted" in each.said for each in outcome.moments)


def test_a_remedy_of_a_request_counts_what_daemon_sets_take() -> None:
    """With the number of its remedy, the pod runs: its node and the equal others offer the same."""
    too_much = a_gpu_job()
    limits = too_much["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]
    limits["cpu"] = "192"
    outcome = played(too_much, nodes=2)
    ((most, offered),) = {(each.most_on_a_node, each.offered) for each in outcome.waiting[0].cause.sums}
    assert offered == 2 * most
    limits["cpu"] = f"{most}m"
    assert played(too_much, nodes=2).verdict is Verdict.STARTS


def test_a_job_without_retries_fails_with_its_first_node() -> None:
    """Kubernetes' own controller fails the Job, and no replacement brings it back."""
    job = a_gpu_job(2)
    job["spec"]["backoffLimit"] = 0
    outcome = played(job, nodes=2, lost=1)
    (drill,) = outcome.drills
    assert (outcome.verdict, drill.running_before, drill.running_at_last < 2) == (Verdict.STARTS, 2, True)
    assert "BackoffLimitExceeded" in " ".join(each.said for each in drill.moments)
