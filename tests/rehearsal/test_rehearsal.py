"""Jobs of every kind on a planned cluster: who makes their pods, what is judged, what is only said."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.addons import addons_that_run
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, PodState, Verdict
from tests.factories import a_blueprint
from tests.rehearsal.clusters import GPU, a_pytorch_job

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

FOUR = {
    "groups.workers.nodes": 4,
    "groups.workers.capacity.reservation.count": 4,
}


def played(
    job: dict[str, Any], edits: Mapping[str, Any] | None = None, beside: tuple[Any, ...] = (), **more: Any
) -> Outcome:
    """A rehearsal of the default cluster with some edits, and with the operator that runs such jobs."""
    shape = roles_of(job, beside)
    operators = {f"addons.{name}": {} for name in addons_that_run(shape.api_version, shape.kind)[:1]}
    blueprint = a_blueprint({**operators, **(edits or {})})
    return rehearse(RehearsalRequest(blueprint, job, shape, beside, **more))


def a_job(parallelism: int = 1, gpus: int = 8, **spec: Any) -> dict[str, Any]:
    """A batch Job whose pods take GPUs."""
    container = {"name": "c", "image": "c", "resources": {"limits": {GPU: gpus}}}
    return {
        "apiVersion": "batch/v1",
        "kind": "Job",
        "metadata": {"name": "train"},
        "spec": {
            "parallelism": parallelism,
            "completions": parallelism,
            "template": {"spec": {"restartPolicy": "Never", "containers": [container]}},
            **spec,
        },
    }


def causes(outcome: Outcome) -> set[str]:
    """The ids of what pods wait for."""
    return {each.cause.id for each in outcome.waiting}


def test_five_replicas_on_four_nodes_by_the_real_operator():
    """Four run, and of the fifth the scheduler says what the nodes lack."""
    outcome = played(a_pytorch_job("train", "default", workers=4), FOUR)
    assert (outcome.verdict, outcome.running, outcome.not_running) == (Verdict.DOES_NOT_START, 4, 1)
    (waiting,) = outcome.waiting
    assert waiting.reason.startswith("0/5 nodes are available:")
    assert "5 Insufficient nvidia.com/gpu, 5 Insufficient vpc.amazonaws.com/efa" in waiting.reason
    assert waiting.cause.id == "nodes-full"
    assert "training-operator" in {each.name for each in outcome.programs}
    assert "no add-on of Muster runs PyTorchJobs" not in " ".join(outcome.notes)
    assert not any("PyTorch" in each.name or "training operator" in each.name for each in outcome.simulated_parts)


def test_what_the_operators_webhook_refuses_is_said_in_its_words():
    """No pod is made, and the report has the webhook's reason."""
    job = a_pytorch_job("train", "default", workers=1)
    job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"]["containers"][0]["name"] = "other"
    outcome = played(job)
    assert (outcome.verdict, outcome.running, causes(outcome)) == (Verdict.DOES_NOT_START, 0, {"refused"})
    assert "must have at least one container with name pytorch" in outcome.waiting[0].reason
    assert {pod.state for pod in outcome.pods} == {PodState.NOT_CREATED}


def test_pods_that_the_api_server_refuses_are_said_in_its_words():
    """Huge pages need a request for CPU or memory beside them: the Job's controller cannot make the pod."""
    job = a_job()
    container = job["spec"]["template"]["spec"]["containers"][0]
    container["resources"]["limits"] = {"hugepages-2Mi": "5120Mi"}
    outcome = played(job)
    assert (outcome.verdict, causes(outcome)) == (Verdict.DOES_NOT_START, {"refused"})
    assert "HugePages require cpu or memory" in outcome.waiting[0].reason


def test_a_claim_that_is_not_there():
    """The scheduler waits for it; with the claim in the file a volume is made for it, and that is said."""
    job = a_job()
    job["spec"]["template"]["spec"]["volumes"] = [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}]
    assert causes(played(job)) == {"claim-missing"}
    claim = {
        "apiVersion": "v1",
        "kind": "PersistentVolumeClaim",
        "metadata": {"name": "data"},
        "spec": {
            "accessModes": ["ReadWriteMany"],
            "storageClassName": "lustre",
            "resources": {"requests": {"storage": "1200Gi"}},
        },
    }
    outcome = played(job, beside=(claim,))
    assert outcome.verdict is Verdict.STARTS
    assert "PersistentVolumeClaim data" in {each.name for each in outcome.simulated_parts}


def test_a_claim_that_can_never_be_there():
    """Its name is none."""
    job = a_job()
    job["spec"]["template"]["spec"]["volumes"] = [{"name": "d", "persistentVolumeClaim": {"claimName": "__NAME__"}}]
    outcome = played(job)
    assert (outcome.verdict, causes(outcome)) == (Verdict.DOES_NOT_START, {"claim-missing"})


def test_a_spare_node_takes_over():
    """Two pods on four nodes: the job goes on without a replacement."""
    outcome = played(a_job(parallelism=2, backoffLimit=6), FOUR, lost=1)
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_after, drill.waiting) == (2, 2, ())
    assert drill.said == "the job continues: its pods run on the remaining nodes"


