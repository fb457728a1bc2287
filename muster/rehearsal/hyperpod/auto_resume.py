"""Whether HyperPod starts a job again, once it has replaced a node that the job ran on. Pure.

Its auto-resume is AWS's own code, outside the cluster: it deletes the job's pods, and the training operator makes them
again (the RBAC of sub-chart `job-auto-restart`, aws/sagemaker-hyperpod-cli 011ca92). Which jobs it takes
`muster.fleet.hyperpod.auto_resume` says.
"""

from dataclasses import dataclass

from muster.fleet.hyperpod.auto_resume import (
    API_VERSION,
    BEGINS,
    ENABLED,
    KIND,
    NAMESPACE,
    RESTART_POLICY,
    RETRIES,
    STATED,
    is_stated_for,
    resumes_in,
)
from muster.fleet.matching import Json
from muster.jobs.shape import Shape


@dataclass(frozen=True, slots=True)
class AutoResume:
    """What HyperPod would do for a job."""

    retries: int = 0
    """How often it starts the job again."""
    why_not: str = ""
    """Why it never does; empty where it does."""


def auto_resume(job: Json, shape: Shape, operator: str = "") -> AutoResume:
    """What HyperPod would do for this job.

    Args:
        job: its manifest.
        shape: the same, read.
        operator: the training operator's release; empty where HyperPod's chart brings its own.
    """
    if why_not := _not_taken(shape, operator):
        return AutoResume(why_not=why_not)
    annotations = job["metadata"].get("annotations") or {}
    if str(annotations.get(ENABLED, "")).lower() != "true":
        return AutoResume(why_not=f'the job lacks the annotation {ENABLED}: "true"')
    retries = str(annotations.get(RETRIES, ""))
    if not retries.isdecimal() or not int(retries):
        return AutoResume(why_not=f'the job does not say how often: {RETRIES}: "2"')
    for name, replica in job["spec"]["pytorchReplicaSpecs"].items():
        if (policy := replica.get("restartPolicy", RESTART_POLICY)) != RESTART_POLICY:
            return AutoResume(why_not=f"restartPolicy of {name} is {policy}, and would have to be {RESTART_POLICY}")
    return AutoResume(int(retries))


def _not_taken(shape: Shape, operator: str) -> str:
    """Why AWS says of no such job that HyperPod takes it, whatever the job asks for; empty where it does."""
    if (shape.api_version, shape.kind) != (API_VERSION, KIND):
        return f"auto-resume is for PyTorchJobs of the Kubeflow training operator, and not for this kind, {shape.kind}"
    if operator and not is_stated_for(operator):
        stated = f"{', '.join(STATED[:-1])} and {STATED[-1]}"
        return f"AWS states it for training-operator {stated}, and the cluster's is {operator}"
    if not resumes_in(shape.namespace):
        where = f"'{NAMESPACE}' or one that begins with '{BEGINS}'"
        return f"the job is in the namespace '{shape.namespace}', and would have to be in {where}"
    return ""
