"""Clusters, jobs and DaemonSets to rehearse with."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from muster.blueprint.hyperpod.auto_resume import ENABLED, RETRIES
from muster.blueprint.node import EFA_RESOURCE
from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.addons import addons_that_run
from muster.rehearsal.kubernetes.rehearsal import rehearse
from muster.rehearsal.kubernetes.request import RehearsalRequest
from muster.rehearsal.outcome import Drill, Outcome
from tests.factories import a_blueprint

GPU = "nvidia.com/gpu"
GPU_TAINT = {"key": GPU, "operator": "Exists"}

HEALTH = "sagemaker.amazonaws.com/node-health-status"
HEALTHY = {"node.kubernetes.io/instance-type": "ml.p5.48xlarge", HEALTH: "Schedulable"}
"""What a job on HyperPod chooses its nodes by."""


def played(
    job: dict[str, Any],
    edits: Mapping[str, Any] | None = None,
    *beside: dict[str, Any],
    nodes: int = 1,
    earlier: Iterable[dict[str, Any]] = (),
    **more: Any,
) -> Outcome:
    """A rehearsal of the default cluster with so many nodes for training, with the operator that runs such jobs, and
    with some edits; after earlier jobs."""
    shape = roles_of(job, beside)
    size = {"groups.workers.nodes": nodes, "groups.workers.capacity.reservation.count": nodes}
    operators = {f"addons.{name}": {} for name in addons_that_run(shape.api_version, shape.kind)[:1]}
    blueprint = a_blueprint({**size, **operators, **(edits or {})})
    request = RehearsalRequest(blueprint, job, shape, beside, **more)
    before = tuple(replace(request, job=each, shape=roles_of(each, beside)) for each in earlier)
    return rehearse(replace(request, earlier=before))


def causes(outcome: Outcome | Drill) -> list[str]:
    """The ids of what pods wait for, each once, in order."""
    return list(dict.fromkeys(each.cause.id for each in outcome.waiting))


def a_gpu_job(pods: int = 1, gpus: int = 8, **pod: Any) -> dict[str, Any]:
    """A Job whose pods take GPUs; `pod` is more of their spec."""
    container = {"name": "c", "image": "c", "resources": {"limits": {GPU: gpus}}}
    template = {"spec": {"restartPolicy": "Never", "containers": [container], **pod}}
    spec = {"parallelism": pods, "completions": pods, "template": template}
    return {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "train"}, "spec": spec}


def a_pytorch_job(name: str, namespace: str, workers: int, gpus: int = 8) -> dict[str, Any]:
    """A PyTorchJob: one master and so many workers."""

    def replicas(number: int) -> dict[str, Any]:
        container = {"name": "pytorch", "image": "worker", "resources": {"limits": {GPU: gpus, EFA_RESOURCE: 32}}}
        return {"replicas": number, "template": {"spec": {"containers": [container]}}}

    return {
        "apiVersion": "kubeflow.org/v1",
        "kind": "PyTorchJob",
        "metadata": {"name": name, "namespace": namespace},
        "spec": {"pytorchReplicaSpecs": {"Master": replicas(1), "Worker": replicas(workers)}},
    }


def a_hyperpod_job(workers: int = 4, retries: int | None = 2, **spec: Any) -> dict[str, Any]:
    """A PyTorchJob of so many workers, a node each, that HyperPod is to resume so often."""
    job = a_pytorch_job("train", "kubeflow", workers)
    job["spec"]["pytorchReplicaSpecs"].pop("Master")
    job["spec"]["pytorchReplicaSpecs"]["Worker"]["template"]["spec"] |= {"nodeSelector": HEALTHY, **spec}
    if retries is not None:
        job["metadata"]["annotations"] = {ENABLED: "true", RETRIES: str(retries)}
    return job
