"""Laws of the table of HyperPod's instance types, and what is named where one is not in it."""

import csv

import pytest
from botocore.loaders import Loader

from muster.hardware.catalogue import hardware, instance_types
from muster.hardware.hyperpod_types import (
    SOURCE,
    hyperpod_types,
    machine_of,
    nearest_types,
    training_plan_types,
)
from tests.stack_files import ROOT

TABLE = ROOT / "muster" / "hardware" / "hyperpod_types.csv"
ROWS = list(csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines()))


def test_the_table_is_what_sagemakers_model_lists() -> None:
    """Who takes a newer botocore renews the table with it."""
    shapes = Loader().load_service_model("sagemaker", "service-2")["shapes"]
    assert set(hyperpod_types()) == set(shapes["ClusterInstanceType"]["enum"])
    assert set(training_plan_types()) == set(shapes["ReservedCapacityInstanceType"]["enum"])


def test_every_row_stands_once_and_names_its_source() -> None:
    """A table without doubles, of one source."""
    assert list(ROWS[0]) == [
        *("instance_type", "training_plan", "source", "quota_code", "spot_quota_code", "source_quota"),
    ]
    assert [row["instance_type"] for row in ROWS] == list(hyperpod_types())
    assert len(set(hyperpod_types())) == len(ROWS) == 209
    assert {row["source"] for row in ROWS} == {SOURCE}
    assert all(bool(row["source_quota"]) == bool(row["quota_code"] or row["spot_quota_code"]) for row in ROWS)


def test_the_catalogue_follows_the_table() -> None:
    """A machine is one of HyperPod's where the table has it."""
    for instance in instance_types():
        assert hardware(instance).hyperpod is (f"ml.{instance}" in hyperpod_types())


def test_what_training_plans_hold_hyperpod_takes() -> None:
    """No plan is for a type that no HyperPod cluster may have."""
    assert set(training_plan_types()) < set(hyperpod_types())


@pytest.mark.parametrize(
    ("refused", "near"),
    [
        ("ml.p5.48xlrge", ("ml.p5.48xlarge",)),
        ("ml.p5-48xlarge", ("ml.p5.48xlarge",)),
        ("ml.trn1.2xlarge", ("ml.trn1.32xlarge",)),
        ("p3dn.24xlarge", ()),
        ("", ()),
    ],
)
def test_the_nearest_allowed_type(refused: str, near: tuple[str, ...]) -> None:
    """What a name misspells, else its family."""
    assert nearest_types(refused) == near


def test_a_row_of_the_catalogue_goes_by_both_names() -> None:
    """SageMaker's name is EC2's with `ml.`; a type without a row has none."""
    assert machine_of("ml.p5.48xlarge") is hardware("p5.48xlarge")
    assert machine_of("ml.c5.97xlarge") is None
