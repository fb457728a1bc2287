"""What jobs of every kind come to in pods: roles, how many, which first, what they ask; and what is no job.

That the operators make exactly these pods of them `tests/rehearsal/test_operators.py` shows.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.jobs.kinds.catalogue import is_job, pods_of, roles_of
from muster.jobs.manifest import Field, MalformedJob
from muster.jobs.pod_roles import Controller, JobRoles, Role
from tests.jobs.documents import (
    ASKED,
    EVERY_KIND,
    a_batch_job,
    a_container,
    a_hyperpod_job,
    a_job_set,
    a_pytorch_job,
    a_ray_cluster,
    a_ray_job,
    a_replicated_job,
    a_runtime,
    a_template,
    a_train_job,
    a_volcano_job,
    an_mpi_job,
    role_of,
)
from tests.jobs.malformed_jobs import refusals

Roles = list[tuple[str, int, tuple[str, ...]]]
"""Name, pods, and the roles that come first."""

ROLES: dict[str, tuple[Controller, Roles]] = {
    "Pod": (Controller.KUBERNETES, [("pod", 1, ())]),
    "Job": (Controller.KUBERNETES, [("worker", 2, ())]),
    **{kind: (Controller.KUBERNETES, [("replica", 2, ())]) for kind in ("Deployment", "StatefulSet", "ReplicaSet")},
    "PyTorchJob": (Controller.TRAINING_OPERATOR, [("master", 1, ()), ("worker", 3, ())]),
    **{
        kind: (Controller.TRAINING_OPERATOR, [("worker", 2, ())])
        for kind in ("TFJob", "XGBoostJob", "PaddleJob", "JAXJob")
    },
    "MPIJob": (Controller.MPI_OPERATOR, [("worker", 2, ()), ("launcher", 1, ())]),
    "Volcano Job": (Controller.VOLCANO, [("worker", 2, ())]),
    "JobSet": (Controller.JOBSET, [("driver", 1, ()), ("workers", 4, ())]),
    "RayCluster": (Controller.KUBERAY, [("head", 1, ()), ("gpu", 3, ())]),
    "RayJob": (Controller.KUBERAY, [("head", 1, ()), ("gpu", 3, ()), ("submitter", 1, ("head", "gpu"))]),
    "TrainJob": (Controller.TRAINER, [("node", 4, ())]),
    "HyperPodPyTorchJob": (Controller.REHEARSAL, [("pods", 4, ())]),
}


def told(shape: JobRoles) -> Roles:
    return [(role.name, role.pods, role.after) for role in shape.roles]


@pytest.mark.parametrize("kind", EVERY_KIND)
def test_roles_of_every_kind(kind: str) -> None:
    """Who makes the pods, how many there are, which come first; all are needed."""
    shape = roles_of(EVERY_KIND[kind], [a_runtime()])
    assert (shape.controller, told(shape)) == ROLES[kind]
    assert shape.needed == shape.pods == sum(role.pods for role in shape.roles)
    assert all(role.needed == role.pods for role in shape.roles)
    assert (shape.name, shape.namespace, shape.queue) == ("train", "default", None)
    assert is_job(EVERY_KIND[kind])
    assert bool(pods_of(EVERY_KIND[kind])) is (shape.controller is Controller.REHEARSAL)


def test_pods_that_stand_in_for_those_of_an_absent_controller() -> None:
    """Exactly the roles' pods, each of a name of its own, in the job's namespace, with the label that AWS's CLI finds
    them by. Spares are none."""
    spare = {"name": "pods", "replicas": 4, "spares": 1, "template": a_template()}
    job = {**a_hyperpod_job(spare), "metadata": {"name": "train", "namespace": "ml"}}
    made, shape = pods_of(job), roles_of(job)
    assert [pod["metadata"]["name"] for pod in made] == [f"train-pods-{index}" for index in range(4)]
    assert shape.pods == 4
    assert any("spares" in note for note in shape.notes)
    for pod in made:
        assert (pod["apiVersion"], pod["kind"], pod["metadata"]["namespace"]) == ("v1", "Pod", "ml")
        assert (pod["metadata"]["labels"]["HPJob"], pod["metadata"]["labels"]["muster/role"]) == ("train", "pods")
        assert pod["spec"]["containers"] == a_template()["spec"]["containers"]


def three(*after: str, **spec: Any) -> dict[str, Any]:
    """A JobSet of three, the last of which waits for others."""
    waits = {"dependsOn": [{"name": each, "status": "Ready"} for each in after]} if after else {}
    return a_job_set(a_replicated_job("a"), a_replicated_job("b"), a_replicated_job("c", **waits), **spec)


def without_workers(**spec: Any) -> dict[str, Any]:
    job = an_mpi_job(**spec)
    del job["spec"]["mpiReplicaSpecs"]["Worker"]
    return job  # type: ignore[no-any-return]


def a_task(name: str, replicas: Any, **said: Any) -> dict[str, Any]:
    return {"name": name, "replicas": replicas, "template": a_template(), **said}


ORDERED = {"startupPolicy": {"startupPolicyOrder": "InOrder"}}
FREE = {"startupPolicy": {"startupPolicyOrder": "AnyOrder"}}


@pytest.mark.parametrize(
    ("job", "roles"),
    [
        (a_batch_job(parallelism=5, completions=3), [("worker", 3, ())]),
        (a_batch_job(parallelism=2, completions=7), [("worker", 2, ())]),
        (a_batch_job(parallelism=None, completions=None), [("worker", 1, ())]),
        # The training operator takes `worker` for `Worker`.
        (a_pytorch_job(pytorchReplicaSpecs={"worker": {"template": a_template()}}), [("worker", 1, ())]),
        (three(), [("a", 1, ()), ("b", 1, ()), ("c", 1, ())]),
        (three(**ORDERED), [("a", 1, ()), ("b", 1, ("a",)), ("c", 1, ("b",))]),
        (three("a", "b", **FREE), [("a", 1, ()), ("b", 1, ()), ("c", 1, ("a", "b"))]),
        (an_mpi_job(launcherCreationPolicy="AtStartup"), [("worker", 2, ()), ("launcher", 1, ())]),
        (
            an_mpi_job(launcherCreationPolicy="WaitForWorkersReady"),
            [("worker", 2, ()), ("launcher", 1, ("worker",))],
        ),
        (without_workers(launcherCreationPolicy="WaitForWorkersReady"), [("launcher", 1, ())]),
        (
            a_volcano_job(a_task("ps", 1), {"replicas": 2, "template": a_template()}),
            [("ps", 1, ()), ("default1", 2, ())],
        ),
        (
            a_volcano_job(a_task("first", 3), a_task("then", 1, dependsOn={"name": ["first"]})),
            [("first", 3, ()), ("then", 1, ("first",))],
        ),
        (a_ray_job(submissionMode="HTTPMode"), [("head", 1, ()), ("gpu", 3, ())]),
        (a_ray_job(submissionMode="InteractiveMode"), [("head", 1, ()), ("gpu", 3, ())]),
        (a_ray_job(submissionMode="SidecarMode"), [("head", 1, ()), ("gpu", 3, ())]),
    ],
)
def test_what_settings_make_of_the_roles(job: dict[str, Any], roles: Roles) -> None:
    """How many at once, and which wait for others."""
    assert told(roles_of(job)) == roles


@pytest.mark.parametrize(
    ("job", "notes"),
    [
        (a_batch_job(suspend=True), ["suspended"]),
        (an_mpi_job(runPolicy={"suspend": True}), ["suspended"]),
        (a_pytorch_job(runPolicy={"suspend": True}), ["suspended"]),
        (a_ray_job(suspend=True), ["suspended"]),
        (a_ray_cluster(suspend=True), ["suspended"]),
        (a_batch_job(parallelism=2, completions=7), ["7 pods in total"]),
        (a_ray_cluster(enableInTreeAutoscaling=True), ["does not run the autoscaler"]),
        (
            a_job_set(
                a_replicated_job("a"),
                a_replicated_job("b", dependsOn=[{"name": "a", "status": "Complete"}]),
                suspend=True,
            ),
            ["suspended", "completed"],
        ),
        (a_job_set(), []),
    ],
)
def test_what_is_not_rehearsed_is_said(job: dict[str, Any], notes: list[str]) -> None:
    """Suspended jobs make no pods until they are resumed; nothing completes."""
    said = roles_of(job).notes
    assert len(said) >= len(notes) == len([None for words in notes if any(words in note for note in said)])
    assert bool(said) is bool(notes)


optional = st.none() | st.integers(0, 9)


@given(optional, optional, optional, st.none() | st.integers(1, 4), st.booleans())
def test_how_many_workers_of_ray(
    replicas: int | None, least: int | None, most: int | None, hosts: int | None, suspended: bool
) -> None:
    """After `GetWorkerGroupDesiredReplicas`: within the bounds, the lower one first, and so many hosts each."""
    said = {"replicas": replicas, "minReplicas": least, "maxReplicas": most, "numOfHosts": hosts, "suspend": suspended}
    given = {key: value for key, value in said.items() if value is not None}
    wanted, low = replicas or 0, least or 0
    expected = low if wanted < low else wanted if most is None else min(wanted, most)
    group = {"groupName": "gpu", "template": a_template(), **given}
    (_, role) = roles_of(a_ray_cluster(workerGroupSpecs=[group])).roles
    assert role.pods == (0 if suspended else expected * (hosts or 1))


MIB = 2**20
OPTIONS = {"version": "v2", "resources": {"requests": {"cpu": 1}}}
OWN = a_template(containers=[a_container(resources={"requests": {"cpu": 2}})], restartPolicy="OnFailure")


@pytest.mark.parametrize(
    ("job", "role", "asks"),
    [
        (a_ray_cluster(), "head", {"cpu": 4000, "memory": 8192 * MIB}),
        # The autoscaler sits beside it.
        (a_ray_cluster(enableInTreeAutoscaling=True), "head", {"cpu": 4500, "memory": 8704 * MIB}),
        (
            a_ray_cluster(enableInTreeAutoscaling=True, autoscalerOptions=OPTIONS),
            "head",
            {"cpu": 5000, "memory": 8192 * MIB},
        ),
        (a_ray_job(submissionMode="SidecarMode"), "head", {"cpu": 4500, "memory": 8392 * MIB}),
        (a_ray_job(), "submitter", {"cpu": 500, "memory": 200 * MIB}),
        (a_ray_job(submitterPodTemplate=OWN), "submitter", {"cpu": 2000}),
    ],
)
def test_what_a_pod_of_ray_asks(job: dict[str, Any], role: str, asks: dict[str, int]) -> None:
    """With what stands beside it."""
    assert role_of(roles_of(job), role).asks == asks


# TrainJobs, whose runtime has the templates.


def a_step(step: str, name: str, pods: int = 1, *containers: dict[str, Any]) -> dict[str, Any]:
    """A replicated job of a runtime, for one step."""
    job = a_replicated_job(name, pods, replicas=3)
    job["template"]["metadata"] = {"labels": {"trainer.kubeflow.org/trainjob-ancestor-step": step}}
    job["template"]["spec"]["template"] = a_template(containers=list(containers) or [a_container(name=name)])
    return job


@pytest.mark.parametrize(
    ("policy", "trainer", "nodes"),
    [
        ({"numNodes": 3}, {}, 3),
        ({"numNodes": 3}, {"numNodes": 5}, 5),
        ({}, {}, 1),
        (None, {}, 2),
        (None, {"numNodes": 5}, 5),
    ],
)
def test_how_many_nodes_of_a_train_job(policy: dict[str, Any] | None, trainer: dict[str, Any], nodes: int) -> None:
    """The TrainJob's number, else the policy's, else, without a policy, the runtime's own."""
    template = {"spec": {"replicatedJobs": [a_step("trainer", "node", 2)]}}
    shape = roles_of(a_train_job(trainer=trainer), [a_runtime(mlPolicy=policy, template=template)])
    assert shape.pods == nodes


