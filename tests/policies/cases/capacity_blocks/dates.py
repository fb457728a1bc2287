"""How long blocks last, and from when."""

from typing import Any

from muster.fleet.resources import Fleet
from tests.policies.capacity_blocks import described, known
from tests.policies.case import cases


def lasting(starts: str, ends: str, **more: Any) -> Fleet:
    times = {"start": f"{starts}T11:30:00Z", "end": f"{ends}T11:30:00Z"}
    state = {} if more.get("active") else {"state": "scheduled"}
    return described(starts=starts, ends=ends, facts=known(**times, **state), **more)


cases(
    # It was extended, by a day.
    # That it has ended is no news.
    active_before_it_starts=lambda: lasting("2026-11-22", "2026-11-29", active=True),
)


EXTENDED = known(end="2026-12-05T11:30:00Z")
OUT_OF_DATE = {"starts": "2026-11-14", "ends": "2026-11-21"}


cases(
    an_extended_block_that_is_not_said_to_run=lambda: described(**OUT_OF_DATE, facts=EXTENDED),
)
