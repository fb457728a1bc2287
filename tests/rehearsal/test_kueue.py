"""Jobs in queues, which Kueue itself admits on the control plane, with its webhooks."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.jobs.pod_roles import QUEUE_LABEL
from muster.rehearsal.kubernetes.addons import addons_that_run
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.job_prerequisites import create_queues
from muster.rehearsal.kubernetes.job_run import JobRun
from muster.rehearsal.kubernetes.kueue import queue_objects
from muster.rehearsal.kubernetes.planned_cluster import PlannedCluster
from muster.rehearsal.kubernetes.pods import JobPods
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Outcome, Verdict
from tests.factories import a_blueprint
from tests.jobs.documents import (
    a_batch_job,
    a_container,
    a_hyperpod_job,
    a_job_set,
    a_pod,
    a_ray_cluster,
    a_ray_job,
    a_ray_spec,
    a_replicated,
    a_replicated_job,
    a_runtime,
    a_template,
    a_train_job,
    an_mpi_job,
)
from tests.rehearsal.clusters import GPU, a_pytorch_job
from tests.rehearsal.shared_plane import lent

pytestmark = [pytest.mark.rehearsal, pytest.mark.usefixtures("shared_plane")]

TWO: Mapping[str, Any] = {
    "groups.workers.nodes": 2,
    "groups.workers.capacity.reservation.count": 2,
    "addons.kueue": {},
}
API = "kueue.x-k8s.io/v1beta1"


def queued(job: dict[str, Any], queue: str = "main", **metadata: Any) -> dict[str, Any]:
    """The job, sent to a queue."""
    labels = {**job["metadata"].get("labels", {}), QUEUE_LABEL: queue}
    return {**job, "metadata": {**job["metadata"], "labels": labels, **metadata}}


def of_gpus(pods: int = 1, gpus: int = 8, queue: str = "main", name: str = "train", **spec: Any) -> dict[str, Any]:
    """A batch Job whose pods take GPUs, in a queue."""
    template = a_template(containers=[a_container(resources={"limits": {GPU: gpus}})], restartPolicy="Never")
    job = queued(a_batch_job(parallelism=pods, completions=pods, template=template, **spec), queue)
    return {**job, "metadata": {**job["metadata"], "name": name}}


def rehearsed(
    job: dict[str, Any], edits: Mapping[str, Any] | None = None, beside: tuple[Any, ...] = (), **more: Any
) -> Outcome:
    """On two nodes, with the operator that runs such jobs."""
    shape = roles_of(job, beside)
    operators: dict[str, Any] = {f"addons.{name}": {} for name in addons_that_run(shape.api_version, shape.kind)[:1]}
    return rehearse(RehearsalRequest(a_blueprint({**TWO, **operators, **(edits or {})}), job, shape, beside, **more))


def causes(outcome: Outcome) -> set[str]:
    return {each.cause.id for each in outcome.waiting}


def a_cluster_queue(quota: int, **spec: Any) -> dict[str, Any]:
    """`gpus`, with a quota of GPUs."""
    flavor = {"name": "any", "resources": [{"name": GPU, "nominalQuota": quota}]}
    group = {"coveredResources": [GPU], "flavors": [flavor]}
    return {
        "apiVersion": API,
        "kind": "ClusterQueue",
        "metadata": {"name": "gpus"},
        "spec": {"namespaceSelector": {}, "resourceGroups": [group], **spec},
    }


def of_a_file(quota: int, **spec: Any) -> tuple[dict[str, Any], ...]:
    """Queues that a job's file brings: `team` leads to `gpus`. They are of the older version of the API."""
    toleration = {"key": GPU, "operator": "Exists"}
    return (
        {
            "apiVersion": API,
            "kind": "ResourceFlavor",
            "metadata": {"name": "any"},
            "spec": {"tolerations": [toleration]},
        },
        a_cluster_queue(quota, **spec),
        {
            "apiVersion": API,
            "kind": "LocalQueue",
            "metadata": {"name": "team", "namespace": "default"},
            "spec": {"clusterQueue": "gpus"},
        },
    )


def test_a_job_of_a_queue_starts() -> None:
    """Kueue admits it to the stack's queue; nothing of it is simulated but the add-on's pod."""
    outcome = rehearsed(of_gpus(2))
    assert (outcome.verdict, causes(outcome)) == (Verdict.STARTS, set())
    assert "kueue" in {each.name for each in outcome.programs}
    assert "Kueue admitted the job to ClusterQueue main, flavors workers" in outcome.notes


