"""RayCluster and RayJob: head, workers, and who submits."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.jobs.kinds.catalogue import roles_of
from tests.jobs.documents import a_container, a_ray_cluster, a_ray_job, a_template, role_of

SMALL = {"cpu": 4000, "memory": 8 * 2**30}


def a_group(**said: Any) -> dict[str, Any]:
    return {"groupName": "gpu", "template": a_template(), **said}


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
    """And counts in what the head asks."""
    shape = roles_of(a_ray_cluster(enableInTreeAutoscaling=True))
    assert role_of(shape, "head").asks == {"cpu": 4500, "memory": 8 * 2**30 + 512 * 2**20}
    assert shape.notes == ("the rehearsal does not run the autoscaler: every group keeps its initial replicas",)
    options = {"version": "v2", "resources": {"requests": {"cpu": 1}}}
    cluster = a_ray_cluster(enableInTreeAutoscaling=True, autoscalerOptions=options)
    assert role_of(roles_of(cluster), "head").asks == {"cpu": 5000, "memory": 8 * 2**30}


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
    assert role_of(shape, "head").asks == head
    if "submitter" in roles:
        submitter = role_of(shape, "submitter")
        assert submitter.after == ("head", "gpu")
        assert submitter.asks == {"cpu": 500, "memory": 200 * 2**20}


def test_a_submitter_of_ones_own() -> None:
    """Its template is used as it is."""
    template = a_template(containers=[a_container(resources={"requests": {"cpu": 2}})], restartPolicy="OnFailure")
    job = a_ray_job(submitterPodTemplate=template)
    assert role_of(roles_of(job), "submitter").asks == {"cpu": 2000}


def test_suspended() -> None:
    """Said of the job and of the cluster in it."""
    for job in (a_ray_job(suspend=True), a_ray_cluster(suspend=True)):
        assert any("suspended" in note for note in roles_of(job).notes)
