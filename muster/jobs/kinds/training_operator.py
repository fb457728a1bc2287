"""The jobs of the Kubeflow training operator (v1), which runs in a rehearsal as it does in life.

After kubeflow/training-operator v1.9, `pkg/apis/kubeflow.org/v1` (`*_types.go`, `*_defaults.go`). What it adds to a
pod, an init container of workers that waits for the master among it, asks less than any worker.
"""

from collections.abc import Iterator

from muster.fleet.near_miss import did_you_mean
from muster.jobs.reading import Field, MalformedJob, template_of
from muster.jobs.shape import Controller, Role, Shape

REPLICAS = {
    "PyTorchJob": ("pytorchReplicaSpecs", ("Master", "Worker")),
    "TFJob": ("tfReplicaSpecs", ("Chief", "Master", "PS", "Worker", "Evaluator")),
    "XGBoostJob": ("xgbReplicaSpecs", ("Master", "Worker")),
    "PaddleJob": ("paddleReplicaSpecs", ("Master", "Worker")),
    "JAXJob": ("jaxReplicaSpecs", ("Worker",)),
}
"""Kind -> where its replicas stand, and their types."""


def shape(job: Field) -> Shape:
    """A role for each type of replica: `master`, `worker`."""
    suspended = job.at("spec", "runPolicy", "suspend").flag()
    notes = ["it is suspended (spec.runPolicy.suspend): no pods are made until somebody, or Kueue, resumes it"]
    runs_by = "the Kubeflow training operator"
    return Shape.of(job, Controller.TRAINING_OPERATOR, runs_by, _roles(job), notes=notes if suspended else ())


def _roles(job: Field) -> Iterator[Role]:
    key, types = REPLICAS[job.at("kind").text()]
    replicas = job.required("spec", key)
    named = {each.lower(): each for each in types}  # the operator takes "worker" too
    if not replicas.mapping():
        raise replicas.wrong(f"give at least one of {', '.join(types)}")
    for name in replicas.mapping():
        if name.lower() not in named:
            hint = did_you_mean(name, types)
            raise MalformedJob(f"{replicas.path}: no replicas '{name}'{hint} (there are: {', '.join(types)})")
        spec = replicas.at(name)
        pods = spec.at("replicas").number(1)
        least = job.at("spec", "elasticPolicy", "minReplicas") if named[name.lower()] == "Worker" else Field(None)
        yield Role(name.lower(), pods, min(pods, least.number(pods)), template_of(spec.required("template")))
