"""One control plane for all tests of a session."""

import itertools
from collections.abc import Iterator
from contextlib import AbstractContextManager
from typing import Any

import pytest

from muster.rehearsal.kubernetes import kueue, rehearsal
from muster.rehearsal.kubernetes.control_plane import ControlPlane
from muster.rehearsal.kubernetes.resource_claims import CONTROLLER
from tests.factories import DROP, a_blueprint
from tests.rehearsal.shared_plane import lent
from tests.rehearsal.world import World

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


_NUMBERS = itertools.count()


@pytest.fixture
def world(plane: ControlPlane) -> Iterator[World]:
    """A namespace on it, and nodes and plugins that go with the test."""
    with World(plane, f"test-{next(_NUMBERS)}") as made:
        yield made