def test_resources_are_merged_resource_by_resource() -> None:
    """Those of the runtime stay where the TrainJob says nothing; other containers keep theirs. Initializers come
    first."""
    node = a_container(name="node", resources={"requests": {"cpu": 8, "memory": "1Gi"}})
    beside = a_container(name="beside", resources={"requests": {"cpu": 1}})
    first = a_step("dataset-initializer", "first")
    last = {**a_step("trainer", "node", 1, node, beside), "dependsOn": [{"name": "first", "status": "Complete"}]}
    trainer = {"numNodes": 4, "resourcesPerNode": {"requests": {"memory": "2Gi"}, "limits": {"nvidia.com/gpu": 8}}}
    shape = roles_of(a_train_job(trainer=trainer), [a_runtime(template={"spec": {"replicatedJobs": [first, last]}})])
    assert told(shape) == [("first", 1, ()), ("node", 4, ("first",))]
    assert shape.roles[1].asks == {"cpu": 9000, "memory": 2 * 2**30, "nvidia.com/gpu": 8}
    assert roles_of(a_train_job(), [a_runtime()]).roles[0].asks["nvidia.com/gpu"] == ASKED["nvidia.com/gpu"]


def test_a_runtime_of_the_namespace() -> None:
    """A TrainingRuntime counts in its own namespace only."""
    job = a_train_job(runtimeRef={"name": "torch", "kind": "TrainingRuntime"})
    runtime = {**a_runtime(), "kind": "TrainingRuntime"}
    assert roles_of(job, [runtime]).pods == 4
    runtime["metadata"] = {"name": "torch", "namespace": "elsewhere"}
    with pytest.raises(MalformedJob, match="TrainingRuntime"):
        roles_of(job, [runtime])


