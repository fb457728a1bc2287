"""Kubernetes' quantities: every form they are written in, exact, rounded up where they are counted."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from muster.kubernetes_quantity import MOST, Quantity

UNITS = {
    "n": Fraction(1, 10**9),
    "u": Fraction(1, 10**6),
    "m": Fraction(1, 1000),
    "": 1,
    "k": 10**3,
    "M": 10**6,
    "G": 10**9,
    "T": 10**12,
    "P": 10**15,
    "E": 10**18,
    "Ki": 2**10,
    "Mi": 2**20,
    "Gi": 2**30,
    "Ti": 2**40,
    "Pi": 2**50,
    "Ei": 2**60,
}
units = st.sampled_from(sorted(UNITS))


@given(st.integers(0, 10**6), st.integers(0, 999), units)
def test_a_number_times_its_unit(whole: int, thousandths: int, unit: str) -> None:
    """Every unit, with and without a fraction; what is beyond 64 bits is all there is."""
    exact = (whole + Fraction(thousandths, 1000)) * UNITS[unit]
    expected = min(MOST * 10**9, -(-exact * 10**9 // 1))
    assert Quantity.parse(f"{whole}.{thousandths:03}{unit}").nano == expected


@given(st.integers(-(10**9), 10**9), st.integers(-8, 8))
def test_exponents(number: int, power: int) -> None:
    """`1e3` and `1E3` are a thousand; `1E` alone is an exa."""
    for letter in "eE":
        assert Quantity.parse(f"{number}{letter}{power}").nano == number * Fraction(10) ** (power + 9)


@given(st.integers(0, 10**15))
def test_counting_rounds_up(nano: int) -> None:
    """Whoever asks for a part of one gets one, as the scheduler counts."""
    quantity = Quantity(nano)
    assert (quantity.milli - 1) * 10**6 < nano <= quantity.milli * 10**6
    assert (quantity.whole - 1) * 10**9 < nano <= quantity.whole * 10**9


@given(st.integers(0, 2**62), st.integers(0, 2**62))
def test_they_are_ordered_as_amounts_are(one: int, other: int) -> None:
    """More is more, whatever it is written in."""
    assert (Quantity.parse(str(one)) < Quantity.parse(str(other))) == (one < other)


@pytest.mark.parametrize(
    ("written", "nano"),
    [
        ("0", 0),
        (0.5, 500_000_000),
        (2, 2 * 10**9),
        ("1.", 10**9),
        (".5", 500_000_000),
        ("+5m", 5_000_000),
        ("-1", -(10**9)),
        ("1e3", 10**12),
        ("1E3", 10**12),
        ("1E", 10**27),
        ("191450m", 191450 * 10**6),
        ("2k", 2 * 10**12),
        ("1Gi", 2**30 * 10**9),
        ("5n", 5),
        ("0.1n", 1),
        ("1e-30", 1),
        ("9Ei", MOST * 10**9),
        ("1e99999", MOST * 10**9),
        (10**30, MOST * 10**9),
        (-(10**30), -MOST * 10**9),
        (1e-07, 100),
    ],
)
def test_forms(written: object, nano: int) -> None:
    """As `ParseQuantity` reads them: cut off at 64 bits, rounded away from zero to a billionth."""
    assert Quantity.parse(written).nano == nano


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("32 Gi", "'32 Gi' is not an amount; write a number with a unit of Kubernetes, as in 500m, 2, 32000Mi"),
        ("", "'' is not an amount"),
        ("eight", "'eight' is not an amount"),
        ("--1", "'--1' is not an amount"),
        ("1" * 100, "1...' is not an amount"),
        (None, "nothing is not an amount"),
        (True, "true is not an amount"),
        ([], "a list is not an amount"),
        (float("nan"), "nan is not an amount"),
        (float("inf"), "inf is not an amount"),
        *((f"1{unit}", f"'{unit}' is not a unit of Kubernetes") for unit in ("GB", "GiB", "gi", "K", "e")),
        ("32x", "'x' is not a unit of Kubernetes; the units are n, u, m, k, M, G, T, P, E, Ki, Mi, Gi, Ti, Pi, Ei"),
    ],
)
def test_refusals(written: object, said: str) -> None:
    with pytest.raises(ValueError) as refused:
        Quantity.parse(written)
    assert said in str(refused.value)


@pytest.mark.parametrize(("length", "is_one"), [(64, True), (65, False)])
def test_an_amount_of_so_many_digits_is_none(length: int, is_one: bool) -> None:
    """The most that anything can be is beyond 64 of them long since."""
    try:
        assert Quantity.parse("1" * length).nano == MOST * 10**9
    except ValueError:
        assert not is_one
    else:
        assert is_one


@given(st.one_of(st.text(max_size=80), st.integers(), st.floats(), st.none(), st.lists(st.integers(), max_size=2)))
def test_nothing_else_is_raised(written: object) -> None:
    """Any value is an amount or a ValueError."""
    try:
        assert -MOST * 10**9 <= Quantity.parse(written).nano <= MOST * 10**9
    except ValueError as fault:
        assert str(fault)