def test_the_file_asks_for_a_job_that_kueue_resumes() -> None:
    """A suspended job of a queue is no longer suspended once Kueue admits it."""
    assert rehearsed(of_gpus(suspend=True)).verdict is Verdict.STARTS


SMALL = {"resources": {"requests": {"cpu": "100m"}}}


def replicated(kind: str, replicas: int = 2, **container: Any) -> dict[str, Any]:
    """A job whose pods have the label that it selects."""
    labels = {"app": "web"}
    template = {**a_template(containers=[a_container(**container)]), "metadata": {"labels": labels}}
    return a_replicated(kind, replicas=replicas, selector={"matchLabels": labels}, template=template)


def ray_spec() -> dict[str, Any]:
    """A head and a worker, which the queue's two nodes have room for."""
    spec = a_ray_spec()
    return {**spec, "workerGroupSpecs": [{**each, "replicas": 1} for each in spec["workerGroupSpecs"]]}


KINDS = {
    "Pod": a_pod(containers=[a_container(**SMALL)]),
    "Deployment": replicated("Deployment", **SMALL),
    "StatefulSet": replicated("StatefulSet", **SMALL),
    "MPIJob": an_mpi_job(),
    "PyTorchJob": a_pytorch_job("train", "default", workers=1),
    "RayCluster": a_ray_cluster(**ray_spec()),
    "RayJob": a_ray_job(rayClusterSpec=ray_spec()),
    "JobSet": a_job_set(a_replicated_job("workers", 2)),
    "TrainJob": a_train_job(trainer={"numNodes": 2, "resourcesPerNode": {"limits": {GPU: 8}}}),
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_job_has_a_workload(kind: str) -> None:
    """Kueue makes one, whichever controller makes the pods."""
    beside = (a_runtime(),) if kind == "TrainJob" else ()
    outcome = rehearsed(queued(KINDS[kind]), beside=beside)
    assert any(note.startswith("Kueue admitted the job to ClusterQueue main") for note in outcome.notes), (
        outcome.waiting,
        outcome.notes,
    )


def test_a_kind_that_kueue_does_not_manage() -> None:
    """The label does nothing, and the report says so."""
    outcome = rehearsed(queued(replicated("ReplicaSet", **SMALL)))
    assert outcome.verdict is Verdict.STARTS
    assert (
        "Kueue created no Workload for the ReplicaSet: it runs without a quota, and its label has no effect"
    ) in outcome.notes


def test_a_job_whose_controller_does_not_run_here() -> None:
    """Kueue never sees it, and the report says so."""
    outcome = rehearsed(queued(a_hyperpod_job()))
    assert any("Kueue cannot admit the HyperPodPyTorchJob" in note for note in outcome.notes)


@pytest.mark.parametrize("taints", [{}, {"system": "NoSchedule"}])
def test_a_job_that_requests_more_than_the_queue_has(taints: dict[str, str]) -> None:
    """No pods are made; the reason is Kueue's message, which names the other group's flavor too."""
    outcome = rehearsed(of_gpus(3), {"groups.system.taints": taints})
    assert (outcome.verdict, outcome.running, causes(outcome)) == (Verdict.DOES_NOT_START, 0, {"queue-quota"})
    (waiting,) = outcome.waiting
    assert "couldn't assign flavors to pod set main" in waiting.reason
    assert waiting.cause.where == "addons.kueue.queues.main"


@pytest.mark.parametrize("queue", ["mian", "absent"])
def test_a_queue_that_is_not_there(queue: str) -> None:
    """Kueue leaves the job suspended."""
    outcome = rehearsed(of_gpus(1, queue=queue))
    assert (outcome.verdict, causes(outcome)) == (Verdict.DOES_NOT_START, {"queue-quota"})
    assert outcome.waiting[0].reason == f"LocalQueue {queue} doesn't exist"


def test_pods_of_a_deployment_are_admitted_one_by_one() -> None:
    """As many as there is quota for."""
    job = queued(replicated("Deployment", resources={"limits": {GPU: 8}}), "team")
    outcome = rehearsed(job, beside=of_a_file(8))
    assert (outcome.running, causes(outcome)) == (1, {"queue-quota"})


def test_a_pod_of_a_group_that_is_not_all_there() -> None:
    """Kueue makes no Workload of a pod group before it has all its pods."""
    pod = queued(KINDS["Pod"])
    labels = {**pod["metadata"]["labels"], "kueue.x-k8s.io/pod-group-name": "group"}
    counted = {"kueue.x-k8s.io/pod-group-total-count": "2"}
    pod = {**pod, "metadata": {**pod["metadata"], "labels": labels, "annotations": counted}}
    outcome = rehearsed(pod)
    assert (outcome.verdict, causes(outcome)) == (Verdict.DOES_NOT_START, {"queue-quota"})
    assert not any("Kueue created no Workload" in note for note in outcome.notes)


def test_kueue_has_no_node() -> None:
    """Its webhooks refuse every job until its manager runs: the job is not sent."""
    values = {"values": {"controllerManager": {"nodeSelector": {"team": "ml"}}}}
    outcome = rehearsed(of_gpus(1), {"addons.kueue": values})
    assert outcome.verdict is Verdict.DOES_NOT_START
    (waiting,) = outcome.waiting
    assert waiting.cause.id == "operator-waits"
    assert waiting.cause.said.startswith("the pod of kueue, which the job needs, is itself waiting: ")


@contextmanager
def a_queue(plane: ControlPlane, *objects: dict[str, Any]) -> Iterator[Any]:
    """Two nodes and the file's queues; a function that sends a job and returns its run."""
    blueprint = a_blueprint(TWO)
    with lent(plane):
        cluster, pods = PlannedCluster(plane, blueprint), JobPods(plane.client, "default")
        cluster.join()
        create_queues(plane, queue_objects(blueprint, objects))

        def send(job: dict[str, Any]) -> JobRun:
            run = JobRun(plane, roles_of(job), job, pods)
            run.send()
            run.settle(cluster.timeout)
            return run

        yield send


def test_two_jobs_in_one_queue(kueue_plane: ControlPlane) -> None:
    """The second waits for the quota of the first, and starts when that is deleted."""
    with a_queue(kueue_plane, *of_a_file(8)) as send:
        first = send(of_gpus(1, queue="team", name="first"))
        second = send(of_gpus(1, queue="team", name="second"))
        assert (first.running(), second.running()) == (1, 0)
        (workload,) = second.workloads
        assert workload.kept_out is not None
        assert "insufficient unused quota for nvidia.com/gpu in flavor any" in workload.kept_out.message
        kueue_plane.client.delete("/apis/batch/v1/namespaces/default/jobs/first", propagationPolicy="Background")
        kueue_plane.wait_until(lambda: second.running() == 1, "the second job did not start")


def test_a_job_of_higher_priority_preempts_one_of_lower(kueue_plane: ControlPlane) -> None:
    """By a WorkloadPriorityClass: the first is evicted, and waits in the queue again."""
    classes = [
        {"apiVersion": API, "kind": "WorkloadPriorityClass", "metadata": {"name": name}, "value": value}
        for name, value in (("low", 1), ("high", 2))
    ]
    queues = of_a_file(8, preemption={"withinClusterQueue": "LowerPriority"})
    with a_queue(kueue_plane, *classes, *queues) as send:
        first, second = (
            send(a_job)
            for a_job in (
                {**job, "metadata": {**job["metadata"], "labels": {**job["metadata"]["labels"], **priority}}}
                for job, priority in (
                    (of_gpus(1, queue="team", name=name), {"kueue.x-k8s.io/priority-class": name})
                    for name in ("low", "high")
                )
            )
        )
        # Kueue evicts the first before it admits the second, which is settled in between as waiting.
        kueue_plane.wait_until(lambda: second.running() == 1, "the second job did not start")
        assert (first.running(), second.running()) == (0, 1)
        (workload,) = first.workloads
        assert workload.conditions["Preempted"].reason == "InClusterQueue"
        assert workload.conditions["Evicted"].reason == "Preempted"


def test_a_job_that_may_start_with_fewer_pods() -> None:
    """Kueue admits as many as there is quota for, down to the Job's annotation."""
    job = of_gpus(3)
    job["metadata"]["annotations"] = {"kueue.x-k8s.io/job-min-parallelism": "1"}
    outcome = rehearsed(job)
    assert (outcome.verdict, outcome.running) == (Verdict.STARTS, 2)
