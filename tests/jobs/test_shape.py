"""What jobs of every kind come to in pods, and what is said of documents that are none."""

import pytest

from muster.jobs.kinds.catalogue import is_job, pods_of, roles_of
from muster.jobs.manifest import Field
from muster.jobs.pod_roles import Controller, JobRoles, Role
from tests.jobs.documents import (
    EVERY_KIND,
    a_batch_job,
    a_pytorch_job,
    a_runtime,
    a_template,
    an_mpi_job,
)
from tests.jobs.malformed_jobs import refusals

ROLES: dict[str, tuple[Controller, list[tuple[str, int, tuple[str, ...]]]]] = {
    "Pod": (Controller.KUBERNETES, [("pod", 1, ())]),
    "Job": (Controller.KUBERNETES, [("worker", 2, ())]),
    "Deployment": (Controller.KUBERNETES, [("replica", 2, ())]),
    "StatefulSet": (Controller.KUBERNETES, [("replica", 2, ())]),
    "ReplicaSet": (Controller.KUBERNETES, [("replica", 2, ())]),
    "PyTorchJob": (Controller.TRAINING_OPERATOR, [("master", 1, ()), ("worker", 3, ())]),
    "TFJob": (Controller.TRAINING_OPERATOR, [("worker", 2, ())]),
    "XGBoostJob": (Controller.TRAINING_OPERATOR, [("worker", 2, ())]),
    "PaddleJob": (Controller.TRAINING_OPERATOR, [("worker", 2, ())]),
    "JAXJob": (Controller.TRAINING_OPERATOR, [("worker", 2, ())]),
    "MPIJob": (Controller.MPI_OPERATOR, [("worker", 2, ()), ("launcher", 1, ())]),
    "Volcano Job": (Controller.VOLCANO, [("worker", 2, ())]),
    "JobSet": (Controller.JOBSET, [("driver", 1, ()), ("workers", 4, ())]),
    "RayCluster": (Controller.KUBERAY, [("head", 1, ()), ("gpu", 3, ())]),
    "RayJob": (Controller.KUBERAY, [("head", 1, ()), ("gpu", 3, ()), ("submitter", 1, ("head", "gpu"))]),
    "TrainJob": (Controller.TRAINER, [("node", 4, ())]),
    "HyperPodPyTorchJob": (Controller.REHEARSAL, [("pods", 4, ())]),
}


@pytest.mark.parametrize("kind", ROLES)
def test_roles_of_every_kind(kind: str) -> None:
    """Who makes the pods, how many there are, which come first; all are needed."""
    shape = roles_of(EVERY_KIND[kind], [a_runtime()])
    controller, roles = ROLES[kind]
    assert shape.controller is controller
    assert [(role.name, role.pods, role.after) for role in shape.roles] == roles
    assert shape.needed == shape.pods == sum(pods for _, pods, _ in roles)
    assert all(role.needed == role.pods for role in shape.roles)
    assert (shape.name, shape.namespace, shape.queue) == ("train", "default", None)
    assert is_job(EVERY_KIND[kind])


def test_every_kind_is_tried() -> None:
    """A kind that is added is added here."""
    assert set(ROLES) == set(EVERY_KIND)


@pytest.mark.parametrize("kind", ROLES)
def test_pods_of_every_kind(kind: str) -> None:
    """Where a stand-in makes them: exactly the roles' pods, each of a name of its own, in the job's namespace, for the
    default scheduler, asking at least what the template asks."""
    document = EVERY_KIND[kind]
    document = {**document, "metadata": {**document["metadata"], "namespace": "ml"}}
    runtime = a_runtime()
    shape, made = roles_of(document, [runtime]), pods_of(document)
    if shape.controller is not Controller.REHEARSAL:
        assert made == ()
        return
    assert len({pod["metadata"]["name"] for pod in made}) == len(made) == shape.pods
    for role in shape.roles:
        own = [pod for pod in made if pod["metadata"]["labels"]["muster/role"] == role.name]
        assert len(own) == role.pods
        for pod in own:
            assert (pod["apiVersion"], pod["kind"], pod["metadata"]["namespace"]) == ("v1", "Pod", "ml")
            assert "schedulerName" not in pod["spec"]
            names = [each["name"] for each in pod["spec"]["containers"]]
            assert names == [each["name"] for each in role.spec["containers"]]


def test_a_batch_job_runs_no_more_than_it_completes() -> None:
    """`min(parallelism, completions)`; the rest follows later."""
    (role,) = roles_of(a_batch_job(parallelism=5, completions=3)).roles
    assert role.pods == 3
    shape = roles_of(a_batch_job(parallelism=2, completions=7))
    assert shape.pods == 2
    assert shape.notes == ("the Job has 7 pods in total, and runs 2 at the same time",)
    assert roles_of(a_batch_job(parallelism=None, completions=None)).pods == 1


def test_suspended_jobs_say_so() -> None:
    """They make no pods until they are resumed."""
    for job in (
        a_batch_job(suspend=True),
        an_mpi_job(runPolicy={"suspend": True}),
        a_pytorch_job(runPolicy={"suspend": True}),
    ):
        assert any("suspended" in note for note in roles_of(job).notes)


def test_replica_types_are_written_either_way() -> None:
    """The training operator takes `worker` for `Worker`."""
    job = a_pytorch_job(pytorchReplicaSpecs={"worker": {"template": a_template()}})
    assert [(role.name, role.pods) for role in roles_of(job).roles] == [("worker", 1)]


def test_when_a_job_goes_on() -> None:
    """With as many pods of each role as that needs, and as many in all as the job needs."""
    one, other = Role("one", 4, 2, Field(a_template())), Role("other", 3, 0, Field(a_template()))
    shape = JobRoles("v1", "X", "x", "default", Controller.REHEARSAL, "nobody", (one, other), needed=3)
    assert shape.goes_on({"one": 2, "other": 1})
    assert not shape.goes_on({"one": 2, "other": 0})
    assert not shape.goes_on({"one": 1, "other": 3})


def test_a_malformed_job_is_refused_in_a_line() -> None:
    """By whoever reads it, in the same words: the place, what stands there, what to do."""
    for title, said in refusals():
        assert said[0], title
        assert "\n" not in said[0], title
        assert said[1] in ("", said[0]), title
