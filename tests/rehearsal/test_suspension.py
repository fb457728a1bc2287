"""Jobs that have no pods: who resumes a suspended one, and who does not. And what a job's file lacks."""

from typing import Any

import pytest

from muster.blueprint.cluster import Blueprint
from muster.jobs.kinds.catalogue import roles_of
from muster.rehearsal.kubernetes.job_prerequisites import missing_prerequisites
from muster.rehearsal.kubernetes.kueue import queue_of
from muster.rehearsal.kubernetes.pending_pods import JobResumer, no_pods_cause
from tests.factories import a_blueprint
from tests.factories.hyperpod import a_hyperpod_blueprint
from tests.jobs.documents import a_batch_job, a_container, a_template

PLAIN = a_blueprint()
KUEUE = a_blueprint({"addons.kueue": {}})
GOVERNED = a_hyperpod_blueprint({"addons.hyperpod-task-governance": {}})


def a_queue(**metadata: str) -> dict[str, Any]:
    return {"apiVersion": "kueue.x-k8s.io/v1beta2", "kind": "LocalQueue", "metadata": metadata}


def suspended(**labels: str) -> dict[str, Any]:
    job = a_batch_job(suspend=True)
    job["metadata"]["labels"] = labels
    return job


QUEUED = suspended(**{"kueue.x-k8s.io/queue-name": "q"})


@pytest.mark.parametrize(
    ("job", "blueprint", "queue", "cause"),
    [
        (a_batch_job(), PLAIN, None, None),
        (a_batch_job(parallelism=0), PLAIN, None, "no-pods"),
        # Whether there is such a queue Kueue says; the queues that SageMaker makes are not known.
        (QUEUED, PLAIN, None, "suspended"),
        (QUEUED, KUEUE, None, None),
        (QUEUED, PLAIN, a_queue(name="other"), None),
        (QUEUED, GOVERNED, None, None),
        # The LocalQueue `default` of a namespace is that of jobs that name none.
        (suspended(), KUEUE, None, "suspended"),
        (suspended(), PLAIN, a_queue(name="default"), None),
        (suspended(), PLAIN, a_queue(name="default", namespace="default"), None),
        (suspended(), PLAIN, a_queue(name="default", namespace="vision"), "suspended"),
        (suspended(), PLAIN, a_queue(name="q"), "suspended"),
    ],
)
def test_a_job_without_pods_has_a_cause(
    job: dict[str, Any], blueprint: Blueprint, queue: dict[str, Any] | None, cause: str | None
) -> None:
    """Nothing that runs is nothing that started. Kueue's add-on, its objects in the file, and HyperPod's task
    governance resume a job of a queue."""
    shape, beside = roles_of(job), [queue] if queue else []
    found = no_pods_cause(job, shape, JobResumer.of(blueprint, beside), queue_of(shape, beside))
    assert (found.id if found else None) == cause


def test_what_the_cluster_must_have_besides_the_file() -> None:
    """A namespace, ConfigMaps and Secrets; those that are optional are not."""
    container = a_container(envFrom=[{"secretRef": {"name": "keys"}}])
    volumes = [
        {"name": "a", "configMap": {"name": "settings"}},
        {"name": "b", "secret": {"secretName": "token", "optional": True}},
    ]
    job = a_batch_job(template=a_template(containers=[container], volumes=volumes))
    job["metadata"]["namespace"] = "ml"
    assert list(missing_prerequisites(roles_of(job), ())) == ["Namespace ml", "ConfigMap settings", "Secret keys"]
