"""The one function that turns a value of a user's file into a number.

Python's own are too generous: `int` reads digits of any script and fails on 4,301 of them, `float` reads `nan`, `inf`
and `1_000`, and `"²".isdigit()` is true.
"""

import re

_FORM = re.compile(r"[-+]?[0-9]{1,19}")
_END = 2**63


def whole_number(value: object, least: int = -_END) -> int | None:
    """The whole number that a value is, or that a text of ASCII digits writes; None for everything else, for a text or
    a float of more than 64 bits, and for a number below the least one."""
    if isinstance(value, str):
        number = int(value) if _FORM.fullmatch(value) else _END
    elif isinstance(value, float):
        number = int(value) if abs(value) < _END and value.is_integer() else _END
    else:
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= least else None
    return number if least <= number < _END else None


def version_numbers(version: object) -> tuple[int, ...]:
    """``1.31`` -> (1, 31); empty for anything but whole numbers with dots between them."""
    numbers = [whole_number(each) for each in version.split(".")] if isinstance(version, str) else []
    return tuple(each for each in numbers if each is not None) if None not in numbers else ()
