"""A Volcano Job: the pods of its tasks, and how many of them make its gang."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.jobs.catalogue import MalformedJob, pods_of, roles_of
from tests.jobs.documents import a_container, a_template, a_volcano_job


def a_task(name: str, replicas: Any, **said: Any) -> dict[str, Any]:
    return {"name": name, "replicas": replicas, "template": a_template(), **said}


def test_a_pod() -> None:
    """After `createJobPod`."""
    template = a_template(labels={"team": "ml"}, schedulerName="volcano")
    job = a_volcano_job(a_task("worker", 2, template=template), queue="research", priorityClassName="high")
    assert pods_of(job)[1] == {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": "train-worker-1",
            "namespace": "default",
            "labels": {
                "team": "ml",
                "volcano.sh/task-index": "1",
                "volcano.sh/task-spec": "worker",
                "volcano.sh/job-name": "train",
                "volcano.sh/job-namespace": "default",
                "volcano.sh/queue-name": "research",
                "muster/role": "worker",
            },
            "annotations": {
                "volcano.sh/task-index": "1",
                "volcano.sh/task-spec": "worker",
                "volcano.sh/job-name": "train",
                "volcano.sh/queue-name": "research",
                "volcano.sh/template-uid": "train-worker",
            },
        },
        "spec": {"containers": [a_container()], "priorityClassName": "high"},
    }


def test_another_scheduler_is_said() -> None:
    """Nobody should take the default scheduler's answer for Volcano's."""
    assert roles_of(a_volcano_job()).notes == (
        "the default scheduler stands in for Volcano's: it places pods one by one, and knows no queues or fair shares",
    )


def test_names_of_pods() -> None:
    """`JOB-TASK-INDEX`; a task without a name is numbered, a template's name counts not."""
    template = {**a_template(), "metadata": {"name": "else"}}
    job = a_volcano_job(a_task("ps", 1), {"replicas": 2, "template": template})
    assert [pod["metadata"]["name"] for pod in pods_of(job)] == ["train-ps-0", "train-default1-0", "train-default1-1"]


@pytest.mark.parametrize("plugin", ["svc", "mpi", "pytorch", "tensorflow", "ray"])
def test_plugins_give_hostnames(plugin: str) -> None:
    """The service plugin, and those that bring it along."""
    first, *_ = pods_of(a_volcano_job(plugins={plugin: []}))
    assert (first["spec"]["hostname"], first["spec"]["subdomain"]) == ("train-worker-0", "train")
    first, *_ = pods_of(a_volcano_job(plugins={"env": []}))
    assert "hostname" not in first["spec"]


@given(
    st.lists(st.tuples(st.integers(0, 5), st.none() | st.integers(0, 5)), min_size=1, max_size=3), st.integers(0, 15)
)
def test_the_gang(tasks: list[tuple[int, int | None]], least: int) -> None:
    """The job's minimum counts; the tasks' own count too where it covers them all."""
    listed = [
        a_task(f"t{index}", replicas, **({"minAvailable": min(own, replicas)} if own is not None else {}))
        for index, (replicas, own) in enumerate(tasks)
    ]
    own = [min(each, replicas) if each is not None else replicas for replicas, each in tasks]
    everything = sum(replicas for replicas, _ in tasks)
    job = a_volcano_job(*listed, minAvailable=least)
    if least > everything:
        with pytest.raises(MalformedJob, match="give at most that many"):
            roles_of(job)
        return
    shape = roles_of(job)
    assert shape.needed == (least or sum(own))
    covers = shape.needed >= sum(own)
    assert sum(role.needed for role in shape.roles) <= shape.needed
    if covers:
        assert [role.needed for role in shape.roles] == own
    assert shape.goes_on({role.name: role.pods for role in shape.roles})
    if shape.needed:
        assert not shape.goes_on({})


def test_a_gang_smaller_than_its_tasks() -> None:
    """Any pods make it: two of four are enough, whichever tasks they are of."""
    shape = roles_of(a_volcano_job(a_task("a", 2), a_task("b", 2), minAvailable=2))
    assert shape.goes_on({"a": 2}) and shape.goes_on({"b": 2}) and shape.goes_on({"a": 1, "b": 1})
    assert not shape.goes_on({"a": 1})
    (role,) = roles_of(a_volcano_job(a_task("a", 4), minAvailable=3)).roles
    assert (role.pods, role.needed) == (4, 3)


def test_partitions() -> None:
    """So many whole partitions are the task's minimum."""
    policy = {"totalPartitions": 4, "partitionSize": 2, "minPartitions": 3}
    (role,) = roles_of(a_volcano_job(a_task("a", 8, partitionPolicy=policy))).roles
    assert role.needed == 6


def test_tasks_in_order() -> None:
    """A task waits for as many of another one as that needs by itself, also where the job needs fewer."""
    job = a_volcano_job(a_task("first", 3), a_task("then", 1, dependsOn={"name": ["first"]}), minAvailable=1)
    shape = roles_of(job)
    then = shape.role("then")
    assert then.after == ("first",)
    assert not shape.may_start(then, {"first": 2})
    assert shape.may_start(then, {"first": 3})
    either = a_task("then", 1, dependsOn={"name": ["a", "b"], "iteration": "any"})
    assert any(
        "any one of its tasks" in note for note in roles_of(a_volcano_job(a_task("a", 1), a_task("b", 1), either)).notes
    )


def test_claims() -> None:
    """A pod waits for its claim: it is mounted in every container, once."""
    volumes = [{"mountPath": "/data", "volumeClaimName": "scratch"}, {"mountPath": "/x", "volumeClaimName": "scratch"}]
    job = a_volcano_job(volumes=[*volumes, {"mountPath": "/made", "volumeClaim": {"resources": {}}}])
    pod, _ = pods_of(job)
    (volume,) = pod["spec"]["volumes"]
    assert volume["persistentVolumeClaim"] == {"claimName": "scratch"}
    assert pod["spec"]["containers"][0]["volumeMounts"] == [{"name": volume["name"], "mountPath": "/data"}]
    assert "spec.volumes[2]: Volcano would make the claim; a rehearsal leaves the volume out" in roles_of(job).notes
