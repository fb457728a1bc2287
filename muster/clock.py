"""Today: the only place that reads the clock."""

import os
from datetime import UTC, date, datetime, time

from muster.finding import WrongInput

VARIABLE = "MUSTER_AS_OF"
"""The day to judge by instead, where no `--as-of` can be given (the engine), so that no test fails as time passes."""


def is_set() -> bool:
    """Whether MUSTER_AS_OF names the day."""
    return bool(os.environ.get(VARIABLE))


def today() -> date:
    """Today in UTC, or the day that MUSTER_AS_OF names.

    In UTC, not in the machine's time zone: AWS's calendars, and the hour at which Capacity Blocks change (11:30), are
    in UTC, and a description gets the same result on a laptop and in CI.

    Raises:
        WrongInput: MUSTER_AS_OF is not a date.
    """
    given = os.environ.get(VARIABLE)
    if not given:
        return datetime.now(UTC).date()
    try:
        return date.fromisoformat(given)
    except ValueError:
        raise WrongInput(f"{VARIABLE} is '{given}', which is not a date; write one as in 2026-12-31") from None


def now() -> datetime:
    """This moment in UTC, without its fraction; the beginning of the day that MUSTER_AS_OF names.

    Raises:
        WrongInput: as `today`.
    """
    return datetime.combine(today(), time.min, UTC) if is_set() else datetime.now(UTC).replace(microsecond=0)
