"""Suspended jobs: who resumes them, and who does not."""

from typing import Any

import pytest

from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.job_prerequisites import missing_prerequisites
from muster.rehearsal.kubernetes.kueue import queue_of
from muster.rehearsal.kubernetes.pending_pods import JobResumer, no_pods_cause
from tests.factories import a_blueprint
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.jobs.documents import a_batch_job, a_container, a_template

QUEUE = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": {"name": "q"}}


def a_suspended_job(queue: str | None = "q") -> dict[str, Any]:
    """In a queue, or in none."""
    job = a_batch_job(suspend=True)
    if queue:
        job["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": queue}
    return job


def cause(job: dict[str, Any], resumes: JobResumer) -> str | None:
    """The id of the cause why it has no pods."""
    shape = roles_of(job)
    found = no_pods_cause(job, shape, resumes, queue_of(shape, ()))
    return found.id if found else None


def test_a_job_without_pods_has_a_cause() -> None:
    """Nothing that runs is nothing that started."""
    assert cause(a_batch_job(parallelism=0), JobResumer.NOTHING) == "no-pods"


def test_where_no_kueue_is_a_queue_does_nothing() -> None:
    """The job stays suspended."""
    assert cause(a_suspended_job(), JobResumer.NOTHING) == "suspended"


@pytest.mark.parametrize("resumes", [JobResumer.KUEUE, JobResumer.GOVERNANCE])
def test_kueue_resumes_a_job_of_a_queue(resumes: JobResumer) -> None:
    """Whether there is such a queue Kueue says; the queues that SageMaker makes are not known."""
    assert cause(a_suspended_job(), resumes) is None


@pytest.mark.parametrize(
    ("metadata", "queue"),
    [
        ({"name": "default"}, "default"),
        ({"name": "default", "namespace": "default"}, "default"),
        ({"name": "default", "namespace": "vision"}, None),
        ({"name": "q"}, None),
    ],
)
def test_a_namespace_has_a_queue_of_jobs_that_name_none(metadata: dict[str, str], queue: str | None) -> None:
    """The LocalQueue of the name default."""
    shape = roles_of(a_suspended_job(None))
    assert queue_of(shape, [{**QUEUE, "metadata": metadata}]) == queue
    assert queue_of(roles_of(a_suspended_job("q")), [{**QUEUE, "metadata": metadata}]) == "q"


def test_who_resumes_follows_from_the_description_and_the_file() -> None:
    """Kueue's add-on, its objects in the file, HyperPod's task governance."""
    assert JobResumer.of(a_blueprint(), ()) is JobResumer.NOTHING
    assert JobResumer.of(a_blueprint(), [QUEUE]) is JobResumer.KUEUE
    assert JobResumer.of(a_blueprint({"addons.kueue": {}}), ()) is JobResumer.KUEUE
    governed = a_hyperpod_blueprint({"addons.hyperpod-task-governance": {}})
    assert JobResumer.of(governed, ()) is JobResumer.GOVERNANCE


def test_prerequisites_that_are_not_in_the_file_are_noted() -> None:
    """A namespace, ConfigMaps and Secrets; those that are optional are not."""
    container = a_container(envFrom=[{"secretRef": {"name": "keys"}}])
    volumes = [
        {"name": "a", "configMap": {"name": "settings"}},
        {"name": "b", "secret": {"secretName": "token", "optional": True}},
    ]
    job = a_batch_job(template=a_template(containers=[container], volumes=volumes))
    job["metadata"]["namespace"] = "ml"
    notes = " ".join(missing_prerequisites(roles_of(job), ()))
    assert "does not create the namespace 'ml': the rehearsal creates it" in notes
    assert "the pods need ConfigMap settings, Secret keys" in notes
    assert "token" not in notes
