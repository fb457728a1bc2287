"""Which types meet the requirements of a NodePool, and when none ever will."""

import re

import pytest

from muster.blueprint.karpenter import CAPACITY_TYPE
from muster.blueprint.labels import INSTANCE_TYPE
from muster.hardware.catalogue import hardware, instance_types
from muster.policies.lookups.instance_labels import ARCHITECTURE, FAMILY, SIZE, conflict
from muster.scheduling.requirements import Requirement

CATEGORY, GENERATION, GPU, GPUS = "instance-category", "instance-generation", "instance-gpu-name", "instance-gpu-count"
OF_ALL = {CAPACITY_TYPE: ("on-demand", "reserved", "spot")}


def some(label: str, *values: str) -> Requirement:
    return Requirement(label, "In", values)


def test_every_type_has_its_own_labels() -> None:
    for each in map(hardware, instance_types()):
        family, _, size = each.instance.partition(".")
        own = (some(INSTANCE_TYPE, each.instance), some(FAMILY, family), some(SIZE, size))
        counted = (some("instance-cpu", str(each.vcpus)), some("instance-memory", str(each.memory_mib)))
        assert conflict((*own, *counted), OF_ALL) is None


def test_no_newer_type_and_no_newer_family_is_refused() -> None:
    known = {each.partition(".")[0] for each in instance_types()}
    newer = {re.sub(r"\d+", "99", each, count=1) for each in known} - known
    for each in newer:
        for required in (some(FAMILY, each), some(INSTANCE_TYPE, f"{each}.48xlarge")):
            found = conflict((required, some(CAPACITY_TYPE, "spot")), OF_ALL)
            assert found is not None, required
            assert (found.requirements, found.certain) == ((required,), False)


@pytest.mark.parametrize(
    ("required", "certain"),
    [
        ((some(FAMILY, "p6"),), True),
        ((some(CATEGORY, "p5"),), True),
        ((some(FAMILY, "p5.48xlarge"),), True),
        ((some(SIZE, "p5.48xlarge"),), True),
        ((some(FAMILY, "p5"), some(SIZE, "24xlarge")), False),
        ((some(FAMILY, "p5"), some(SIZE, "48xlarge"), some(GPUS, "4")), True),
        ((some(FAMILY, "p5"), some(ARCHITECTURE, "arm64")), True),
        ((some(INSTANCE_TYPE, "p5.99xlarge"), some(ARCHITECTURE, "arm64")), True),
        ((some(INSTANCE_TYPE, "p9.48xlarge"), some(GENERATION, "5")), True),
        ((some(CATEGORY, "p"), some(GPU, "l4")), False),
        ((some(FAMILY, "trn2"), Requirement(GPUS, "Gt", ("0",))), True),
        ((some(GPU, "b999"),), False),
        ((Requirement(GENERATION, "Gt", ("99",)),), False),
        ((some(ARCHITECTURE, "x86_64"),), True),
        ((some(CAPACITY_TYPE, "ON_DEMAND"),), True),
        ((some(CAPACITY_TYPE, "next"),), False),
        ((some(CAPACITY_TYPE, "spot"), some(CAPACITY_TYPE, "on-demand")), True),
    ],
)
def test_only_what_no_newer_type_can_meet_is_certain(required: tuple[Requirement, ...], certain: bool) -> None:
    found = conflict((some("instance-hypervisor", "nitro"), *required), OF_ALL)
    assert found is not None
    assert (found.requirements, found.certain) == (required, certain)


def test_a_conflict_has_only_the_requirements_that_it_needs() -> None:
    others = tuple(Requirement(key, "NotIn", (f"x{index}",)) for index in range(20) for key in (SIZE, GPUS, GENERATION))
    found = conflict((*others, some(FAMILY, "p6"), *others), OF_ALL)
    assert found is not None
    assert found.requirements == (some(FAMILY, "p6"),)


@pytest.mark.parametrize("maker", ["amd", "habana"])
def test_makers_whose_types_have_no_hardware_in_the_tables_are_no_conflict(maker: str) -> None:
    assert conflict((some("instance-gpu-manufacturer", maker),), OF_ALL) is None


def test_labels_of_the_user_exclude_no_type() -> None:
    assert conflict((some("team", "a"), some("team", "b"), some(FAMILY, "p5")), OF_ALL) is None
