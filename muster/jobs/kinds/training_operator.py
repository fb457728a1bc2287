"""The jobs of the Kubeflow training operator (v1). A rehearsal runs the operator.

After kubeflow/training-operator v1.9, `pkg/apis/kubeflow.org/v1` (`*_types.go`, `*_defaults.go`). Containers that it
adds to a pod, such as the init container of workers that waits for the master, request less than any worker.
"""

from collections.abc import Iterator

from muster.jobs import torchrun
from muster.jobs.manifest import Field, MalformedJob, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Role, suspended_note
from muster.message_text import count_noun, did_you_mean

REPLICAS = {
    "PyTorchJob": ("pytorchReplicaSpecs", ("Master", "Worker")),
    "TFJob": ("tfReplicaSpecs", ("Chief", "Master", "PS", "Worker", "Evaluator")),
    "XGBoostJob": ("xgbReplicaSpecs", ("Master", "Worker")),
    "PaddleJob": ("paddleReplicaSpecs", ("Master", "Worker")),
    "JAXJob": ("jaxReplicaSpecs", ("Worker",)),
}
"""Kind -> the key of its replicas, and their types."""

_CONTAINER = "pytorch"
"""The name of the container whose environment a PyTorchJob's operator sets (`PyTorchJobDefaultContainerName`)."""


def job_roles(job: Field) -> JobRoles:
    """A role for each type of replica: `master`, `worker`."""
    notes = list(_elastic(job))
    if job.at("spec", "runPolicy", "suspend").flag():
        notes.append(suspended_note("spec.runPolicy.suspend"))
    return JobRoles.of(job, Controller.TRAINING_OPERATOR, "the Kubeflow training operator", _roles(job), notes=notes)


def _roles(job: Field) -> Iterator[Role]:
    key, types = REPLICAS[job.at("kind").text()]
    replicas = job.required("spec", key)
    named = {each.lower(): each for each in types}  # the operator also accepts "worker"
    if not replicas.mapping():
        raise replicas.wrong(f"give at least one of {', '.join(types)}")
    for name in replicas.mapping():
        if name.lower() not in named:
            hint = did_you_mean(name, types)
            raise MalformedJob(
                f"{replicas.path}: '{name}' is not a type of replica{hint} (types: {', '.join(types)})",
                f"{replicas.path}.{name}",
            )
        spec = replicas.at(name)
        pods = spec.at("replicas").number(1)
        template = template_of(spec.required("template"))
        needed = _least(job, spec, pods) if named[name.lower()] == "Worker" else pods
        yield Role(name.lower(), pods, min(pods, needed), template)


def _least(job: Field, worker: Field, pods: int) -> int:
    """The number of workers with which an elastic job continues: the number that its torchrun waits for, else
    `minReplicas`."""
    least = job.at("spec", "elasticPolicy", "minReplicas")
    nodes = torchrun.min_nnodes(_nnodes(worker)) if least.there else None
    return least.number(pods) if nodes is None else max(0, nodes - _masters(job))


def _masters(job: Field) -> int:
    """The number of pods that torchrun counts as nodes, but that are not workers."""
    key, _ = REPLICAS[job.at("kind").text()]
    replicas = job.at("spec", key)
    named = (name for name in replicas.mapping() if name.lower() == "master")
    return sum(replicas.at(name, "replicas").number(1) for name in named)


def _nnodes(replica: Field) -> str:
    """The `--nnodes` of the replica's torchrun, in the container whose environment the operator sets, else in the first
    container."""
    containers = list(replica.at("template", "spec", "containers").entries())
    chosen = [each for each in containers if each.at("name").value == _CONTAINER] or containers[:1]
    return next((torchrun.read_nnodes(each) for each in chosen), "")


def _elastic(job: Field) -> Iterator[str]:
    """Notes on how many workers an elastic job needs."""
    least = job.at("spec", "elasticPolicy", "minReplicas")
    if not least.there:
        return
    key, _ = REPLICAS[job.at("kind").text()]
    replicas = job.at("spec", key)
    for name in replicas.mapping():
        nnodes = _nnodes(replicas.at(name)) if name.lower() == "worker" else ""
        nodes, pods = torchrun.min_nnodes(nnodes), replicas.at(name, "replicas").number(1) + _masters(job)
        if nnodes and nodes is None:
            yield (
                f"torchrun's --nnodes={nnodes} is known only in the container; the rehearsal treats the job as "
                f"elastic, from {least.path}"
            )
        elif nodes is not None and nodes > pods:
            yield f"torchrun --nnodes={nnodes} waits for {nodes} nodes, but the job has {count_noun(pods, 'pod')}"
        elif nodes is not None and ":" not in nnodes and nodes > least.number(1):
            yield (
                f"torchrun --nnodes={nnodes} waits for all {nodes} nodes, regardless of {least.path}; for an elastic "
                f"job, set --nnodes={least.number(1)}:{nodes}"
            )
