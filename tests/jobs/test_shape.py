"""What jobs of every kind come to in pods, and what is said of documents that are none."""

from typing import Any

import pytest

from muster.jobs.catalogue import Controller, JobRoles, MalformedJob, Role, UnknownJobKind, is_job, pods_of, roles_of
from muster.jobs.pod_roles import QUEUE_LABEL
from tests.jobs.documents import (
    EVERY_KIND,
    a_batch_job,
    a_container,
    a_pod,
    a_pytorch_job,
    a_replicated,
    a_runtime,
    a_template,
    an_mpi_job,
)

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
    "MPIJob": (Controller.STAND_IN, [("worker", 2, ()), ("launcher", 1, ())]),
    "Volcano Job": (Controller.STAND_IN, [("worker", 2, ())]),
    "JobSet": (Controller.STAND_IN, [("driver", 1, ()), ("workers", 4, ())]),
    "RayCluster": (Controller.STAND_IN, [("head", 1, ()), ("gpu", 3, ())]),
    "RayJob": (Controller.STAND_IN, [("head", 1, ()), ("gpu", 3, ()), ("submitter", 1, ("head", "gpu"))]),
    "TrainJob": (Controller.STAND_IN, [("node", 4, ())]),
    "HyperPodPyTorchJob": (Controller.STAND_IN, [("pods", 4, ())]),
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
    shape, made = roles_of(document, [runtime]), pods_of(document, [runtime])
    if shape.controller is not Controller.STAND_IN:
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


@pytest.mark.parametrize("kind", [kind for kind, (who, _) in ROLES.items() if who is Controller.STAND_IN])
def test_a_job_is_left_as_it_is(kind: str) -> None:
    """Reading it twice gives the same, and changing a pod changes nothing else."""
    first = pods_of(EVERY_KIND[kind], [a_runtime()])
    first[0]["spec"]["containers"][0]["image"] = "changed"
    first[0]["metadata"]["labels"]["changed"] = "yes"
    assert "changed" not in str(pods_of(EVERY_KIND[kind], [a_runtime()]))


def test_a_batch_job_runs_no_more_than_it_completes() -> None:
    """`min(parallelism, completions)`; the rest follows later."""
    (role,) = roles_of(a_batch_job(parallelism=5, completions=3)).roles
    assert role.pods == 3
    shape = roles_of(a_batch_job(parallelism=2, completions=7))
    assert shape.pods == 2
    assert shape.notes == ("7 pods in all, 2 at a time",)
    assert roles_of(a_batch_job(parallelism=None, completions=None)).pods == 1


def test_suspended_jobs_say_so() -> None:
    """They make no pods until they are resumed."""
    for job in (
        a_batch_job(suspend=True),
        an_mpi_job(runPolicy={"suspend": True}),
        a_pytorch_job(runPolicy={"suspend": True}),
    ):
        assert any("suspended" in note for note in roles_of(job).notes)


def test_an_elastic_job_goes_on_with_fewer() -> None:
    """`elasticPolicy.minReplicas` of its workers, and its master."""
    shape = roles_of(a_pytorch_job(elasticPolicy={"minReplicas": 1}))
    assert [(role.name, role.pods, role.needed) for role in shape.roles] == [("master", 1, 1), ("worker", 3, 1)]
    assert shape.goes_on({"master": 1, "worker": 1})
    assert not shape.goes_on({"worker": 3})


def test_replica_types_are_written_either_way() -> None:
    """The training operator takes `worker` for `Worker`."""
    job = a_pytorch_job(pytorchReplicaSpecs={"worker": {"template": a_template()}})
    assert [(role.name, role.pods) for role in roles_of(job).roles] == [("worker", 1)]


def test_the_queue_and_the_namespace() -> None:
    """Kueue's label of the job itself."""
    job = an_mpi_job()
    job["metadata"] |= {"namespace": "ml", "labels": {QUEUE_LABEL: "team"}}
    shape = roles_of(job)
    assert (shape.queue, shape.namespace) == ("team", "ml")


def test_other_schedulers() -> None:
    """A stand-in's pods go to the default scheduler; pods that Kubernetes makes would wait for the one they ask for."""
    template = a_template(schedulerName="bin-packing")
    assert roles_of(an_mpi_job(worker={"template": template})).notes == (
        "the default scheduler stands in for 'bin-packing'",
    )
    (note,) = roles_of(a_batch_job(template=template)).notes
    assert note == "pods ask for the scheduler 'bin-packing', which a rehearsal does not have: they will wait"
    assert roles_of(a_batch_job(template=a_template(schedulerName="default-scheduler"))).notes == ()


def test_names_that_the_api_server_completes() -> None:
    """`generateName` is enough."""
    job = a_pod()
    job["metadata"] = {"generateName": "train-"}
    assert roles_of(job).name == "train-00000"


def _role(name: str, pods: int, needed: int | None = None, *after: str, opens: int | None = None) -> Role:
    return Role(name, pods, pods if needed is None else needed, a_template(), after, opens)


