"""Amounts of resources: counted, and in words."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from muster.kubernetes_quantity import (
    Quantity,
    base_units,
    format_amount,
    format_amounts,
    format_with_resource,
    is_device,
)

_FACTORS = {"": 1, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30}


@pytest.mark.parametrize(
    ("resource", "number", "said"),
    [
        ("memory", 33554432000, "32000Mi"),
        ("hugepages-2Mi", 10256 * 2**20, "10256Mi"),
        ("ephemeral-storage", 2**40, "1024Gi"),
        ("memory", 4 * 2**30, "4Gi"),
        ("hugepages-2Mi", 2**21, "2Mi"),
        ("storage", 3 * 2**19, "1536Ki"),
        ("memory", 2**20 + 2**10, "1025Ki"),
        ("memory", 1000, "1000"),
        ("memory", 0, "0"),
        ("cpu", 7910, "7910m"),
        ("cpu", 8000, "8"),
        ("cpu", 500, "500m"),
        ("cpu", 0, "0"),
        ("nvidia.com/gpu", 8, "8"),
        ("vpc.amazonaws.com/efa", 1048576, "1048576"),
        ("pods", 51, "51"),
    ],
)
def test_an_amount_reads_as_kubernetes_writes_it(resource, number, said):
    """Milli-CPUs, bytes in the coarsest unit that says them exactly, pieces."""
    assert format_amount(resource, number) == said


@given(st.sampled_from(("memory", "hugepages-1Gi", "ephemeral-storage")), st.integers(-(2**60), 2**60))
def test_no_byte_is_rounded_away(resource, number):
    """What is said is what is meant."""
    said = format_amount(resource, number)
    digits = said.rstrip("KMGi")
    assert int(digits) * _FACTORS[said[len(digits) :]] == number


@given(st.sampled_from(("cpu", "memory", "nvidia.com/gpu")), st.lists(st.integers(0, 2**40), min_size=1))
def test_amounts_beside_each_other_have_one_unit(resource, numbers):
    """Else 8 beside 7910m looks like less."""
    assume(any(numbers))
    said = format_amounts(resource, *numbers)
    assert len({each.lstrip("0123456789") for each, number in zip(said, numbers, strict=True) if number}) == 1
    assert [each == "0" for each in said] == [number == 0 for number in numbers]


def test_whole_cpus_beside_broken_ones_are_milli_cpus():
    """The finest of them decides."""
    assert format_amounts("cpu", 8000, 7910, 0) == ("8000m", "7910m", "0")
    assert format_amounts("memory", 2**20, 2**10) == ("1024Ki", "1Ki")
    assert format_amounts("memory", 2**30, 32000 * 2**20) == ("1024Mi", "32000Mi")


@given(st.sampled_from(("cpu", "memory", "hugepages-2Mi", "nvidia.com/gpu")), st.integers(0, 2**62))
def test_what_is_said_is_counted_as_what_was_meant(resource, number):
    """Whoever reads an amount again has the same one."""
    assert base_units(resource, Quantity.parse(format_amount(resource, number))) == number


def test_a_part_of_one_counts_as_one():
    """As the scheduler counts."""
    assert [base_units(each, Quantity.parse("0.1m")) for each in ("cpu", "memory", "nvidia.com/gpu")] == [1, 1, 1]
    assert (base_units("cpu", Quantity.parse("1.5")), base_units("pods", Quantity.parse("1.5"))) == (1500, 2)


def test_an_amount_with_its_resource():
    """Devices are counted, everything else is some of it."""
    assert [format_with_resource(each, 2**31) for each in ("memory", "hugepages-2Mi")] == [
        "2Gi of memory",
        "2Gi of hugepages-2Mi",
    ]
    assert (format_with_resource("cpu", 500), format_with_resource("nvidia.com/gpu", 8)) == (
        "500m of cpu",
        "8 nvidia.com/gpu",
    )


def test_devices_are_what_plugins_offer():
    """Everything that comes in pieces, but pods."""
    named = ("nvidia.com/gpu", "vpc.amazonaws.com/efa", "cpu", "memory", "pods", "hugepages-2Mi", "ephemeral-storage")
    assert [name for name in named if is_device(name)] == ["nvidia.com/gpu", "vpc.amazonaws.com/efa"]
