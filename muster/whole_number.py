"""The one function that turns a value of a user's file into a number.

Python's own are too generous: `int` reads digits of any script and fails on 4,301 of them, `float` reads `nan`, `inf`
and `1_000`, and `"²".isdigit()` is true.
"""

import re
from math import isfinite

_FORM = re.compile(r"[-+]?[0-9]{1,18}")


def whole_number(value: object) -> int | None:
    """The whole number that a value is, or that a text of at most 18 ASCII digits writes; None for everything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if isfinite(value) and value.is_integer() else None
    if isinstance(value, str):
        return int(value) if _FORM.fullmatch(value) else None
    return value if isinstance(value, int) else None
