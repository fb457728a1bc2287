"""Sizes: a number and a unit, always."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from muster.size import Size

SIZE = TypeAdapter(Size)
mebibytes = st.integers(0, 10**9 - 1)


@given(mebibytes)
def test_what_is_printed_is_read_back(mib: int) -> None:
    assert Size.parse(str(Size(mib))) == Size(mib)
    assert Size.parse(Size(mib).kubernetes) == Size(mib)


@given(
    st.integers(0, 10**6),
    st.sampled_from([("Mi", 1), ("MiB", 1), ("Gi", 2**10), ("GiB", 2**10), ("Ti", 2**20), ("TiB", 2**20)]),
)
def test_units(number: int, unit: tuple[str, int]) -> None:
    name, mib = unit
    assert Size.parse(f"{number}{name}") == Size.parse(f" {number} {name} ") == Size(number * mib)


@pytest.mark.parametrize(
    ("decimal", "binary"),
    [("M", "MiB"), ("MB", "MiB"), ("G", "GiB"), ("GB", "GiB"), ("T", "TiB"), ("TB", "TiB"), ("t", "TiB")],
)
def test_a_decimal_unit_is_answered_with_its_binary_one(decimal: str, binary: str) -> None:
    """Whoever writes GB means GiB here: nothing below counts in powers of ten."""
    with pytest.raises(ValueError, match=f"'{decimal}' is not a supported unit; write 300{binary} \\(sizes are"):
        Size.parse(f"300{decimal}")


@given(mebibytes, mebibytes)
def test_sizes_are_ordered_as_amounts_are(one: int, other: int) -> None:
    assert (Size(one) < Size(other)) == (one < other)


@given(mebibytes)
def test_whole_gibibytes_only(mib: int) -> None:
    if mib % 1024:
        with pytest.raises(ValueError, match="is not a whole number of GiB"):
            _ = Size(mib).gib
    else:
        assert Size(mib).gib * 1024 == mib


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("5120", "5120 has no unit; write a size, as in 10256MiB"),
        ("300GB", "'GB' is not a supported unit; write 300GiB (sizes are binary, as in EBS and Kubernetes)"),
        ("300M", "'M' is not a supported unit; write 300MiB (sizes are binary, as in EBS and Kubernetes)"),
        ("300gib", "'gib' is not a supported unit; write 300GiB"),
        ("300gb", "'gb' is not a supported unit; write 300GiB (sizes are binary, as in EBS and Kubernetes)"),
        ("5128 pages", "'pages' is not a supported unit; write a size, as in 10256MiB"),
        ("1.5GiB", "'1.5GiB' is not a whole number; write 1500MiB"),
        ("-1GiB", "'-1GiB' is not a size; write a whole number and a unit, as in 300GiB"),
        ("", "'' is not a size; write a whole number and a unit, as in 300GiB"),
    ],
)
def test_refusals(text: str, refusal: str) -> None:
    with pytest.raises(ValueError) as said:
        Size.parse(text)
    assert str(said.value) == refusal


@pytest.mark.parametrize("value", [True, None, 1.5, [], {}])
def test_only_text_is_a_size(value: object) -> None:
    with pytest.raises(ValidationError, match="a size is text with a unit, as in 300GiB"):
        SIZE.validate_python(value)


def test_a_bare_number_lacks_its_unit() -> None:
    """`hugepages-2Mi: 256` cost somebody a day (aws-neuron-sdk#109)."""
    with pytest.raises(ValidationError, match="256 has no unit"):
        SIZE.validate_python(256)


@given(mebibytes)
def test_a_size_survives_a_dump(mib: int) -> None:
    assert SIZE.validate_python(SIZE.dump_python(Size(mib), mode="json")) == Size(mib)
