"""TrainJob trainer.kubeflow.org/v1alpha1: a JobSet, which Kubeflow Trainer creates from a runtime in the same file.

The roles are counted after kubeflow/trainer v2.3.0, `pkg/runtime/core/trainingruntime.go` (`newRuntimeInfo`), and
`pkg/runtime/framework/plugins` plainml, torch, and jobset (`SyncParallelCount`, `Trainer`, `Initializer`). They depend
on the runtime, so a TrainJob without its runtime is an error, and so is one whose roles depend on patches or on an MPI
policy.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from muster.jobs.kinds import job_set
from muster.jobs.manifest import Field, MalformedJob, name_of, namespace_of
from muster.jobs.pod_requests import pod_requests
from muster.jobs.pod_roles import Controller, JobRoles
from muster.kubernetes_quantity import CPU
from muster.message_text import did_you_mean

VERSION = "trainer.kubeflow.org/v1alpha1"
_GROUP = "trainer.kubeflow.org/"
_STEP = "trainer.kubeflow.org/trainjob-ancestor-step"
_NODE = "node"
"""The container that the trainer's settings go to."""

Documents = Iterable[Mapping[str, Any]]


def job_roles(job: Field, beside: Documents) -> JobRoles:
    """A role for each of the runtime's replicated jobs. With a `podGroupPolicy`, Trainer creates a PodGroup of
    Volcano."""
    roles = job_set.job_roles(as_job_set(job, beside), Controller.TRAINER)
    gang = runtime_of(job, beside).at("spec", "podGroupPolicy", "volcano").there
    return replace(roles, schedulers=tuple(sorted({*roles.schedulers, "volcano"}))) if gang else roles


def as_job_set(job: Field, beside: Documents) -> Field:
    """The JobSet that Trainer creates for a TrainJob.

    Args:
        job: the TrainJob.
        beside: other documents, with its runtime.

    Raises:
        MalformedJob: its runtime is not among them, or it does not match its kind.
    """
    runtime = runtime_of(job, beside)
    for key in ("runtimePatches", "podTemplateOverrides", "podSpecOverrides"):
        written = job.at("spec", key)
        if written.there:
            raise written.wrong("a rehearsal does not support this field; put the setting into the runtime")
    if runtime.at("spec", "mlPolicy", "mpi").there:
        raise runtime.at("spec", "mlPolicy", "mpi").wrong(
            "a rehearsal does not support MPI runtimes; rewrite the job as an MPIJob"
        )
    template = runtime.required("spec", "template")
    replicated = [_replicated(job, runtime, each) for each in template.required("spec", "replicatedJobs").entries()]
    spec = {**template.at("spec").mapping(), "replicatedJobs": replicated, "suspend": job.at("spec", "suspend").flag()}
    return Field({**job.mapping(), "spec": spec, "metadata": {**job.at("metadata").mapping(), "name": name_of(job)}})


def runtime_of(job: Field, beside: Documents) -> Field:
    """The runtime of a TrainJob.

    Raises:
        MalformedJob: it is not among the other documents.
    """
    ref = job.required("spec", "runtimeRef")
    kind = ref.at("kind").choice("ClusterTrainingRuntime", "TrainingRuntime", otherwise="ClusterTrainingRuntime")
    name = ref.required("name").text()
    given = [Field(each, (kind,)) for each in beside if each.get("kind") == kind and _of_trainer(each)]
    if kind == "TrainingRuntime":
        given = [each for each in given if namespace_of(each) == namespace_of(job)]
    for runtime in given:
        if runtime.at("metadata", "name").value == name:
            return runtime
    meant = did_you_mean(name, [each.at("metadata", "name").text() for each in given])
    raise MalformedJob(
        f"{ref}.name: the pods of a TrainJob depend on its {kind}, but the file does not contain '{name}'; "
        f"put it into the same file (kubectl get {kind.lower()} {name} -o yaml){meant}"
    )


def _of_trainer(document: Mapping[str, Any]) -> bool:
    version = document.get("apiVersion")
    return isinstance(version, str) and version.startswith(_GROUP)


def _replicated(job: Field, runtime: Field, replicated: Field) -> dict[str, Any]:
    """A replicated job of the runtime, with the TrainJob's settings."""
    spec = replicated.required("template", "spec")
    step = replicated.at("template", "metadata", "labels").texts().get(_STEP)
    made = dict(spec.mapping())
    trainer = job.at("spec", "trainer")
    count = spec.at("parallelism").number(1)
    if step == "trainer":
        policy = runtime.at("spec", "mlPolicy")
        # If there is no policy, the runtime's own parallelism counts, unless the TrainJob sets a number.
        count = policy.at("numNodes").number(1) if policy.there else count
        count = trainer.at("numNodes").number(count)
        made["template"] = _with_trainer(spec.required("template"), trainer, resources=policy.there)
    made |= {"parallelism": count, "completions": count}
    own = {"replicas": 1} if step else {}
    return {**replicated.mapping(), **own, "template": {**replicated.at("template").mapping(), "spec": made}}


def _with_trainer(template: Field, trainer: Field, *, resources: bool) -> dict[str, Any]:
    """The pod template with the trainer's image, command, environment and resources in the container `node`."""
    spec = template.required("spec")
    changed = {key: trainer.at(key).value for key in ("image", "command", "args") if trainer.at(key).there}
    per_node = trainer.at("resourcesPerNode")
    env = list(trainer.at("env").entries())
    named = {each.at("name").value for each in env}
    containers = []
    for container in spec.at("containers").entries():
        made = dict(container.mapping())
        if made.get("name") == _NODE:
            made |= changed
            if env:
                kept = (each for each in container.at("env").entries() if each.at("name").value not in named)
                made["env"] = [each.value for each in (*kept, *env)]
            if resources and per_node.there:
                made["resources"] = _merged(container.at("resources"), per_node)
        containers.append(made)
    return {**template.mapping(), "spec": {**spec.mapping(), "containers": containers}}


def _merged(base: Field, more: Field) -> dict[str, Any]:
    kinds = {kind: {**base.at(kind).mapping(), **more.at(kind).mapping()} for kind in ("limits", "requests")}
    return {kind: amounts for kind, amounts in kinds.items() if amounts}


def processes(job: Field, beside: Documents) -> int | None:
    """The processes that torchrun starts in each pod: as the TrainJob sets, or else one for each CPU of its
    `resourcesPerNode` if that has no GPUs, even if the runtime has them. None for one on each GPU.

    After `pkg/runtime/framework/plugins/torch/torch.go` and `GetNumGPUPerNode`.

    Raises:
        MalformedJob: its runtime is not among the other documents, or an amount is malformed.
    """
    trainer = job.at("spec", "trainer")
    per_node, number = trainer.at("resourcesPerNode"), trainer.at("numProcPerNode")
    amounts = [per_node.at(kind).mapping() for kind in ("requests", "limits")]
    has_gpus = any("gpu" in name.lower() for kind in amounts for name in kind)
    of_torch = runtime_of(job, beside).at("spec", "mlPolicy", "torch").there
    if number.there or not per_node.there or has_gpus or not of_torch:
        return number.number(1) if number.there else None
    cpus = [pod_requests({"containers": [{"resources": {"requests": kind}}]}).get(CPU, 0) for kind in amounts]
    return max(1, -(-(cpus[0] or cpus[1]) // 1000))
