"""Laws of the hardware catalogue, and numbers that documents state independently of it."""

import re

import pytest

from muster.hardware.catalogue import Accelerator, Hardware, UnknownInstance, hardware, instance_types
from muster.hardware.tables import read_table

every_type = pytest.mark.parametrize(
    "machine", [hardware(name) for name in instance_types()], ids=lambda machine: machine.instance
)


@every_type
def test_max_pods_follow_from_card_0(machine: Hardware) -> None:
    """Interfaces of card 0 x (addresses - 1) + 2, as nodeadm and the EKS guide count."""
    if None in (machine.enis_card0, machine.ipv4_per_eni):
        assert machine.max_pods is None
    else:
        assert machine.max_pods == machine.need("enis_card0") * (machine.need("ipv4_per_eni") - 1) + 2


@every_type
def test_efa_cards_are_cards(machine: Hardware) -> None:
    assert set(machine.efa_cards) <= set(range(machine.network_cards))
    assert list(machine.efa_cards) == sorted(set(machine.efa_cards))


@every_type
def test_one_efa_interface_for_every_card_that_takes_one(machine: Hardware) -> None:
    assert machine.max_efa == len(machine.efa_cards)


@every_type
def test_only_types_with_several_cards_have_limits_for_the_others(machine: Hardware) -> None:
    if machine.network_cards == 1:
        assert machine.enis_other_cards is None


@every_type
def test_accelerators(machine: Hardware) -> None:
    assert (machine.accelerators > 0) == (machine.accelerator is not Accelerator.NONE)
    assert (machine.neuron_cores > 0) == (machine.accelerator is Accelerator.NEURON)
    assert bool(machine.accelerator_model) == (machine.accelerators > 0)
    assert (machine.resource_name is None) == (machine.accelerators == 0)


@every_type
def test_plain_numbers(machine: Hardware) -> None:
    assert re.fullmatch(r"[a-z0-9-]+\.([0-9]*x?large|metal)", machine.instance)
    assert machine.architecture in ("x86_64", "arm64")
    assert machine.vcpus > 0
    assert machine.vcpus % machine.threads_per_core == 0
    assert machine.memory_mib % 1024 == 0
    assert machine.network_gbps > 0
    assert machine.network_cards >= 1
    assert machine.capacity_block in ("true", "false", "ultraserver-only")


@every_type
def test_every_group_of_columns_names_its_source(machine: Hardware) -> None:
    assert all(machine.sources.values())


@pytest.mark.parametrize("row", read_table("catalogue.csv"), ids=lambda row: row["instance_type"])
def test_what_software_says_of_a_type_names_its_source(row: dict[str, str]) -> None:
    assert row["source_topology"]
    columns = (row["image_line"], row["parallelcluster_refuses"], row["efa_lookalikes"] != "0")
    assert bool(row["source_software"]) == (any(columns) or row["nccl_copies_by_cuda"] == "true")


@every_type
def test_a_pod_can_have_all_neuron_devices(machine: Hardware) -> None:
    if machine.neuron_parts:
        assert list(machine.neuron_parts) == sorted(set(machine.neuron_parts))
        assert machine.neuron_parts[-1] == machine.accelerators


def test_types_of_one_image_line_need_the_same() -> None:
    needs = {each for name in instance_types() if (each := hardware(name).image_needs)}
    assert len({each.line for each in needs}) == len(needs)


@every_type
def test_disks_add_up(machine: Hardware) -> None:
    """``8x3800`` is what `nvme_gb` says in all."""
    if machine.nvme_disks:
        count, _, each = machine.nvme_disks.partition("x")
        assert int(count) * int(each) == machine.nvme_gb


def test_no_type_stands_twice() -> None:
    assert len(set(instance_types())) == len(instance_types())


@pytest.mark.parametrize(
    ("instance", "efa"),
    [
        ("p4d.24xlarge", 4),
        ("p4de.24xlarge", 4),
        ("p5.48xlarge", 32),
        ("p5e.48xlarge", 32),
        ("p5en.48xlarge", 16),
        ("p6-b200.48xlarge", 8),
        ("p6-b300.48xlarge", 16),
        ("trn1.32xlarge", 8),
        ("trn1n.32xlarge", 16),
        ("trn2.48xlarge", 16),
        ("g5.8xlarge", 1),
        ("g5.48xlarge", 1),
        ("trn1.2xlarge", 0),
        ("c5.2xlarge", 0),
    ],
)
def test_efa_as_hyperpods_command_line_lists_it(instance: str, efa: int) -> None:
    assert hardware(instance).max_efa == efa


def test_unknown_hardware_is_an_error_that_helps() -> None:
    with pytest.raises(UnknownInstance) as refusal:
        hardware("p5.84xlarge")
    assert str(refusal.value) == (
        "'p5.84xlarge' is not in the hardware catalogue; did you mean 'p5.48xlarge'? "
        "`muster hardware` lists the types, a new one is a row of muster/hardware/catalogue.csv"
    )


@pytest.mark.parametrize("instance", ["c7g.4xlarge", "t3.medium", "r6i.48xlarge"])
def test_a_type_without_accelerators_is_no_misspelt_one_with_some(instance: str) -> None:
    """`c7g.4xlarge` exists; near `g6.48xlarge` by its letters, it is not what that was meant to be."""
    with pytest.raises(UnknownInstance) as refusal:
        hardware(instance)
    assert "did you mean" not in str(refusal.value)


@pytest.mark.parametrize("instance", instance_types())
def test_a_type_without_its_dot_is_that_type(instance: str) -> None:
    """Where the family's other sizes are no hint: what is nearest by its letters is offered, and nothing else."""
    with pytest.raises(UnknownInstance) as refusal:
        hardware(instance.replace(".", ""))
    assert re.findall(r"'([^']+)'", str(refusal.value)) == [instance.replace(".", ""), instance]


def test_of_a_family_alone_its_types_are_offered() -> None:
    """All of them, in the table's order."""
    with pytest.raises(UnknownInstance) as refusal:
        hardware("P4")
    assert "did you mean" not in str(refusal.value), "there is no p4"
    for family in {each.partition(".")[0] for each in instance_types()}:
        sizes = [each for each in instance_types() if each.startswith((f"{family}.", f"{family}-"))]
        with pytest.raises(UnknownInstance) as refusal:
            hardware(family)
        offered = " or ".join(f"'{each}'" for each in sizes)
        assert str(refusal.value).startswith(
            f"'{family}' is not in the hardware catalogue; did you mean {offered}? `muster hardware` lists"
        )
