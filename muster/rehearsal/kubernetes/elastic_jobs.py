"""What a stack must have, or must not have, for an elastic HyperPodPyTorchJob."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from muster.blueprint.kubernetes import Blueprint
from muster.config.description.hyperpod_settings import Autoscaling
from muster.jobs.kinds import hyperpod_job
from muster.jobs.kinds.hyperpod_elastic import FIRST_OPERATOR, IN_PROCESS_RESTART, elastic_policy
from muster.jobs.manifest import Field
from muster.jobs.pod_roles import JobRoles
from muster.message_text import count_noun
from muster.rehearsal.kubernetes.client import JsonObject
from muster.whole_number import version_numbers

_OPERATOR = "hyperpod-training-operator"


def notes(
    blueprint: Blueprint, job: JsonObject, shape: JobRoles, beside: Iterable[JsonObject], operator: str
) -> Iterator[str]:
    """Notes on features that elastic training does not support, and on how far it scales the cluster (SageMaker AI
    developer guide, "Using elastic training in Amazon SageMaker HyperPod").

    Args:
        blueprint: the cluster.
        job: the document.
        shape: the parsed document.
        beside: the other objects of its file.
        operator: the version of the training operator; empty if the stack does not have it.
    """
    if shape.kind != hyperpod_job.KIND or (policy := elastic_policy(Field(job), shape.pods)) is None:
        return
    version = version_numbers(".".join(re.findall(r"[0-9]+", operator)[:2]))
    if version and version < FIRST_OPERATOR:
        yield f"{_OPERATOR} {operator} does not support elastic training; use v1.2 or later"
    if spot := [each.name for each in blueprint.instance_groups if each.instance_group.spot]:
        yield f"elastic training does not support spot instances, which these groups have: {', '.join(sorted(spot))}"
    described = blueprint.described.hyperpod
    if described and described.tiered_storage:
        yield "elastic training does not support hyperpod.tiered-storage; write checkpoints to a file system or to S3"
    if any(IN_PROCESS_RESTART in text for role in shape.roles for text in _commands(role.spec)):
        yield f"elastic training does not support checkpointless training; remove elasticPolicy or {IN_PROCESS_RESTART}"
    if described and described.autoscaling is Autoscaling.KARPENTER and not _has_quota(beside, shape.namespace):
        yield (
            f"the operator always asks for its maximum, {count_noun(policy.most, 'pod')}, and Karpenter then adds "
            f"nodes for them; limit this with a ResourceQuota in the namespace '{shape.namespace}'"
        )


def _commands(spec: Mapping[str, Any]) -> Iterator[str]:
    for container in spec.get("containers") or ():
        for key in ("command", "args"):
            yield from (each for each in container.get(key) or () if isinstance(each, str))


def _has_quota(beside: Iterable[JsonObject], namespace: str) -> bool:
    quotas = (each["metadata"] for each in beside if each["kind"] == "ResourceQuota")
    return any((each.get("namespace") or "default") == namespace for each in quotas)
