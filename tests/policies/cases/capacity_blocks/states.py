"""Blocks that run, wait or are over, and their first nodes."""

from datetime import date

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.policies.capacity_blocks import (
    BLOCK,
    NEXT,
    NOBODY_SAYS,
    NOW,
    RULE,
    WAITING,
    WORKERS,
    described,
    known,
    theirs,
)
from tests.policies.case import case


@case()
def a_block_that_runs() -> Fleet:
    return described(**NOW, facts=known())


@case()
def a_block_that_has_not_begun() -> Fleet:
    return described(**NEXT, facts=known(**WAITING))


@case()
def a_scheduled_block_of_which_ec2_counts_no_instances_yet() -> Fleet:
    return described(**NEXT, facts=known(totalInstances=0, **WAITING))


@case(unjudged=NOBODY_SAYS)
def a_block_nobody_knows() -> Fleet:
    """Its zone and size stand in the description."""
    return described(**NEXT)


@case()
def a_foreign_group_on_a_block_that_runs() -> Fleet:
    return theirs()


# its kind


@case(f"reservation-usable @ {BLOCK}.id")
def a_reservation_under_the_wrong_key() -> Fleet:
    return described(**NOW, facts=known(reservationType="default"))


@case(f"reservation-usable @ {BLOCK}.id")
def a_block_whose_payment_failed() -> Fleet:
    return described(**NEXT, facts=known(**{**WAITING, "state": "payment-failed"}))


@case()
def a_block_that_is_being_paid() -> Fleet:
    return described(**NEXT, facts=known(**{**WAITING, "state": "payment-pending"}))


@case(f"reservation-usable @ {BLOCK}.id")
def a_foreign_group_on_a_block_that_ends_today() -> Fleet:
    return theirs(facts=known(end="2026-11-21T11:30:00Z"))


@case(f"reservation-usable @ {BLOCK}.id")
def a_foreign_group_on_a_block_that_has_ended() -> Fleet:
    return theirs(as_of=date(2026, 12, 1))


# the first nodes


@case(f"{RULE}-waits @ {BLOCK}.active")
def aws_says_that_it_has_not_begun() -> Fleet:
    return described(**NOW, facts=known(state="scheduled"))


@case(f"{RULE}-waits @ {BLOCK}.active")
def a_foreign_group_with_nodes_before_its_block_begins() -> Fleet:
    return theirs(facts=known(**WAITING))


@case(unjudged=(f"{RULE}-waits @ {WORKERS}", f"nodes-in-order @ {WORKERS}", f"subnet-holds-nodes @ {WORKERS}"))
def a_foreign_group_that_may_have_nodes_before_its_block_begins() -> Fleet:
    return theirs(facts=known(**WAITING), nodes_start=UNKNOWN)


@case()
def a_foreign_group_that_waits_for_its_block() -> Fleet:
    return theirs(facts=known(**WAITING), nodes_min=0, nodes_start=0)
