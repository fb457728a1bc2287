"""How self-managed groups leave a block before it ends."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.policies.capacity_blocks import NEXT, NOW, WAITING, described, known, theirs
from tests.policies.case import cases


def drained(*moments: str, **more: Any) -> Fleet:
    return described(**{**NOW, "managed": False, "zero_at": tuple(moments), "facts": known(), **more})


cases(
    drained_an_hour_before_the_end=lambda: drained("2026-11-28T10:30:00Z"),
    nothing_to_drain_where_there_are_no_nodes=lambda: drained(nodes_start=0),
    # Half past ten, in UTC.
    drained_in_time_by_a_clock_of_elsewhere=lambda: drained("2026-11-28T12:30:00+02:00"),
    # Then it is UTC's.
    drained_in_time_by_no_clock_that_is_named=lambda: drained("2026-11-28T10:30:00"),
    drained_just_in_time=lambda: drained("2026-11-28T10:57:00Z"),
    drained_so_that_two_minutes_late_is_too_late=lambda: drained("2026-11-28T10:58:00Z"),
    not_drained_while_it_is_not_active=lambda: described(**NEXT, managed=False, facts=known(**WAITING)),
    drained_at_no_time_that_anyone_could_read=lambda: drained("next week"),
    drained_after_the_end_that_aws_knows=lambda: drained(
        "2026-11-28T10:30:00Z", facts=known(end="2026-11-27T11:30:00Z")
    ),
    never_drained=lambda: drained(),
)


FOREIGN = {"managed": False, "capacity_type": None}
ENDLESS = known(end=None)


cases(
    a_foreign_group_that_is_never_drained=lambda: theirs(**FOREIGN, facts=ENDLESS),
    a_foreign_group_drained_too_late=lambda: theirs(**FOREIGN, zero_at=("2026-11-28T11:15:00Z",)),
    a_foreign_group_whose_block_ends_nobody_knows_when=lambda: theirs(
        **FOREIGN, facts=ENDLESS, zero_at=("2026-11-28T10:30:00Z",)
    ),
    a_schedule_not_yet_known=lambda: theirs(**FOREIGN, zero_at=UNKNOWN),
)


GB200 = {"instance": "p6e-gb200.36xlarge", "interfaces": ()}


cases(
    ultraservers_drained_an_hour_before_the_end=lambda: theirs(
        **FOREIGN, template=GB200, facts=known(instanceType="p6e-gb200.36xlarge"), zero_at=("2026-11-28T10:30:00Z",)
    ),
    ultraservers_drained_90_minutes_before_the_end=lambda: theirs(
        **FOREIGN, template=GB200, facts=known(instanceType="p6e-gb200.36xlarge"), zero_at=("2026-11-28T10:00:00Z",)
    ),
)
