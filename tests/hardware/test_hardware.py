"""Laws of the hardware catalogue, and numbers that documents state independently of it."""

import re
import tomllib

import pytest

from muster.hardware.catalogue import (
    Accelerator,
    Hardware,
    UnknownInstance,
    accelerated_types,
    hardware,
    instance_types,
)
from muster.hardware.tables import read_text
from tests.hardware_types import EVERY_TYPE, every


def test_one_type_has_no_known_pods() -> None:
    assert [each for each in instance_types() if hardware(each).max_pods is None] == ["p6e-gb200.36xlarge"]


@every(EVERY_TYPE)
def test_only_types_with_several_cards_have_limits_for_the_others(machine: Hardware) -> None:
    if machine.network_cards == 1:
        assert machine.enis_other_cards is None


@every(EVERY_TYPE)
def test_accelerators(machine: Hardware) -> None:
    assert (machine.accelerators > 0) == (machine.accelerator is not Accelerator.NONE)
    assert (machine.neuron_cores > 0) == (machine.accelerator is Accelerator.NEURON)
    assert bool(machine.accelerator_model) == (machine.accelerators > 0)
    assert (machine.resource_name is None) == (machine.accelerators == 0)


@every(EVERY_TYPE)
def test_plain_numbers(machine: Hardware) -> None:
    assert re.fullmatch(r"[a-z0-9-]+\.(nano|micro|small|medium|[0-9]*x?large|metal(-[0-9]+xl)?)", machine.instance)
    assert machine.architecture.removesuffix("_mac") in ("x86_64", "arm64")
    assert machine.vcpus > 0
    assert machine.vcpus % machine.threads_per_core == 0
    assert machine.network_gbps > 0
    assert machine.network_cards >= 1
    assert machine.capacity_block in ("true", "false", "ultraserver-only")


@every(EVERY_TYPE)
def test_every_group_of_columns_names_its_source(machine: Hardware) -> None:
    assert all(machine.sources.values())


def test_every_addition_names_its_source() -> None:
    """And adds something that EC2's answer lacks, or replaces it."""
    for name, added in tomllib.loads(read_text("ec2_types_overlay.toml")).items():
        assert added["sources"], name
        assert len(added) > 1, name
        families = {each.partition(".")[0] for each in instance_types()}
        assert name in (instance_types() if "." in name else families), "nothing uses it"


@every(EVERY_TYPE)
def test_a_pod_can_have_all_neuron_devices(machine: Hardware) -> None:
    torus = {"trn1.32xlarge", "trn1n.32xlarge"}
    assert bool(machine.neuron_parts) == (machine.instance in torus), "Neuron guide: of Trainium2 it says nothing"
    if machine.neuron_parts:
        assert machine.neuron_parts == (1, 4, 8, 16)
        assert machine.neuron_parts[-1] == machine.accelerators


def test_types_of_one_image_line_need_the_same() -> None:
    needs = {each for name in accelerated_types() if (each := hardware(name).image_needs)}
    assert len({each.line for each in needs}) == len(needs)


@every(EVERY_TYPE)
def test_disks_add_up(machine: Hardware) -> None:
    """``8x3800`` is what `nvme_gb` says in all."""
    if machine.nvme_disks:
        count, _, each = machine.nvme_disks.partition("x")
        assert int(count) * int(each) == machine.nvme_gb


def test_no_type_stands_twice() -> None:
    assert len(set(instance_types())) == len(instance_types())


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("p5.24xlarge", "p5 has 4xlarge, 48xlarge"),
        ("m5.3xlarge", "m5 has large, xlarge, 2xlarge, 4xlarge, 8xlarge, 12xlarge, 16xlarge, 24xlarge, metal"),
        ("p5", "p5 is a family: add a size, one of 4xlarge, 48xlarge"),
        ("P5EN.48xlarge", "did you mean 'p5en.48xlarge'?"),
        ("dl1.foo", "`muster hardware --all` lists the types"),
        ("p5.48xlarge,x86_64", "p5 has 4xlarge, 48xlarge"),
        ("ml.p5.48xlage", "did you mean 'p5.48xlarge'?"),
        ("ml.p5.48xlarge", "did you mean 'p5.48xlarge'?"),
        ("nonsense", "`muster hardware --all` lists the types"),
        ("", "`muster hardware --all` lists the types"),
        ("p5.48xlarge\np5.48xlarge", "p5 has 4xlarge, 48xlarge"),
    ],
)
def test_what_an_unknown_type_may_have_been_meant_as(word: str, hint: str) -> None:
    """Another size is another machine at another price: it is listed, and not offered as a misspelling."""
    with pytest.raises(UnknownInstance) as refusal:
        hardware(word)
    assert str(refusal.value) == f"'{word}' is not an instance type that Muster knows; {hint}"


@every(instance_types())
def test_a_type_without_its_dot_is_that_type(instance: str) -> None:
    with pytest.raises(UnknownInstance, match=re.escape(f"did you mean '{instance}'?")):
        hardware(instance.replace(".", ""))


def test_a_type_that_only_ec2s_model_has_is_told_apart() -> None:
    with pytest.raises(UnknownInstance, match="is an EC2 instance type, but Muster has no source for its vCPUs"):
        hardware("dl1.24xlarge")
