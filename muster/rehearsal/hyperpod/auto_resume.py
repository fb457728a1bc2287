"""Whether HyperPod starts a job again, once it has replaced a node that the job ran on. Pure.

Its auto-resume is AWS's own code, outside the cluster: it deletes the job's pods, and the training operator makes them
again (the RBAC of sub-chart `job-auto-restart`, aws/sagemaker-hyperpod-cli 011ca92). Which jobs it takes: SageMaker AI
guide, "Running jobs using kubectl" and "Running jobs using the SageMaker HyperPod CLI".
"""

from dataclasses import dataclass

from muster.fleet.matching import Json
from muster.jobs.shape import Shape

ENABLED = "sagemaker.amazonaws.com/enable-job-auto-resume"
RETRIES = "sagemaker.amazonaws.com/job-max-retry-count"

_KIND = ("kubeflow.org/v1", "PyTorchJob")
_NAMESPACE, _PREFIX = "kubeflow", "hyperpod"
_POLICY = "OnFailure"
"""Also what the operator takes where a replica says none."""


@dataclass(frozen=True, slots=True)
class AutoResume:
    """What HyperPod would do for a job."""

    retries: int = 0
    """How often it starts the job again."""
    why_not: str = ""
    """Why it never does; empty where it does."""


def auto_resume(job: Json, shape: Shape) -> AutoResume:
    """What HyperPod would do for this job.

    Args:
        job: its manifest.
        shape: the same, read.
    """
    if (shape.api_version, shape.kind) != _KIND:
        said = f"auto-resume is for PyTorchJobs of the Kubeflow training operator, and not for this kind, {shape.kind}"
        return AutoResume(why_not=said)
    annotations = job["metadata"].get("annotations") or {}
    if str(annotations.get(ENABLED, "")).lower() != "true":
        return AutoResume(why_not=f'the job lacks the annotation {ENABLED}: "true"')
    retries = str(annotations.get(RETRIES, ""))
    if not retries.isdecimal() or not int(retries):
        return AutoResume(why_not=f'the job does not say how often: {RETRIES}: "2"')
    if not (shape.namespace == _NAMESPACE or shape.namespace.startswith(_PREFIX)):
        where = f"'{_NAMESPACE}' or one that begins with '{_PREFIX}'"
        return AutoResume(why_not=f"the job is in the namespace '{shape.namespace}', and would have to be in {where}")
    for name, replica in job["spec"]["pytorchReplicaSpecs"].items():
        if (policy := replica.get("restartPolicy", _POLICY)) != _POLICY:
            return AutoResume(why_not=f"restartPolicy of {name} is {policy}, and would have to be {_POLICY}")
    return AutoResume(int(retries))
