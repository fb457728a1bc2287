"""What an instance group's own form refuses."""

import pytest

from muster.fleet.description import HyperPodCluster
from muster.fleet.description.instance_group import Patching
from muster.fleet.hyperpod.bundle import GroupSettings
from muster.fleet.quantity import Size
from muster.fleet.shape import shape
from tests.hyperpod_factories import a_hyperpod_document


@pytest.mark.parametrize("kind", ["efa", "efa-only"])
def test_a_kind_of_interface_without_efa(kind: str) -> None:
    """There is nothing of the sort on a type without EFA."""
    document = a_hyperpod_document(
        {"groups.system.instance": "m5.2xlarge", "groups.system.hyperpod": {"interface": kind}}
    )
    _, faults = shape(HyperPodCluster, document)
    assert [(each.where, each.got, each.remedy) for _, each in faults] == [
        ("groups.system", "m5.2xlarge has no EFA", "leave 'hyperpod.interface' out")
    ]


def test_times_of_patching_are_the_apis() -> None:
    """`AutoPatchConfig.PatchingStrategy` takes two words."""
    assert {each.value: each.aws for each in Patching} == {"when-idle": "WhenIdle", "when-all-idle": "WhenAllIdle"}


@pytest.mark.parametrize(("volume", "line"), [(True, "DATA_VOLUME=/opt/sagemaker\n"), (False, "DATA_VOLUME=''\n")])
def test_what_the_scripts_are_told_of_their_group(line: str, *, volume: bool) -> None:
    """In words of the shell; without a secondary volume there is nothing to wait for."""
    said = GroupSettings("work ers", Size.parse("10256MiB"), data_volume=volume).text
    assert said == (
        "# Of Muster, for the scripts beside it: what is said of groups.work ers.\n"
        f"INSTANCE_GROUP='work ers'\nHUGE_PAGES=5128\n{line}"
    )
