"""Elastic training of a HyperPodPyTorchJob: the numbers of pods with which it runs.

Source: SageMaker AI developer guide, "Using elastic training in Amazon SageMaker HyperPod"; aws/sagemaker-hyperpod-cli
at 011ca92, `hyperpod_pytorch_job_template/v1_1/model.py`. The guide does not document what happens if the policy has
neither a step nor values: then every number between the minimum and the maximum counts as possible.
"""

from collections.abc import Iterator
from typing import NamedTuple

from muster.jobs.manifest import Field

_POLICY = ("spec", "elasticPolicy")
_LISTED = 8
"""Numbers that a note lists."""


class ElasticPolicy(NamedTuple):
    """`elasticPolicy` of a job."""

    least: int
    most: int
    sizes: tuple[int, ...]
    """The numbers of pods with which the job runs, ascending; empty if the policy allows none."""
    exact: bool
    """Whether the policy has a step or values."""


def elastic_policy(job: Field, pods: int) -> ElasticPolicy | None:
    """The policy of a job; None if it has none.

    Args:
        job: its document.
        pods: the pods with which it starts.

    Raises:
        MalformedJob: a number is no number.
    """
    policy = job.at(*_POLICY)
    if not policy.there:
        return None
    step = policy.at("replicaIncrementStep").number(0, least=1)
    values = sorted({each.number(1, least=1) for each in policy.at("replicaDiscreteValues").entries()})
    least = policy.at("minReplicas").number(values[0] if values else pods)
    most = policy.at("maxReplicas").number(values[-1] if values else pods)
    every = values or range(least, most + 1, step or 1)
    return ElasticPolicy(least, most, tuple(each for each in every if least <= each <= most), bool(values or step))


def notes(job: Field, pods: int) -> Iterator[str]:
    """Notes on an elastic job: its sizes, and what in the policy contradicts something else."""
    policy = elastic_policy(job, pods)
    if policy is None:
        return
    path = ".".join(_POLICY)
    at = job.at(*_POLICY)
    if at.at("replicaIncrementStep").there and at.at("replicaDiscreteValues").there:
        yield (
            f"{path} has both replicaIncrementStep and replicaDiscreteValues; AWS documents one or the other, so "
            "remove one of them"
        )
    if policy.least > policy.most:
        yield f"{path}.minReplicas is {policy.least}, but maxReplicas is {policy.most}; lower minReplicas"
        return
    specs = list(job.at("spec", "replicaSpecs").entries())
    limits = [each.at("maxReplicas").number(each.at("replicas").number(1)) for each in specs]
    if any(each.at("maxReplicas").there for each in specs) and sum(limits) != policy.most:
        yield (
            f"maxReplicas of the replica specs add up to {sum(limits)}, but {path}.maxReplicas is {policy.most}; set "
            "the same number"
        )
    if policy.exact and pods not in policy.sizes:
        yield f"the job starts with {pods} pods, which {path} does not allow; {_listed(policy.sizes)}"
    elif policy.exact:
        yield f"elastic: the job starts with {pods} pods; {_listed(policy.sizes)}"
    else:
        yield (
            f"elastic: the job starts with {pods} pods, and runs with {policy.least} to {policy.most}; {path} sets "
            "neither replicaIncrementStep nor replicaDiscreteValues, so the steps are not known"
        )


def _listed(sizes: tuple[int, ...]) -> str:
    if not sizes:
        return "it allows no number of pods between minReplicas and maxReplicas"
    shown = ", ".join(map(str, sizes[:_LISTED])) + (", ..." if len(sizes) > _LISTED else "")
    return f"it runs with {shown} pods"
