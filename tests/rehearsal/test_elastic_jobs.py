"""Elastic HyperPodPyTorchJobs: what of a stack they do not support, and how far they scale it."""

from collections.abc import Mapping
from typing import Any

import pytest

from muster.jobs.catalogue import roles_of
from muster.rehearsal.kubernetes import elastic_jobs
from tests.hyperpod_factories import a_hyperpod_blueprint
from tests.jobs.documents import a_container, a_hyperpod_job, a_template

ELASTIC = {"minReplicas": 1, "maxReplicas": 8, "replicaIncrementStep": 1}
KARPENTER = {"hyperpod.provisioning": "continuous", "hyperpod.autoscaling": "karpenter"}


def notes(
    edits: Mapping[str, Any] | None = None, operator: str = "v1.2.1", beside: tuple[Any, ...] = (), **spec: Any
) -> str:
    template = a_template(containers=[a_container(**spec)]) if spec else a_template()
    job = a_hyperpod_job({"name": "pods", "replicas": 4, "template": template}, elasticPolicy=ELASTIC)
    blueprint = a_hyperpod_blueprint(edits or {})
    return "\n".join(elastic_jobs.notes(blueprint, job, roles_of(job), beside, operator))


def test_a_stack_that_supports_it() -> None:
    """Nothing to note; nor of a job that is not elastic."""
    assert notes() == ""
    job = a_hyperpod_job()
    assert not list(elastic_jobs.notes(a_hyperpod_blueprint(KARPENTER), job, roles_of(job), (), "v1.1.0"))


@pytest.mark.parametrize(
    ("edits", "says"),
    [
        ({"hyperpod.tiered-storage": {"memory-percent": 20}}, "does not support hyperpod.tiered-storage"),
        (
            {
                "hyperpod.provisioning": "continuous",
                "groups.workers.capacity": {"spot": {"interruptions-accepted": True}},
            },
            "does not support spot instances, which these groups have: workers",
        ),
        (KARPENTER, "asks for its maximum, 8 pods, and Karpenter then adds nodes"),
    ],
)
def test_what_the_stack_has_that_it_does_not_support(edits: Mapping[str, Any], says: str) -> None:
    """AWS names the features; Karpenter it supports, with a ResourceQuota as a limit."""
    assert says in notes(edits)


def test_an_older_operator_does_not_support_it() -> None:
    """It came with v1.2."""
    assert "v1.1.0-eksbuild.1 does not support elastic training; use v1.2 or later" in notes(
        operator="v1.1.0-eksbuild.1"
    )
    assert notes(operator="") == ""


def test_checkpointless_training_is_another_feature() -> None:
    """`hyperpodrun --inprocess-restart`."""
    said = notes(command=["hyperpodrun", "--nproc_per_node=8", "--inprocess-restart", "train.py"])
    assert "does not support checkpointless training; remove elasticPolicy or --inprocess-restart" in said


def test_a_quota_of_the_namespace_limits_karpenter() -> None:
    """If it is in the job's file."""
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {}}
    assert notes(KARPENTER, beside=(quota,)) == ""
    elsewhere = {**quota, "metadata": {"name": "q", "namespace": "other"}}
    assert "ResourceQuota" in notes(KARPENTER, beside=(elsewhere,))