# How many pods a job needs.


@given(
    st.lists(st.tuples(st.integers(0, 5), st.none() | st.integers(0, 5)), min_size=1, max_size=3), st.integers(0, 15)
)
def test_the_gang_of_volcano(tasks: list[tuple[int, int | None]], least: int) -> None:
    """The job's minimum counts; the tasks' own count too where it covers them all."""
    own = [min(each, replicas) if each is not None else replicas for replicas, each in tasks]
    listed = [
        a_task(f"t{index}", replicas, **({"minAvailable": own[index]} if each is not None else {}))
        for index, (replicas, each) in enumerate(tasks)
    ]
    job = a_volcano_job(*listed, minAvailable=least)
    if least > sum(replicas for replicas, _ in tasks):
        with pytest.raises(MalformedJob, match="set at most"):
            roles_of(job)
        return
    shape = roles_of(job)
    assert shape.needed == (least or sum(own))
    assert sum(role.needed for role in shape.roles) <= shape.needed
    if shape.needed >= sum(own):
        assert [role.needed for role in shape.roles] == own
    assert shape.goes_on({role.name: role.pods for role in shape.roles})
    assert not (shape.needed and shape.goes_on({}))


def test_when_a_job_goes_on() -> None:
    """With as many pods of each role as that needs, and as many in all as the job needs. Of Volcano so many whole
    partitions are the task's minimum."""
    one, other = Role("one", 4, 2, Field(a_template())), Role("other", 3, 0, Field(a_template()))
    shape = JobRoles("v1", "X", "x", "default", Controller.REHEARSAL, "nobody", (one, other), needed=3)
    assert shape.goes_on({"one": 2, "other": 1})
    assert not shape.goes_on({"one": 2, "other": 0})
    assert not shape.goes_on({"one": 1, "other": 3})
    policy = {"totalPartitions": 4, "partitionSize": 2, "minPartitions": 3}
    assert roles_of(a_volcano_job(a_task("a", 8, partitionPolicy=policy))).roles[0].needed == 6


def test_a_malformed_job_is_refused_in_a_line() -> None:
    """By whoever reads it, in the same words: the place, what stands there, what to do."""
    for title, said in refusals():
        assert said[0], title
        assert "\n" not in said[0], title
        assert said[1] in ("", said[0]), title
