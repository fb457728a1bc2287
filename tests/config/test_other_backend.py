"""Keys of another backend: each is told once, with what is meant instead.

The words for a backend that there is not, and for keys of another place, stand in the golden of faults.
"""

from typing import Any

import pytest

from muster import backends
from muster.config.description.base import StrictModel
from muster.config.description.capacity import Capacity
from muster.config.description.cluster import Cluster
from muster.config.description.group import Group
from muster.config.description.of_backend import backends_of
from tests.description_faults import findings
from tests.factories import DROP, a_document
from tests.factories.hyperpod import a_hyperpod_document
from tests.factories.hyperpod_slurm import a_hyperpod_slurm_document
from tests.factories.parallelcluster import WORKERS, a_slurm_document
from tests.factories.pcs import a_pcs_document

W = "groups.workers"
PLACES: dict[str, tuple[Any, str]] = {
    "eks": (a_document, W),
    "hyperpod": (a_hyperpod_document, W),
    "hyperpod-slurm": (a_hyperpod_slurm_document, W),
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
        (found,) = [each for each in findings(make({**edits, f"{place}{key}": {}})) if each.where == f"{place}{key}"]
        theirs = [backends.RECORDS[each].title for each in backends.RECORDS if each in backends_of_key(place, key)]
        assert all(title in found.got for title in theirs), found.got
        assert backends.RECORDS[backend].title in found.got
        assert found.remedy


def backends_of_key(place: str, key: str) -> frozenset[str]:
    """The backends that have a key."""
    block = Capacity if "capacity" in place else Group if "groups" in place else Cluster
    return frozenset(backends_of(block, key))


@pytest.mark.parametrize(
    ("make", "edits", "told"),
    [
        # The numbers of another backend: the number that is missing is not told as well.
        (a_hyperpod_slurm_document, {f"{W}.nodes": {"min": 2, "max": 4}}, {f"{W}.nodes.min", f"{W}.nodes.max"}),
        (
            a_slurm_document,
            {f"{WORKERS}.nodes": {"count": 4, "minimum": 2}},
            {f"{WORKERS}.nodes.count", f"{WORKERS}.nodes.minimum"},
        ),
        # A key that stands for another, which is missing.
        (a_hyperpod_slurm_document, {"queues": {}, "groups": DROP}, {"queues"}),
        (a_document, {"queues": {}, "groups": DROP}, {"queues"}),
        (a_hyperpod_slurm_document, {"head": {}, "controller": DROP}, {"head"}),
        (a_slurm_document, {"groups": {}, "queues": DROP}, {"groups"}),
        (a_pcs_document, {"groups": {}, "queues": DROP}, {"groups"}),
    ],
)
def test_what_is_missing_for_a_key_of_another_backend_is_not_told_beside_it(
    make: Any, edits: dict[str, Any], told: set[str]
) -> None:
    assert {each.where for each in findings(make(edits))} == told
