"""HyperPodPyTorchJob sagemaker.amazonaws.com/v1, which HyperPod's training operator runs.

AWS publishes neither the operator's code nor its CRD as a file. After the SageMaker AI developer guide, "Using the
training operator to run jobs", and the models that the HyperPod CLI has of the CRD (aws/sagemaker-hyperpod-cli at
011ca92, `training/config/hyperpod_pytorch_job_unified_config.py`, and `hyperpod_pytorch_job.py`: the label `HPJob`):
so many pods of each of `replicaSpecs`, all at once; `spares` are asked of Kueue and are no pods at first; an elastic
job goes on with `minReplicas`.
"""

from collections.abc import Iterator

from muster.jobs.pod import Pod, a_pod
from muster.jobs.reading import Field, name_of, namespace_of, template_of
from muster.jobs.shape import Controller, Role, Shape

VERSION, KIND = "sagemaker.amazonaws.com/v1", "HyperPodPyTorchJob"


def shape(job: Field) -> Shape:
    """A role for each of its replica specs."""
    return Shape.of(job, Controller.STAND_IN, "HyperPod's training operator", _roles(job), notes=_notes(job))


def pods(job: Field) -> Iterator[Pod]:
    """The pods of each role, in order."""
    name, namespace = name_of(job), namespace_of(job)
    for role in _roles(job):
        for index in range(role.pods):
            pod = f"{name}-{role.name}-{index}"
            yield a_pod(role.template, pod, namespace, role.name, labels={"HPJob": name})


def _specs(job: Field) -> list[Field]:
    return job.required("spec", "replicaSpecs").some("replica spec")


def _roles(job: Field) -> Iterator[Role]:
    specs = _specs(job)
    least = job.at("spec", "elasticPolicy", "minReplicas")
    for spec in specs:
        count = spec.at("replicas").number(1)
        # It is said of the whole job; of several groups nobody knows which one shrinks.
        needed = min(count, least.number(count)) if len(specs) == 1 else count
        yield Role(spec.required("name").text(), count, needed, template_of(spec.required("template")))


def _notes(job: Field) -> Iterator[str]:
    yield (
        "HyperPod's training operator is played by what AWS's guide and its CLI say of it: its pods, at once; a pod of "
        "its own that manages the job is not played"
    )
    if job.at("spec", "runPolicy", "suspend").flag():
        yield "it is suspended (spec.runPolicy.suspend): no pods are made until somebody, or Kueue, resumes it"
    for spec in _specs(job):
        if spares := spec.at("spares").number(0):
            yield f"{spec.path}.spares: {spares} more pods are asked of Kueue's quota, and not of nodes"