def test_a_service_account_that_is_not_in_the_file():
    """The live cluster may have it."""
    job = a_job()
    job["spec"]["template"]["spec"]["serviceAccountName"] = "trainer"
    outcome = played(job)
    assert causes(outcome) == {"refused"}
    assert 'serviceaccount "trainer" not found' in outcome.waiting[0].reason


def test_nobody_finds_anybody_where_core_dns_has_no_node():
    """It tolerates no taint of a group: the job starts all the same, and the report says what it lacks."""
    outcome = played(a_job(), {"groups.system.taints": {"team": "NoSchedule"}})
    assert outcome.verdict is Verdict.STARTS
    assert any(note.startswith("CoreDNS does not run,") for note in outcome.notes)


def test_a_field_that_nobody_knows_is_refused_as_kubectl_has_it_refused():
    """A misspelt `tolerations` would otherwise be dropped in silence."""
    job = a_job()
    job["spec"]["template"]["spec"]["toleration"] = []
    outcome = played(job)
    assert (outcome.verdict, causes(outcome)) == (Verdict.DOES_NOT_START, {"refused"})
    assert 'unknown field "spec.template.spec.toleration"' in outcome.waiting[0].reason


def test_a_job_set_with_claims_and_a_topology():
    """JobSet makes the claims."""
    topology = {"alpha.jobset.sigs.k8s.io/exclusive-topology": "kubernetes.io/hostname"}
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "storageClassName": "x"}
    container = {"name": "c", "image": "c", "volumeMounts": [{"name": "data", "mountPath": "/data"}]}
    one = {"parallelism": 1, "completions": 1, "template": {"spec": {"containers": [container]}}}
    job = {
        "apiVersion": "jobset.x-k8s.io/v1alpha2",
        "kind": "JobSet",
        "metadata": {"name": "train", "annotations": topology},
        "spec": {
            "volumeClaimPolicies": [{"templates": [{"metadata": {"name": "data"}, "spec": claim}]}],
            "replicatedJobs": [{"name": "w", "template": {"spec": one}}],
        },
    }
    outcome = played(job)
    assert (outcome.verdict, causes(outcome)) == (Verdict.STARTS, set())


def test_only_its_own_pods_are_counted():
    """Add-ons, CoreDNS and what goes with a job may be in its namespace."""
    deployment = {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "etcd", "namespace": "kube-system"},
        "spec": {
            "replicas": 2,
            "selector": {"matchLabels": {"app": "etcd"}},
            "template": {
                "metadata": {"labels": {"app": "etcd"}},
                "spec": {"containers": [{"name": "c", "image": "c"}]},
            },
        },
    }
    job = a_job()
    job["metadata"]["namespace"] = "kube-system"
    outcome = played(job, beside=(deployment,))
    assert [pod.name.startswith("train-") for pod in outcome.pods] == [True]


def test_claims_that_come_with_the_pods_are_bound():
    """Those of a StatefulSet's templates, which it makes one pod after the other, and of a pod's own volumes."""
    claim = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}, "storageClassName": "x"}
    labels = {"app": "train"}
    ephemeral = {"name": "own", "ephemeral": {"volumeClaimTemplate": {"spec": claim}}}
    job = {
        "apiVersion": "apps/v1",
        "kind": "StatefulSet",
        "metadata": {"name": "train"},
        "spec": {
            "replicas": 2,
            "serviceName": "train",
            "selector": {"matchLabels": labels},
            "volumeClaimTemplates": [{"metadata": {"name": "scratch"}, "spec": claim}],
            "template": {
                "metadata": {"labels": labels},
                "spec": {"volumes": [ephemeral], "containers": [{"name": "c", "image": "c"}]},
            },
        },
    }
    outcome = played(job)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 2)
    assert {each.name for each in outcome.simulated_parts} >= {
        f"PersistentVolumeClaim {name}" for name in ("scratch-train-0", "scratch-train-1", "train-0-own", "train-1-own")
    }


def test_a_name_that_the_api_server_completes():
    """`generateName` is as good as a name."""
    job = a_job()
    job["metadata"] = {"generateName": "train-"}
    outcome = played(job)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 1)


def test_a_job_without_retries_fails_with_its_first_node():
    """Kubernetes' own controller fails the Job, and no replacement brings it back; the verdict and the next drill."""
    outcome = played(a_job(parallelism=2, backoffLimit=0), FOUR, lost=1)
    (first,) = outcome.drills
    assert (outcome.verdict, first.running_before) == (Verdict.STARTS, 2)
    assert "BackoffLimitExceeded" in " ".join(each.said for each in first.moments)
    assert first.running_at_last < 2
    assert "does not restart" in first.said


def test_two_lost_pods_of_a_job_are_waited_for_as_long_as_its_controller_takes():
    """It makes them again after 20 s; nobody takes that for the end."""
    outcome = played(a_job(parallelism=2, backoffLimit=6), FOUR, lost=2)
    (drill,) = outcome.drills
    assert (drill.running_before, drill.running_at_last) == (2, 2)
