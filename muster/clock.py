"""Today: the only place that reads the clock."""

import os
from datetime import date

VARIABLE = "MUSTER_AS_OF"
"""The day to judge by instead, where no `--as-of` can be given (the engine), so that no test fails as time passes."""


def today() -> date:
    """Today, or the day that MUSTER_AS_OF names.

    Raises:
        ValueError: MUSTER_AS_OF is not a date; the message says so in words.
    """
    given = os.environ.get(VARIABLE)
    if not given:
        return date.today()
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise ValueError(f"{VARIABLE} is '{given}', which is not a date; write one as in 2026-12-31") from None
