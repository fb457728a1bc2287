"""Suspended jobs: who resumes them, and who does not."""

from typing import Any

import pytest

from muster.jobs.catalogue import roles_of
from muster.jobs.queue_admission import Admission, admission
from muster.rehearsal.kubernetes.job_prerequisites import missing_prerequisites
from muster.rehearsal.kubernetes.pending_pods import JobResumer, no_pods_cause
from tests.factories import a_blueprint
from tests.hyperpod_factories import a_hyperpod_blueprint
from tests.jobs.documents import a_batch_job, a_container, a_template

QUEUE = {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": {"name": "q"}}


def a_suspended_job(queue: str | None = "q") -> dict[str, Any]:
    """In a queue, or in none."""
    job = a_batch_job(suspend=True)
    if queue:
        job["metadata"]["labels"] = {"kueue.x-k8s.io/queue-name": queue}
    return job


def cause(job: dict[str, Any], resumes: JobResumer, known: Admission | None = None) -> str | None:
    """The id of the cause why it has no pods."""
    found = no_pods_cause(job, roles_of(job), known, resumes)
    return found.id if found else None


@pytest.mark.parametrize("resumes", JobResumer)
def test_a_job_in_no_queue_is_resumed_by_nobody(resumes: JobResumer) -> None:
    """Kueue leaves it alone."""
    assert cause(a_suspended_job(None), resumes) == "suspended"


def test_a_job_without_pods_has_a_cause() -> None:
    """Nothing that runs is nothing that started."""
    assert cause(a_batch_job(parallelism=0), JobResumer.NOTHING) == "no-pods"


def test_where_no_kueue_is_a_queue_does_nothing() -> None:
    """The job stays suspended."""
    assert cause(a_suspended_job(), JobResumer.NOTHING) == "suspended"


def test_a_queue_that_is_not_there_resumes_nothing() -> None:
    """What the cluster's queues are is known from the description and the file."""
    job = a_suspended_job()
    assert cause(job, JobResumer.KUEUE, admission(roles_of(job), ())) == "queue-missing"
    known = [{**QUEUE, "spec": {"clusterQueue": "c"}}]
    assert cause(job, JobResumer.KUEUE, admission(roles_of(job), known)) is None


def test_queues_that_sagemaker_makes_are_not_known() -> None:
    """So nothing is held against a job that names one."""
    job = a_suspended_job()
    assert cause(job, JobResumer.GOVERNANCE, admission(roles_of(job), ())) is None


def test_a_job_that_is_not_suspended_needs_nobody() -> None:
    """Whatever it names."""
    assert cause(a_batch_job(), JobResumer.NOTHING) is None


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
    assert "the namespace 'ml' is not in the file" in notes
    assert "only where the cluster has ConfigMap settings, Secret keys: not in the file" in notes
    assert "token" not in notes
