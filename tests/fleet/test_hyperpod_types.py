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
        ("p3dn.24xlarge", ("ml.p4d.24xlarge",)),
        ("ml.trn1.2xlarge", ("ml.trn1.32xlarge",)),
        ("g4dn.metal", ("ml.g4dn.12xlarge",)),
        ("inf2.48xlarge", ("ml.trn2.48xlarge",)),
        ("ml.g5.metal", ("ml.g5.24xlarge", "ml.g5.48xlarge")),
        ("ml.p5.48xlrge", ("ml.p5.48xlarge",)),
        ("ml.p5-48xlarge", ("ml.p5.48xlarge",)),
        ("ml.x9.huge", ()),
        ("", ()),
    ],
)
def test_the_nearest_allowed_type(refused: str, near: tuple[str, ...]) -> None:
    """Like it in kind, then family, accelerators and vCPUs; nothing where nobody can tell."""
    assert nearest_types(refused) == near


@pytest.mark.parametrize("instance_type", hyperpod_types())
def test_an_allowed_type_is_nearest_to_itself(instance_type: str) -> None:
    """Near is nothing else where the type itself may be had."""
    assert nearest_types(instance_type) == (instance_type,)


def test_the_nearest_is_one_of_those_to_choose_of() -> None:
    """Of training plans' types only such are named; of GPUs, those of the same series before the architecture."""
    assert nearest_types("ml.g5g.8xlarge")[0].startswith("ml.g")
    assert nearest_types("ml.trn1n.32xlarge", training_plan_types()) == ("ml.trn1.32xlarge",)
    assert nearest_types("ml.g5.48xlarge", training_plan_types()) == ("ml.p5.48xlarge",)


def test_a_row_of_the_catalogue_goes_by_both_names() -> None:
    """SageMaker's name is EC2's with `ml.`; a type without a row has none."""
    assert machine_of("ml.p5.48xlarge") is hardware("p5.48xlarge")
    assert machine_of("ml.c5.97xlarge") is None


@pytest.mark.parametrize(
    ("refused", "among", "near"),
    [
        ("g4dn.8xlarge", ("ml.p4de.24xlarge", "ml.p4d.24xlarge"), "ml.p4d.24xlarge"),  # 16 GiB: of 320 rather than 640
        ("hpc7a.96xlarge", ("ml.c5.2xlarge", "ml.m5.2xlarge"), "ml.m5.2xlarge"),  # 768 GiB: 32 rather than 16
    ],
)
def test_where_all_else_is_as_far_memory_decides(refused: str, among: tuple[str, ...], near: str) -> None:
    """The accelerators', then the machine's; in whatever order they are named."""
    assert [nearest_types(refused, each) for each in (among, among[::-1])] == [(near,), (near,)]
