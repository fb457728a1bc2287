"""Laws of `ultraservers.csv`, and what is derived from it."""

import pytest

from muster.config.description.capacity import TrainingPlan
from muster.hardware.allocatable import LEAST_PODS, MOST_PODS, Allocatable, certain
from muster.hardware.catalogue import hardware, instance_types
from muster.hardware.interfaces import Layout, service_slots, slots
from muster.hardware.ultraservers import known_ultraserver, ultraservers
from muster.stack.project import open_stack
from tests.stack_files import ROOT

GB200 = hardware("p6e-gb200.36xlarge")


@pytest.mark.parametrize("name", ultraservers())
def test_an_ultraserver_has_instances_that_aws_sells_only_so(name: str) -> None:
    of_type = ultraservers()[name]
    machine = hardware(of_type.instance)
    assert machine.capacity_block == "ultraserver-only"
    # EC2's name has the number of accelerators: u-p6e-gb200x72.
    assert name.rpartition("x")[2] == str(of_type.instances * machine.accelerators)


def test_every_type_that_comes_in_ultraservers_is_in_one() -> None:
    sold = {each for each in instance_types() if hardware(each).capacity_block == "ultraserver-only"}
    assert {each.instance for each in ultraservers().values()} == sold


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ml.u-p6e-gb200x72", "u-p6e-gb200x72"),
        ("p6e-gb200.36xlarge", "u-p6e-gb200x36 or u-p6e-gb200x72"),
        ("u-p6e-gb300x72", "u-trn2x64"),
        ("u-p6e-gb200-x72", "u-p6e-gb200x72"),
    ],
)
def test_a_wrong_name_says_what_to_write(name: str, meant: str) -> None:
    with pytest.raises(ValueError, match=rf"{name}.*{meant}"):
        known_ultraserver(name)


def test_efa_is_on_the_cards_of_awss_example() -> None:
    """Four interfaces reach the whole bandwidth. ParallelCluster puts EFA on all sixteen cards."""
    assert [slot.card for slot in slots(GB200, Layout.AWS) if slot.is_efa] == [1, 5, 9, 13]
    assert len([slot for slot in service_slots(GB200, Layout.AWS) if slot.is_efa]) == 16


def test_what_is_certain_is_less_than_any_type_of_its_size_has() -> None:
    assert max(hardware(each).max_pods or 0 for each in instance_types()) == MOST_PODS
    left = certain(GB200, Allocatable(1000, None, 0, None))
    assert left.pods == LEAST_PODS
    assert left.memory_mib == 909312 - (11 * 1514 + 255) - 100
    known = Allocatable(1000, 2000, 0, 30)
    assert certain(GB200, known) == known


def test_a_group_knows_its_ultraserver() -> None:
    own = {each.name: each.described.ultraserver for each in open_stack(ROOT, "p6e-gb200").derive().groups}
    assert {name: found and found.name for name, found in own.items()} == {
        "system": None,
        "ultraserver-1": "u-p6e-gb200x72",
        "ultraserver-2": "u-p6e-gb200x72",
    }
    workers = open_stack(ROOT, "hyperpod-p6e-gb200").derive().group("workers").described
    assert isinstance(workers.capacity.held, TrainingPlan)
    assert workers.ultraserver is ultraservers()["u-p6e-gb200x72"]
