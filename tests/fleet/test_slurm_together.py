"""Names in a Slurm cluster that are wrong together are told each at its own place, whatever else is wrong."""

from typing import Any

import pytest

from muster.fleet.description import form_of
from muster.fleet.shape import shape
from tests.slurm_factories import WORKERS, a_slurm_document

CPU = {"for": "system", "instance": "c5.2xlarge", "nodes": 1}
DATABASE = {
    "server": "slurm.example.internal",
    "user": "slurm",
    "password-secret": "arn:aws:secretsmanager:us-west-2:210987654321:secret:slurm-Ab12Cd",
}
LONG = "n" * 41


def told(edits: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Place -> what was found, and what to do."""
    document = a_slurm_document(edits)
    _, found = shape(form_of(document), document)
    return {finding.where: (finding.got, finding.remedy) for _, finding in found}


def test_a_group_is_named_once_in_the_cluster() -> None:
    """Told at the second, with the queue of the first."""
    assert told({"queues.other": {"groups": {"workers": CPU}}}) == {
        "queues.other.groups.workers": (
            "queue 'train' has a group 'workers', too: jobs and rules name groups alone",
            "give one of them another name",
        )
    }


def test_a_default_queue_is_one_of_them() -> None:
    """Told at the setting, with the nearest."""
    assert told({"slurm.default-queue": "trian"}) == {
        "slurm.default-queue": ("there is no queue 'trian'; did you mean 'train'?", "choices: train")
    }
    assert told({"slurm.default-queue": "train"}) == {}


@pytest.mark.parametrize(
    ("edits", "refused"),
    [({"name": LONG}, False), ({"name": LONG, "accounting": DATABASE}, True), ({"accounting": DATABASE}, False)],
)
def test_a_name_is_short_with_accounting(edits: dict[str, Any], refused: bool) -> None:
    assert set(told(edits)) == ({"name"} if refused else set())


def test_a_cluster_has_so_many_groups() -> None:
    """The number is ParallelCluster's; one fewer is well."""
    queues = {f"q{number}": {"groups": {f"g{number}-{each}": CPU for each in range(25)}} for number in range(2)}
    assert told({"queues": queues}) == {}
    ((where, (got, _)),) = told({"queues": queues, WORKERS: CPU}).items()
    assert (where, got) == ("queues", "51 groups, and ParallelCluster takes 50 in a cluster")


@pytest.mark.parametrize(
    "edits", [{"queues": ["train"]}, {"queues.train": "p5"}, {"queues.train.groups": []}, {"slurm": 3}, {"name": 3}]
)
def test_what_is_wrong_by_itself_is_told_as_such(edits: dict[str, Any]) -> None:
    """And nothing on top of it."""
    assert set(told(edits)) == set(edits)
