"""Amounts of resources in words."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from muster.cli.amounts import amount, amounts, is_device, short_name

_FACTORS = {"": 1, "Ki": 2**10, "Mi": 2**20}


@pytest.mark.parametrize(
    ("resource", "number", "said"),
    [
        ("memory", 33554432000, "32000Mi"),
        ("hugepages-2Mi", 10256 * 2**20, "10256Mi"),
        ("ephemeral-storage", 2**40, "1048576Mi"),
        ("memory", 2**20 + 2**10, "1025Ki"),
        ("memory", 1000, "1000"),
        ("memory", 0, "0"),
        ("cpu", 7910, "7910m"),
        ("cpu", 8000, "8"),
        ("cpu", 0, "0"),
        ("nvidia.com/gpu", 8, "8"),
        ("vpc.amazonaws.com/efa", 1048576, "1048576"),
        ("pods", 51, "51"),
    ],
)
def test_an_amount_reads_as_kubernetes_writes_it(resource, number, said):
    """Milli-CPUs, mebibytes, pieces."""
    assert amount(resource, number) == said


@given(st.sampled_from(("memory", "hugepages-1Gi", "ephemeral-storage")), st.integers(-(2**60), 2**60))
def test_no_byte_is_rounded_away(resource, number):
    """What is said is what is meant."""
    said = amount(resource, number)
    digits = said.rstrip("KMi")
    assert int(digits) * _FACTORS[said[len(digits) :]] == number


@given(st.sampled_from(("cpu", "memory", "nvidia.com/gpu")), st.lists(st.integers(0, 2**40), min_size=1))
def test_amounts_beside_each_other_have_one_unit(resource, numbers):
    """Else 8 beside 7910m looks like less."""
    assume(any(numbers))
    said = amounts(resource, *numbers)
    assert len({each.lstrip("0123456789") for each, number in zip(said, numbers, strict=True) if number}) == 1
    assert [each == "0" for each in said] == [number == 0 for number in numbers]


def test_whole_cpus_beside_broken_ones_are_milli_cpus():
    """The finest of them decides."""
    assert amounts("cpu", 8000, 7910, 0) == ("8000m", "7910m", "0")
    assert amounts("memory", 2**20, 2**10) == ("1024Ki", "1Ki")


def test_devices_are_what_plugins_offer():
    """Everything that comes in pieces, but pods."""
    named = ("nvidia.com/gpu", "vpc.amazonaws.com/efa", "cpu", "memory", "pods", "hugepages-2Mi", "ephemeral-storage")
    assert [name for name in named if is_device(name)] == ["nvidia.com/gpu", "vpc.amazonaws.com/efa"]


def test_people_say_gpu():
    """And the resource's own name where there is no short one."""
    assert (short_name("nvidia.com/gpu"), short_name("example.com/fpga")) == ("GPU", "example.com/fpga")
