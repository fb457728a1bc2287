"""One control plane for all rehearsals of a session: empty again after each.

`tests/conftest.py` has its fixtures. A module that imported them would have control planes of its own.
"""

import contextlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from muster.rehearsal.kubernetes import kueue, rehearsal
from muster.rehearsal.kubernetes.client import ApiError, Client, NotFound
from muster.rehearsal.kubernetes.control_plane import QUEUES, ControlPlane
from muster.rehearsal.kubernetes.resource_claims import CONTROLLER
from tests.factories import DROP, a_blueprint

GARBAGE = "garbage-collector-controller"
"""Tests delete what owns pods."""


@pytest.fixture(scope="session")
def plane() -> Iterator[ControlPlane]:
    """A running control plane."""
    jobs = ["PyTorchJob", "MPIJob", "TrainJob", "RayJob"]
    with ControlPlane(jobs=jobs, schedulers=["volcano"], controllers=[GARBAGE, CONTROLLER]) as running:
        yield running


@pytest.fixture(scope="session")
def kueue_plane() -> Iterator[ControlPlane]:
    """A running control plane with Kueue, which manages all kinds of jobs that it can and counts the devices that pods
    claim, and with Volcano."""
    drivers = {"nvidia-device-plugin": DROP, "nvidia-dra-driver": {}, "efa-device-plugin": DROP, "efa-dra-driver": {}}
    addons = {"kueue": {}, "training-operator": {}, **drivers}
    configuration = kueue.configuration(a_blueprint({f"addons.{name}": said for name, said in addons.items()}))
    jobs = ["PyTorchJob", "MPIJob", "TrainJob", "RayJob"]
    with ControlPlane(
        jobs=jobs, schedulers=["volcano"], controllers=[GARBAGE, CONTROLLER], kueue=configuration
    ) as running:
        yield running


@pytest.fixture
def shared_plane(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rehearsals run on the session's control plane, where it is of their version, instead of one that each starts."""

    def enter(**arguments: Any) -> AbstractContextManager[ControlPlane]:
        fixture = "plane" if arguments["kueue"] is None else "kueue_plane"
        plane: ControlPlane = request.getfixturevalue(fixture)
        return lent(plane) if arguments["kubernetes"] == plane.version else ControlPlane(**arguments)

    monkeypatch.setattr(rehearsal, "ControlPlane", enter)


_CONTROLLERS = (
    "/apis/kubeflow.org/v1/pytorchjobs",
    "/apis/kubeflow.org/v2beta1/mpijobs",
    "/apis/trainer.kubeflow.org/v1alpha1/trainjobs",
    "/apis/jobset.x-k8s.io/v1alpha2/jobsets",
    "/apis/batch.volcano.sh/v1alpha1/jobs",
    "/apis/ray.io/v1/rayjobs",
    "/apis/ray.io/v1/rayclusters",
    "/apis/apps/v1/deployments",
    "/apis/apps/v1/daemonsets",
    "/apis/apps/v1/statefulsets",
    "/apis/batch/v1/jobs",
    "/apis/apps/v1/replicasets",
)
_PODS = "/api/v1/pods"
_REST = (
    "/api/v1/persistentvolumeclaims",
    "/api/v1/persistentvolumes",
    "/api/v1/nodes",
    "/apis/storage.k8s.io/v1/csinodes",
    "/apis/resource.k8s.io/v1/resourceclaims",
    "/apis/resource.k8s.io/v1/resourceclaimtemplates",
    "/apis/resource.k8s.io/v1/resourceslices",
    "/apis/resource.k8s.io/v1/deviceclasses",
    "/apis/scheduling.volcano.sh/v1beta1/podgroups",
    "/api/v1/events",  # those about an earlier job of the same name are none of the next one's
)
_VOLCANOS_OWN = ("root", "default")
_OF_JOBS = ("/api/v1/configmaps", "/api/v1/secrets", "/api/v1/services")
"""What an operator makes beside pods: it takes no object of this name that an earlier job owned."""
_QUEUES = (
    "/apis/kueue.x-k8s.io/v1beta2/workloads",
    "/apis/kueue.x-k8s.io/v1beta2/localqueues",
    "/apis/kueue.x-k8s.io/v1beta2/clusterqueues",
    "/apis/kueue.x-k8s.io/v1beta2/cohorts",
    "/apis/kueue.x-k8s.io/v1beta2/resourceflavors",
    "/apis/kueue.x-k8s.io/v1beta2/topologies",
    "/apis/kueue.x-k8s.io/v1beta2/workloadpriorityclasses",
)
"""Kueue removes their finalizers, in this order."""
_PROTECTED = ("persistentvolumeclaims", "persistentvolumes")
"""Admission protects them with a finalizer that no controller of a rehearsal removes."""


@contextmanager
def lent(plane: ControlPlane) -> Iterator[ControlPlane]:
    """The control plane, for one test's nodes and jobs."""
    try:
        yield plane
    finally:
        empty(plane)


def empty(plane: ControlPlane) -> None:
    """Deletes nodes, pods, and what makes pods."""
    client = plane.client
    for kind in _CONTROLLERS:
        client.each(lambda path: client.delete(path, propagationPolicy="Background"), _paths(client, kind))
    plane.wait_until(lambda: not _delete_pods(client), "pods of a rehearsal stayed")
    for kind in _OF_JOBS:
        client.each(client.delete, _paths(client, kind, owned=True))
    for kind in _QUEUES:
        client.each(client.delete, _paths(client, kind))
    plane.wait_until(lambda: not any(list(_paths(client, kind)) for kind in _QUEUES), "queues of a rehearsal stayed")
    for kind in _REST:
        client.each(lambda path: _delete(client, path), _paths(client, kind))
    plane.wait_until(lambda: not _delete_queues(client), "queues of a rehearsal stayed")


def _delete_queues(client: Client) -> bool:
    """Deletes Volcano's queues, whose webhook wants those below another one deleted first; whether there were any."""
    names = [name for each in _items(client, QUEUES) if (name := each["metadata"]["name"]) not in _VOLCANOS_OWN]
    for name in names:
        with contextlib.suppress(ApiError):
            client.delete(f"{QUEUES}/{name}")
    return bool(names)


def _delete_pods(client: Client) -> bool:
    """Deletes pods, those too that a controller has just made; whether there were any."""
    paths = list(_paths(client, _PODS))
    client.each(lambda path: client.delete(path, gracePeriodSeconds=0), paths)
    return bool(paths)


def _delete(client: Client, path: str) -> None:
    if path.split("/")[-2] in _PROTECTED:
        client.patch(path, {"metadata": {"finalizers": None}})
    client.delete(path)


def _paths(client: Client, kind: str, *, owned: bool = False) -> Iterator[str]:
    api, _, plural = kind.rpartition("/")
    for each in _items(client, kind):
        meta: dict[str, Any] = each["metadata"]
        if owned and not meta.get("ownerReferences"):
            continue
        namespace = f"/namespaces/{meta['namespace']}" if "namespace" in meta else ""
        yield f"{api}{namespace}/{plural}/{meta['name']}"


def _items(client: Client, path: str) -> list[dict[str, Any]]:
    """The objects of a kind; none where its operator does not run."""
    try:
        return list(client.items(path))
    except NotFound:
        return []
