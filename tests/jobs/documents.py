"""Jobs of every kind, as people write them; what a test passes replaces what goes by the same name."""

from copy import deepcopy
from typing import Any

from muster.jobs.pod_roles import JobRoles, Role

NAME = "train"

ASKED = {"nvidia.com/gpu": 8, "vpc.amazonaws.com/efa": 32, "memory": "32000Mi", "hugepages-2Mi": "5120Mi"}


def a_container(**said: Any) -> dict[str, Any]:
    """A container that takes a p5.48xlarge whole."""
    return {"name": "main", "image": "example.com/train:1", "resources": {"limits": dict(ASKED)}, **said}


def a_template(*, labels: dict[str, str] | None = None, **spec: Any) -> dict[str, Any]:
    """A pod template."""
    metadata = {"metadata": {"labels": labels}} if labels else {}
    return {**metadata, "spec": {"containers": [a_container()], **spec}}


def _job(version: str, kind: str, spec: dict[str, Any], **metadata: Any) -> dict[str, Any]:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": NAME, **metadata}, "spec": spec}


def a_pod(**spec: Any) -> dict[str, Any]:
    """A Pod."""
    return _job("v1", "Pod", a_template(**spec)["spec"])


def a_batch_job(**spec: Any) -> dict[str, Any]:
    """A Job of two pods."""
    return _job("batch/v1", "Job", {"parallelism": 2, "completions": 2, "template": a_template(), **spec})


def a_replicated(kind: str, **spec: Any) -> dict[str, Any]:
    """A Deployment and the like, of two pods."""
    return _job("apps/v1", kind, {"replicas": 2, "template": a_template(), **spec})


def a_pytorch_job(**spec: Any) -> dict[str, Any]:
    """A PyTorchJob of a master and three workers."""
    replicas = {
        "Master": {"replicas": 1, "template": a_template()},
        "Worker": {"replicas": 3, "template": a_template()},
    }
    return _job("kubeflow.org/v1", "PyTorchJob", {"pytorchReplicaSpecs": replicas, **spec})


def an_mpi_job(worker: dict[str, Any] | None = None, launcher: dict[str, Any] | None = None, **spec: Any) -> Any:
    """An MPIJob of two workers."""
    small = a_template(containers=[a_container(resources={}, command=["mpirun"])])
    replicas = {
        "Launcher": {"replicas": 1, "template": small, **(launcher or {})},
        "Worker": {"replicas": 2, "template": a_template(), **(worker or {})},
    }
    return _job("kubeflow.org/v2beta1", "MPIJob", {"slotsPerWorker": 8, "mpiReplicaSpecs": replicas, **spec})


def a_volcano_job(*tasks: dict[str, Any], **spec: Any) -> dict[str, Any]:
    """A Volcano Job; without tasks of a test's own, of one with two pods."""
    listed = list(tasks) or [{"name": "worker", "replicas": 2, "template": a_template()}]
    return _job("batch.volcano.sh/v1alpha1", "Job", {"tasks": listed, **spec})


def a_replicated_job(name: str, pods: int = 1, **said: Any) -> dict[str, Any]:
    """One of a JobSet's."""
    return {
        "name": name,
        "template": {"spec": {"parallelism": pods, "completions": pods, "template": a_template()}},
        **said,
    }


def a_job_set(*jobs: dict[str, Any], **spec: Any) -> dict[str, Any]:
    """A JobSet; without jobs of a test's own, of a driver and two Jobs with two workers each."""
    listed = list(jobs) or [a_replicated_job("driver"), a_replicated_job("workers", 2, replicas=2)]
    return _job("jobset.x-k8s.io/v1alpha2", "JobSet", {"replicatedJobs": listed, **spec})


