"""How self-managed groups leave a block before it ends."""

from typing import Any

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.policies.capacity_blocks import BLOCK, NEXT, NOW, RULE, WAITING, WORKERS, described, known, theirs
from tests.policies.case import case


def drained(*moments: str, **more: Any) -> Fleet:
    return described(**{**NOW, "managed": False, "zero_at": tuple(moments), "facts": known(), **more})


@case()
def drained_an_hour_before_the_end() -> Fleet:
    return drained("2026-11-28T10:30:00Z")


@case()
def nothing_to_drain_where_there_are_no_nodes() -> Fleet:
    return drained(nodes_start=0)


@case()
def drained_in_time_by_a_clock_of_elsewhere() -> Fleet:
    """Half past ten, in UTC."""
    return drained("2026-11-28T12:30:00+02:00")


@case()
def drained_in_time_by_no_clock_that_is_named() -> Fleet:
    """Then it is UTC's."""
    return drained("2026-11-28T10:30:00")


@case()
def drained_just_in_time() -> Fleet:
    return drained("2026-11-28T10:57:00Z")


@case(f"{RULE}-drained @ {BLOCK}.ends")
def drained_so_that_two_minutes_late_is_too_late() -> Fleet:
    return drained("2026-11-28T10:58:00Z")


@case()
def not_drained_while_it_is_not_active() -> Fleet:
    return described(**NEXT, managed=False, facts=known(**WAITING))


@case(f"{RULE}-drained @ {BLOCK}.ends")
def drained_at_no_time_that_anyone_could_read() -> Fleet:
    return drained("next week")


@case(f"{RULE}-drained @ {BLOCK}.ends")
def drained_after_the_end_that_aws_knows() -> Fleet:
    return drained("2026-11-28T10:30:00Z", facts=known(end="2026-11-27T11:30:00Z"))


@case(f"{RULE}-drained @ {BLOCK}.ends")
def never_drained() -> Fleet:
    return drained()


FOREIGN = {"managed": False, "capacity_type": None}
ENDLESS = known(end=None)


@case(f"{RULE}-drained @ {BLOCK}.ends")
def a_foreign_group_that_is_never_drained() -> Fleet:
    return theirs(**FOREIGN, facts=ENDLESS)


@case(f"{RULE}-drained @ {BLOCK}.ends")
def a_foreign_group_drained_too_late() -> Fleet:
    return theirs(**FOREIGN, zero_at=("2026-11-28T11:15:00Z",))


@case(unjudged=(f"{RULE}-drained @ {WORKERS}",))
def a_foreign_group_whose_block_ends_nobody_knows_when() -> Fleet:
    return theirs(**FOREIGN, facts=ENDLESS, zero_at=("2026-11-28T10:30:00Z",))


@case(unjudged=(f"{RULE}-drained @ {WORKERS}",))
def a_schedule_not_yet_known() -> Fleet:
    return theirs(**FOREIGN, zero_at=UNKNOWN)


GB200 = {"instance": "p6e-gb200.36xlarge", "interfaces": ()}


@case(
    f"{RULE}-drained @ {BLOCK}.ends",
    f"{RULE}-instance-type @ {WORKERS}.instance",
    unjudged=(f"subnet-holds-nodes @ {WORKERS}",),
)
def ultraservers_drained_an_hour_before_the_end() -> Fleet:
    known_ = known(instanceType="p6e-gb200.36xlarge")
    return theirs(**FOREIGN, template=GB200, facts=known_, zero_at=("2026-11-28T10:30:00Z",))


@case(f"{RULE}-instance-type @ {WORKERS}.instance", unjudged=(f"subnet-holds-nodes @ {WORKERS}",))
def ultraservers_drained_90_minutes_before_the_end() -> Fleet:
    known_ = known(instanceType="p6e-gb200.36xlarge")
    return theirs(**FOREIGN, template=GB200, facts=known_, zero_at=("2026-11-28T10:00:00Z",))
