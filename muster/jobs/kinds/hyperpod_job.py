"""HyperPodPyTorchJob sagemaker.amazonaws.com/v1, which HyperPod's training operator runs.

AWS publishes neither the operator's code nor its CRD as a file. The sources are the SageMaker AI developer guide,
"Using the training operator to run jobs", and the HyperPod CLI's models of the CRD (aws/sagemaker-hyperpod-cli at
011ca92, `training/config/hyperpod_pytorch_job_unified_config.py`, and `hyperpod_pytorch_job.py` for the label `HPJob`).
The operator creates the pods of every entry of `replicaSpecs` at the same time. `spares` count in Kueue's quota, but
have no pods at first. An elastic job is rehearsed at its full size.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from muster.jobs.manifest import Field, name_of, namespace_of, template_of
from muster.jobs.pod_roles import Controller, JobRoles, Role

VERSION, KIND = "sagemaker.amazonaws.com/v1", "HyperPodPyTorchJob"


def job_roles(job: Field) -> JobRoles:
    """A role for each of its replica specs."""
    return JobRoles.of(
        job,
        Controller.REHEARSAL,
        _roles(job),
        runs_by="HyperPod's training operator",
        suspend=("spec", "runPolicy", "suspend"),
        notes=_notes(job),
    )


ROLE_LABEL = "muster/role"
"""The label with the role's name, on every simulated pod."""

Pod = dict[str, Any]


def pods(job: Field) -> Iterator[Pod]:
    """The pods of each role, in order."""
    for role in _roles(job):
        for index in range(role.pods):
            yield _pod(job, role, f"{name_of(job)}-{role.name}-{index}")


def _pod(job: Field, role: Role, name: str) -> Pod:
    """A pod of the user's template, with the operator's labels."""
    written = role.template
    own = {**written.at("metadata", "labels").texts(), "HPJob": name_of(job), ROLE_LABEL: role.name}
    annotations = written.at("metadata", "annotations").texts()
    spec = {**deepcopy(dict(written.at("spec").mapping())), "schedulerName": None}
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name,
            "namespace": namespace_of(job),
            "labels": own,
            **({"annotations": annotations} if annotations else {}),
        },
        "spec": {key: value for key, value in spec.items() if value is not None and value != ""},
    }


def _specs(job: Field) -> list[Field]:
    return job.required("spec", "replicaSpecs").some("replica spec")


def _roles(job: Field) -> Iterator[Role]:
    for spec in _specs(job):
        count = spec.at("replicas").number(1)
        yield Role(spec.required("name").text(), count, count, template_of(spec.required("template")))


def _notes(job: Field) -> Iterator[str]:
    yield (
        "the rehearsal simulates HyperPod's training operator, after AWS's guide and CLI: it creates all pods at the "
        "same time, but not the operator's own pod that manages the job"
    )
    for spec in _specs(job):
        if spares := spec.at("spares").number(0):
            yield f"{spec}.spares: {spares} more pods count in Kueue's quota, but use no nodes"
