"""The jobs of the Kubeflow training operator (v1). A rehearsal runs the operator.

After kubeflow/training-operator v1.9, `pkg/apis/kubeflow.org/v1` (`*_types.go`, `*_defaults.go`). Containers that it
adds to a pod, such as the init container of workers that waits for the master, request less than any worker. An
elastic job is rehearsed at its full size.
"""

from collections.abc import Iterator

from muster.jobs.manifest import Field, MalformedJob, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Role, suspended_note
from muster.message_text import did_you_mean

REPLICAS = {
    "PyTorchJob": ("pytorchReplicaSpecs", ("Master", "Worker")),
    "TFJob": ("tfReplicaSpecs", ("Chief", "Master", "PS", "Worker", "Evaluator")),
    "XGBoostJob": ("xgbReplicaSpecs", ("Master", "Worker")),
    "PaddleJob": ("paddleReplicaSpecs", ("Master", "Worker")),
    "JAXJob": ("jaxReplicaSpecs", ("Worker",)),
}
"""Kind -> the key of its replicas, and their types."""


def job_roles(job: Field) -> JobRoles:
    """A role for each type of replica: `master`, `worker`."""
    suspended = job.at("spec", "runPolicy", "suspend").flag()
    notes = [suspended_note("spec.runPolicy.suspend")] if suspended else []
    return JobRoles.of(job, Controller.TRAINING_OPERATOR, "the Kubeflow training operator", _roles(job), notes=notes)


def _roles(job: Field) -> Iterator[Role]:
    key, types = REPLICAS[job.at("kind").text()]
    replicas = job.required("spec", key)
    named = [each.lower() for each in types]  # the operator also accepts "worker"
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
        yield Role(name.lower(), pods, pods, template_of(spec.required("template")))