def test_when_a_role_may_start() -> None:
    """Once as many run of each role before it as are needed, or as open it."""
    one, other, last = _role("one", 4, 2), _role("other", 3, 0, opens=3), _role("last", 1, 1, "one", "other")
    shape = JobRoles("v1", "X", "x", "default", Controller.STAND_IN, "nobody", (one, other, last), needed=4)
    assert not shape.may_start(last, {"one": 2, "other": 2})
    assert shape.may_start(last, {"one": 2, "other": 3})
    assert shape.may_start(one, {})
    assert shape.goes_on({"one": 2, "other": 1, "last": 1})
    assert not shape.goes_on({"one": 2, "other": 0, "last": 1})
    assert not shape.goes_on({"one": 1, "other": 3, "last": 1})


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (
            {"apiVersion": "kubeflow.org/v1", "kind": "MPIJob"},
            "which clusters here leave to the MPI operator; write apiVersion: kubeflow.org/v2beta1",
        ),
        (
            {"apiVersion": "v1", "kind": "List", "items": []},
            "a List is no job; give its items as documents of their own",
        ),
        ({"apiVersion": "v1", "kind": "PodList"}, "a PodList is no job"),
        ({"apiVersion": "v1", "kind": "Job"}, "no Job of apiVersion 'v1' (what can be rehearsed: batch/v1, batch.volc"),
        (
            {"apiVersion": "ray.io/v1alpha1", "kind": "RayCluster"},
            "no RayCluster of apiVersion 'ray.io/v1alpha1'; did you mean 'ray.io/v1'? (what can be rehearsed: ray",
        ),
        (
            {"apiVersion": "kubeflow.org/v1", "kind": "PytorchJob"},
            "'PytorchJob' is no kind of job that can be rehearsed; did you mean 'PyTorchJob'? (there are: Pod, Job, ",
        ),
        ({"apiVersion": "v1", "kind": "ConfigMap"}, "'ConfigMap' is no kind of job that can be rehearsed (there are:"),
    ],
)
def test_unknown_kinds(document: dict[str, Any], said: str) -> None:
    """What can be rehearsed is said, and what was nearly written."""
    with pytest.raises(UnknownJobKind) as refused:
        roles_of(document)
    assert said in str(refused.value)
    assert not is_job(document)


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (None, "the document is empty; give a job"),
        ({}, "kind is missing; give it"),
        ("hello", "the document is the text 'hello'; keys and values belong here"),
        ([a_pod()], "the document is a list of 1; give one job; several stand in one file with --- between them"),
        ({"kind": "Pod"}, "apiVersion is missing; give it"),
        ({"apiVersion": 1, "kind": "Pod"}, "apiVersion is 1; text belongs here"),
        ({**a_pod(), "metadata": None}, "metadata.name is missing; give it"),
        ({**a_pod(), "metadata": {"name": ""}}, "metadata.name is the text ''; give the job a name"),
        ({**a_pod(), "metadata": {"nmae": "x"}}, "metadata.name is missing; 'nmae' stands there: write 'name'"),
        ({**a_pod(), "spec": None}, "spec is missing; give it"),
        (a_pod(containers=None), "spec.containers is missing; give it"),
        (a_pod(containers=[]), "spec.containers is a list of 0; give at least one container"),
        (a_pod(containers=["x"]), "spec.containers[0] is the text 'x'; keys and values belong here"),
        (a_pod(containers=[None]), "spec.containers[0] is empty; a container with its name and image belongs here"),
        (a_batch_job(parallelism="2"), "spec.parallelism is the text '2'; a whole number belongs here, without quotes"),
        (a_batch_job(parallelism=-1), "spec.parallelism is -1; give at least 0"),
        (a_batch_job(parallelism=True), "spec.parallelism is true; a whole number belongs here"),
        (a_batch_job(parallelism=2.0), "spec.parallelism is 2.0; a whole number belongs here"),
        (a_batch_job(parallelism=10**5, completions=None), "the job has 100000 pods; a rehearsal takes at most 10000"),
        (a_batch_job(parallelism=10**400, completions=None), "the job has far too many pods"),
        (a_batch_job(suspend="no"), "spec.suspend is the text 'no'; true or false belongs here, without quotes"),
        (a_replicated("Deployment", template=None), "spec.template is missing; give it"),
        (
            a_pytorch_job(pytorchReplicaSpecs={"Workers": {}}),
            "spec.pytorchReplicaSpecs: no replicas 'Workers'; did you mean 'Worker'? (there are: Master, Worker)",
        ),
        (a_pytorch_job(pytorchReplicaSpecs={}), "spec.pytorchReplicaSpecs is empty ({}); give at least one of Master"),
        (
            {**a_pytorch_job(), "spec": {"pyTorchReplicaSpecs": {}}},
            "spec.pytorchReplicaSpecs is missing; 'pyTorchReplicaSpecs' stands there: write 'pytorchReplicaSpecs'",
        ),
        (
            a_pod(containers=[a_container(resources={"limits": {"memory": "32GB"}})]),
            "template of 'pod': spec.containers[0].resources.limits.memory: 'GB' is not one of Kubernetes' units",
        ),
        (
            {**a_pod(), "metadata": {"name": "x", "labels": {QUEUE_LABEL: 3}}},
            f"metadata.labels.{QUEUE_LABEL} is 3; text belongs here; put it in quotes",
        ),
        ({**a_pod(), 1: 2}, "put them in quotes"),
    ],
)
def test_malformed_jobs(document: Any, said: str) -> None:
    """The place, what stands there, what to do."""
    with pytest.raises(MalformedJob) as refused:
        roles_of(document)
    assert said in str(refused.value)
