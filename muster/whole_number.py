"""The one function that turns a value of a user's file into a number.

Python's own are too generous: `int` reads digits of any script and fails on 4,301 of them, `float` reads `nan`, `inf`
and `1_000`, and `"²".isdigit()` is true.
"""

import re

_FORM = re.compile(r"[-+]?[0-9]{1,19}")
_SIGNS = "+-"


def whole_number(value: object, least: int = -(10**19), *, digits: int = 18) -> int | None:
    """The whole number that a value is, or that a text of at most 18 ASCII digits (or `digits`) writes; None for
    everything else, for a float of more digits, and for a number below the least one."""
    if isinstance(value, str):
        number = int(value) if _FORM.fullmatch(value) and len(value.lstrip(_SIGNS)) <= digits else None
    elif isinstance(value, float):
        number = int(value) if abs(value) < 10**digits and value.is_integer() else None
    else:
        number = value if isinstance(value, int) and not isinstance(value, bool) else None
    return None if number is None or number < least else number


def version_numbers(version: object) -> tuple[int, ...]:
    """``1.31`` -> (1, 31); empty for anything but whole numbers with dots between them."""
    numbers = [whole_number(each) for each in version.split(".")] if isinstance(version, str) else []
    return tuple(each for each in numbers if each is not None) if None not in numbers else ()
