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
        ("5120", "5120 has no unit"),
        *((text, f"'{text}' is not a size") for text in ("300GB", "300M", "5128 pages", "1.5GiB", "-1GiB", "")),
    ],
)
def test_refusals(text: str, refusal: str) -> None:
    with pytest.raises(ValueError) as said:
        Size.parse(text)
    assert str(said.value).startswith(f"{refusal}; write ")


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
