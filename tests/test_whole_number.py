"""The one function that reads numbers."""

from math import inf, nan
from typing import Any

import pytest

from muster.whole_number import version_numbers, whole_number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        *(("12", 12), ("-1", -1), ("+1", 1), ("007", 7), ("9" * 18, 10**18 - 1), (3, 3), (3.0, 3), (10**30, 10**30)),
        *((each, None) for each in ("²", "٣", "9" * 19, "9" * 5_000, "1_0", "1e3", " 1", "1\n", "", "0x1", "nan")),
        *((each, None) for each in (True, None, 1.5, inf, -inf, nan, {"a": 1}, [1])),
    ],
)
def test_values(value: Any, number: int | None) -> None:
    assert whole_number(value) == number


def test_the_least_number() -> None:
    assert (whole_number("0", 1), whole_number("1", 1), whole_number(-1, 0)) == (None, 1, None)


@pytest.mark.parametrize(
    ("text", "numbers"), [("1.31", (1, 31)), ("1", (1,)), ("1.", ()), ("1.²", ()), ("v1.2", ()), (1.3, ()), ("", ())]
)
def test_versions(text: object, numbers: tuple[int, ...]) -> None:
    assert version_numbers(text) == numbers
