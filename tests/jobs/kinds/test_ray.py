"""RayCluster and RayJob: head, workers, and who submits."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.jobs.catalogue import pods_of, roles_of
from muster.jobs.pod_requests import pod_requests
from tests.jobs.documents import ASKED, a_container, a_ray_cluster, a_ray_job, a_template

SMALL = {"cpu": 4000, "memory": 8 * 2**30}


def a_group(**said: Any) -> dict[str, Any]:
    return {"groupName": "gpu", "template": a_template(), **said}


def test_pods_of_a_cluster() -> None:
    """After `labelPod` and `PodName`."""
    head, *workers = pods_of(a_ray_cluster())
    assert [pod["metadata"]["name"] for pod in (head, *workers)] == [
        "train-head",
        *(f"train-gpu-worker-{index}" for index in range(3)),
    ]
    assert workers[0]["metadata"]["labels"] == {
        "app.kubernetes.io/name": "kuberay",
        "app.kubernetes.io/created-by": "kuberay-operator",
        "ray.io/identifier": "train-worker",
        "ray.io/is-ray-node": "yes",
        "ray.io/cluster": "train",
        "ray.io/node-type": "worker",
        "ray.io/group": "gpu",
        "muster/role": "gpu",
    }
    assert head["metadata"]["labels"]["ray.io/group"] == "headgroup"
    assert head["metadata"]["labels"]["ray.io/node-type"] == "head"


@pytest.mark.parametrize(
    ("name", "groups"),
    [("r" * 45, ("gpu-a", "gpu-b")), ("r" * 55, ("a", "b")), ("ray", ("GPU", "gpu")), ("ray", ("g" * 60, "g" * 61))],
)
def test_names_of_pods_are_distinct(name: str, groups: tuple[str, ...]) -> None:
    """However long or large the names that they are made of; each is one that a pod may have."""
    job = a_ray_cluster(workerGroupSpecs=[a_group(groupName=each, replicas=2) for each in groups])
    job["metadata"]["name"] = name
    names = [pod["metadata"]["name"] for pod in pods_of(job)]
    assert len(names) == len(set(names)) == 1 + 2 * len(groups)
    assert all(len(each) <= 63 and re.fullmatch("[a-z0-9-]+", each) for each in names)


def test_three_labels_are_kuberays_own() -> None:
    """All others a template may set."""
    template = a_template(labels={"ray.io/cluster": "mine", "app.kubernetes.io/name": "mine", "team": "ml"})
    *_, pod = pods_of(a_ray_cluster(workerGroupSpecs=[a_group(replicas=1, template=template, labels={"zone": "a"})]))
    labels = pod["metadata"]["labels"]
    assert (labels["ray.io/cluster"], labels["app.kubernetes.io/name"]) == ("train", "mine")
    assert (labels["team"], labels["zone"]) == ("ml", "a")


def test_workers_wait_for_the_head_inside() -> None:
    """An init container does, which asks a little: a worker that asks no CPU asks that much."""
    *_, worker = pods_of(a_ray_cluster())
    (first,) = worker["spec"]["initContainers"]
    assert first["name"] == "wait-gcs-ready"
    assert pod_requests(worker["spec"])["cpu"] == 200
    assert pod_requests(worker["spec"])["nvidia.com/gpu"] == ASKED["nvidia.com/gpu"]
    assert [role.after for role in roles_of(a_ray_cluster()).roles] == [(), ()]


optional = st.none() | st.integers(0, 9)


@given(optional, optional, optional, st.none() | st.integers(1, 4), st.booleans())
def test_how_many_workers(
    replicas: int | None, least: int | None, most: int | None, hosts: int | None, suspended: bool
) -> None:
    """After `GetWorkerGroupDesiredReplicas`: within the bounds, the lower one first, and so many hosts each."""
    said = {"replicas": replicas, "minReplicas": least, "maxReplicas": most, "numOfHosts": hosts, "suspend": suspended}
    group = a_group(**{key: value for key, value in said.items() if value is not None})
    wanted, low = replicas or 0, least or 0
    expected = low if wanted < low else wanted if most is None else min(wanted, most)
    (_, role) = roles_of(a_ray_cluster(workerGroupSpecs=[group])).roles
    assert role.pods == (0 if suspended else expected * (hosts or 1))


def test_the_autoscaler_sits_beside_the_head() -> None:
    """And counts in what the head asks; its second version restarts pods itself."""
    shape = roles_of(a_ray_cluster(enableInTreeAutoscaling=True))
    assert shape.role("head").asks == {"cpu": 4500, "memory": 8 * 2**30 + 512 * 2**20}
    assert shape.notes == ("the autoscaler is not rehearsed: every group has the replicas it starts with",)
    options = {"version": "v2", "resources": {"requests": {"cpu": 1}}}
    cluster = a_ray_cluster(enableInTreeAutoscaling=True, autoscalerOptions=options)
    assert roles_of(cluster).role("head").asks == {"cpu": 5000, "memory": 8 * 2**30}
    assert [pod["spec"].get("restartPolicy") for pod in pods_of(cluster)] == ["Never"] * 4
    assert "restartPolicy" not in pods_of(a_ray_cluster())[0]["spec"]


@pytest.mark.parametrize(
    ("mode", "roles", "head"),
    [
        ("K8sJobMode", ["head", "gpu", "submitter"], SMALL),
        ("HTTPMode", ["head", "gpu"], SMALL),
        ("InteractiveMode", ["head", "gpu"], SMALL),
        ("SidecarMode", ["head", "gpu"], {"cpu": 4500, "memory": 8 * 2**30 + 200 * 2**20}),
    ],
)
def test_who_submits(mode: str, roles: list[str], head: dict[str, int]) -> None:
    """A pod of its own once everything runs, a container beside the head, or nobody."""
    shape = roles_of(a_ray_job(submissionMode=mode))
    assert [role.name for role in shape.roles] == roles
    assert shape.role("head").asks == head
    if "submitter" in roles:
        submitter = shape.role("submitter")
        assert submitter.after == ("head", "gpu")
        assert submitter.asks == {"cpu": 500, "memory": 200 * 2**20}
        assert pods_of(a_ray_job())[-1]["spec"]["restartPolicy"] == "Never"


def test_a_submitter_of_ones_own() -> None:
    """Its template is used as it is."""
    template = a_template(containers=[a_container(resources={"requests": {"cpu": 2}})], restartPolicy="OnFailure")
    job = a_ray_job(submitterPodTemplate=template)
    assert roles_of(job).role("submitter").asks == {"cpu": 2000}
    assert pods_of(job)[-1]["spec"]["restartPolicy"] == "OnFailure"


def test_suspended() -> None:
    """Said of the job and of the cluster in it."""
    for job in (a_ray_job(suspend=True), a_ray_cluster(suspend=True)):
        assert any("suspended" in note for note in roles_of(job).notes)