def a_ray_spec(**spec: Any) -> dict[str, Any]:
    """A head and a group of three workers."""
    small = a_template(containers=[a_container(resources={"limits": {"cpu": 4, "memory": "8Gi"}})])
    group = {
        "groupName": "gpu",
        "replicas": 3,
        "minReplicas": 0,
        "maxReplicas": 5,
        "rayStartParams": {},
        "template": a_template(),
    }
    return {"headGroupSpec": {"rayStartParams": {}, "template": small}, "workerGroupSpecs": [group], **spec}


def a_ray_cluster(**spec: Any) -> dict[str, Any]:
    """A RayCluster."""
    return _job("ray.io/v1", "RayCluster", a_ray_spec(**spec))


def a_ray_job(**spec: Any) -> dict[str, Any]:
    """A RayJob."""
    own = {"entrypoint": "python train.py", "shutdownAfterJobFinishes": True, "rayClusterSpec": a_ray_spec()}
    return _job("ray.io/v1", "RayJob", {**own, **spec})


def a_train_job(**spec: Any) -> dict[str, Any]:
    """A TrainJob of four nodes; `a_runtime()` stands beside it."""
    trainer = {"numNodes": 4, "image": "example.com/mine:2", "resourcesPerNode": {"limits": dict(ASKED)}}
    return _job(
        "trainer.kubeflow.org/v1alpha1", "TrainJob", {"runtimeRef": {"name": "torch"}, "trainer": trainer, **spec}
    )


def a_runtime(**spec: Any) -> dict[str, Any]:
    """The runtime `torch`: one replicated job, the trainer's."""
    node = a_replicated_job("node")
    node["template"]["metadata"] = {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": "trainer"}}
    node["template"]["spec"] = {"template": a_template(containers=[a_container(name="node", resources={})])}
    whole = {"mlPolicy": {"numNodes": 1, "torch": {}}, "template": {"spec": {"replicatedJobs": [node]}}, **spec}
    made = _job("trainer.kubeflow.org/v1alpha1", "ClusterTrainingRuntime", whole)
    return {**made, "metadata": {"name": "torch"}}


def a_hyperpod_job(*specs: dict[str, Any], **said: Any) -> dict[str, Any]:
    """A HyperPodPyTorchJob; without replica specs of a test's own, of four pods."""
    listed = list(specs) or [{"name": "pods", "replicas": 4, "template": a_template()}]
    return _job(
        "sagemaker.amazonaws.com/v1", "HyperPodPyTorchJob", {"nprocPerNode": "8", "replicaSpecs": listed, **said}
    )


EVERY_KIND: dict[str, dict[str, Any]] = {
    "Pod": a_pod(),
    "Job": a_batch_job(),
    **{kind: a_replicated(kind) for kind in ("Deployment", "StatefulSet", "ReplicaSet")},
    "PyTorchJob": a_pytorch_job(),
    **{
        kind: _job("kubeflow.org/v1", kind, {key: {"Worker": {"replicas": 2, "template": a_template()}}})
        for kind, key in {
            "TFJob": "tfReplicaSpecs",
            "XGBoostJob": "xgbReplicaSpecs",
            "PaddleJob": "paddleReplicaSpecs",
            "JAXJob": "jaxReplicaSpecs",
        }.items()
    },
    "MPIJob": an_mpi_job(),
    "Volcano Job": a_volcano_job(),
    "JobSet": a_job_set(),
    "RayCluster": a_ray_cluster(),
    "RayJob": a_ray_job(),
    "TrainJob": a_train_job(),
    "HyperPodPyTorchJob": a_hyperpod_job(),
}
"""What a test goes through where it must hold of every kind; a TrainJob with `a_runtime()` beside it."""


def places(document: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a document."""
    children = (
        document.items() if isinstance(document, dict) else enumerate(document) if isinstance(document, list) else ()
    )
    return [path, *(place for key, value in children for place in places(value, (*path, key)))]


def replaced(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The document with something else in one place."""
    if not path:
        return value
    made = deepcopy(document)
    here = made
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value
    return made


def role_of(shape: JobRoles, name: str) -> Role:
    """The role with that name."""
    (found,) = (role for role in shape.roles if role.name == name)
    return found
