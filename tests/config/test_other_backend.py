"""A backend that there is not, and keys of another backend: each is told once, with what is meant instead."""

from typing import Any

import pytest

from muster import backends
from muster.config.description.base import StrictModel
from muster.config.description.capacity import Capacity
from muster.config.description.cluster import Cluster
from muster.config.description.group import Group
from muster.config.description.of_backend import backends_of
from muster.config.description.root import model_of
from muster.config.validation import validate
from tests.factories import DROP, a_document
from tests.factories.hyperpod import a_hyperpod_document
from tests.factories.hyperpod_slurm import a_hyperpod_slurm_document
from tests.factories.parallelcluster import WORKERS, a_slurm_document
from tests.factories.pcs import a_pcs_document

W = "groups.workers"


def told(document: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Place -> what was found, and what to do."""
    made, found = validate(model_of(document), document)
    assert (made is None) == bool(found)
    assert len({finding.where for _, finding in found}) == len(found), "nothing is said twice"
    return {finding.where: (finding.got, finding.remedy) for _, finding in found}


PLACES: dict[str, tuple[Any, str]] = {
    "eks": (a_document, "groups.workers"),
    "hyperpod": (a_hyperpod_document, "groups.workers"),
    "hyperpod-slurm": (a_hyperpod_slurm_document, "groups.workers"),
    "parallelcluster": (a_slurm_document, WORKERS),
    "pcs": (a_pcs_document, "queues.train.groups.workers"),
}
"""A legal document of each backend, and its group."""


def others_keys(block: type[StrictModel], backend: str) -> list[str]:
    """The keys of a block that a backend does not have."""
    keys = [info.alias or name for name, info in block.model_fields.items()]
    return [key for key in keys if backend not in backends_of(block, key)]


@pytest.mark.parametrize("backend", PLACES)
def test_a_key_of_another_backend_is_told_with_the_backends_that_have_it(backend: str) -> None:
    """At its place, and once."""
    make, group = PLACES[backend]
    blocks = ((Cluster, ""), (Group, f"{group}."), (Capacity, f"{group}.capacity."))
    for place, key in [(at, key) for block, at in blocks for key in others_keys(block, backend)]:
        edits: dict[str, Any] = {place.removesuffix("."): {}} if "capacity" in place else {}
        got, remedy = told(make({**edits, f"{place}{key}": {}}))[f"{place}{key}"]
        assert got.startswith(f"'{key}' applies only to "), key
        assert got.endswith(f"but this cluster is on {backends.RECORDS[backend].title}")
        assert remedy


@pytest.mark.parametrize(
    ("word", "backend", "missing"),
    [("slurm", "parallelcluster", "queues"), ("SageMaker", "hyperpod", "groups"), ("kubernetes", "eks", "groups")],
)
def test_another_word_for_a_backend_is_read_as_that_backend(word: str, backend: str, missing: str) -> None:
    """The keys that are missing are that backend's."""
    found = told({"backend": word})
    assert found["backend"] == (
        f"'{word}' is not a valid value; did you mean '{backend}'?",
        "valid values: eks, hyperpod, hyperpod-slurm, parallelcluster, pcs",
    )
    got, remedy = found[missing]
    assert got == f"'{missing}' is missing"
    assert remedy.startswith(f"add it, for example {missing}: {{workers: ")


@pytest.mark.parametrize(
    ("value", "shown"), [(["eks"], "a list"), ({"eks": {}}, "a block of keys"), (True, "true"), (3, "3")]
)
def test_a_backend_that_is_no_text_is_told_every_choice(value: Any, shown: str) -> None:
    expected = (f"{shown} is not a valid value", "valid values: eks, hyperpod, hyperpod-slurm, parallelcluster, pcs")
    assert told({"backend": value})["backend"] == expected


def test_a_key_of_several_backends_is_told_with_all_of_them() -> None:
    got, remedy = told(a_hyperpod_document({"queues": {}}))["queues"]
    assert "only to ParallelCluster or AWS PCS, but this cluster is on HyperPod" in got
    assert "backend: parallelcluster or pcs" in remedy
    got, _ = told(a_hyperpod_slurm_document({"slurm": {}}))["slurm"]
    assert "ParallelCluster or AWS PCS" in got


@pytest.mark.parametrize(
    ("make", "place", "value", "says"),
    [
        (a_document, f"{W}.reservation", {"id": "cr-1"}, f"move it to {W}.capacity"),
        (a_hyperpod_document, "task-governance", {}, "move it to hyperpod"),
        (a_document, f"{W}.volume.efa", True, "valid keys: "),
    ],
)
def test_a_key_of_another_place_is_told_with_its_place(make: Any, place: str, value: Any, says: str) -> None:
    ((_, (_, remedy)),) = told(make({place: value})).items()
    assert says in remedy


@pytest.mark.parametrize(
    ("edits", "place", "value", "remedy"),
    [
        ({}, "addons.nvidia-device-plugin", {"groups": ["workers"]}, "move it to the cluster, or remove it"),
        ({}, "addons.mpi-operator", {"queues": {}}, "valid keys: on-destroy, version"),
        ({"addons.kueue": {}}, "addons.mpi-operator", {"queues": {}}, "move it to addons.kueue, or remove it"),
    ],
)
def test_a_key_of_another_addon_does_not_add_that_addon(edits: Any, place: str, value: Any, remedy: str) -> None:
    """Only a block that the document has is advised: a second driver would serve the same GPUs."""
    assert remedy in {each for _, each in told(a_document({**edits, place: value})).values()}


@pytest.mark.parametrize(
    ("make", "place", "nodes"),
    [
        (a_hyperpod_slurm_document, f"{W}.nodes", {"min": 2, "max": 4}),
        (a_slurm_document, f"{WORKERS}.nodes", {"count": 4, "minimum": 2}),
    ],
)
def test_the_numbers_of_another_backend_are_one_fault_for_each_key(make: Any, place: str, nodes: Any) -> None:
    """The key that is missing for it is not also reported."""
    assert set(told(make({place: nodes}))) == {f"{place}.{key}" for key in nodes}


@pytest.mark.parametrize(
    ("make", "key", "missing"),
    [
        (a_hyperpod_slurm_document, "queues", "groups"),
        (a_document, "queues", "groups"),
        (a_hyperpod_slurm_document, "head", "controller"),
        (a_slurm_document, "groups", "queues"),
        (a_pcs_document, "groups", "queues"),
    ],
)
def test_a_key_that_stands_for_another_is_the_only_fault(make: Any, key: str, missing: str) -> None:
    """The one that is missing for it is not also reported."""
    assert set(told(make({key: {}, missing: DROP}))) == {key}
