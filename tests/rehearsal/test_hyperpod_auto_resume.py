"""Which jobs HyperPod starts again."""

from typing import Any

import pytest

from muster.blueprint.hyperpod.auto_resume import ENABLED, RETRIES
from muster.jobs.catalogue import roles_of
from muster.jobs.group_selection import AUTO_RESUME
from muster.rehearsal.kubernetes.hyperpod import AutoResume, auto_resume
from tests.factories import edited
from tests.rehearsal.clusters import a_pytorch_job

A_JOBS = {"template": {"spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "c"}]}}}
SPEC = "spec.pytorchReplicaSpecs"


def a_job(edits: dict[str, Any] | None = None, annotations: dict[str, str] | None = None) -> dict[str, Any]:
    """One that HyperPod starts again twice."""
    job = edited(a_pytorch_job("train", "kubeflow", workers=1), edits or {})
    job["metadata"]["annotations"] = {ENABLED: "true", RETRIES: "2"} if annotations is None else annotations
    return job


def of(job: dict[str, Any]) -> AutoResume:
    """What HyperPod would do for it."""
    return auto_resume(job, roles_of(job))


@pytest.mark.parametrize(
    "job",
    [
        a_job(),
        a_job({"metadata.namespace": "hyperpod-ns-vision"}),
        a_job({f"{SPEC}.Worker.restartPolicy": "OnFailure", f"{SPEC}.Master.restartPolicy": "OnFailure"}),
        a_job(annotations={ENABLED: "True", RETRIES: "2"}),
        a_job(annotations=dict(AUTO_RESUME)),
    ],
)
def test_a_job_that_asks_for_it_is_started_again_as_often_as_it_says(job: dict[str, Any]) -> None:
    """Where AWS says that it looks; the jobs that Muster prints ask for it twice."""
    assert of(job) == AutoResume(retries=2)


def test_the_operators_release_must_be_one_that_aws_states() -> None:
    """As a description writes it; HyperPod's chart brings its own."""
    job = a_job()
    for version in ("", "v1.7.0", "v1.8.0", "v1.8.1", "1.8.1"):
        assert auto_resume(job, roles_of(job), version) == AutoResume(retries=2)
    for version in ("v1.9.4", "v1.9.3", "1.8.2"):
        assert auto_resume(job, roles_of(job), version) == AutoResume(
            why_not=("AWS documents auto-resume for training-operator v1.7.0, v1.8.0 and v1.8.1, but the cluster has ")
            + version
        )


@pytest.mark.parametrize(
    ("job", "words"),
    [
        (a_job(annotations={}), f'lacks the annotation {ENABLED}: "true"'),
        (a_job(annotations={ENABLED: "false", RETRIES: "2"}), f'lacks the annotation {ENABLED}: "true"'),
        (
            a_job(annotations={ENABLED: "true"}),
            f'does not set the number of restarts: add the annotation {RETRIES}: "2"',
        ),
        (a_job(annotations={ENABLED: "true", RETRIES: "0"}), "does not set the number"),
        (a_job(annotations={ENABLED: "true", RETRIES: "many"}), "does not set the number"),
        (
            a_job({"metadata.namespace": "default"}),
            "in the namespace 'default', but must be in 'kubeflow' or one that begins with 'hyperpod'",
        ),
        (a_job({f"{SPEC}.Worker.restartPolicy": "Never"}), "restartPolicy of Worker is Never"),
        (
            a_job({"apiVersion": "batch/v1", "kind": "Job", "spec": A_JOBS}),
            "of the Kubeflow training operator, not Job",
        ),
    ],
)
def test_another_job_is_not_and_what_it_lacks_is_said(job: dict[str, Any], words: str) -> None:
    """One reason each, in words to mend it by."""
    found = of(job)
    assert found.retries == 0
    assert words in found.why_not
