"""Blocks that run, wait or are over, and their first nodes."""

from datetime import date

from muster.unknown import UNKNOWN
from tests.policies.capacity_blocks import (
    NEXT,
    NOW,
    WAITING,
    described,
    known,
    theirs,
)
from tests.policies.case import cases

cases(
    a_block_that_runs=lambda: described(**NOW, facts=known()),
    a_block_that_has_not_begun=lambda: described(**NEXT, facts=known(**WAITING)),
    a_scheduled_block_of_which_ec2_counts_no_instances_yet=lambda: described(
        **NEXT, facts=known(totalInstances=0, **WAITING)
    ),
    # Its zone and size stand in the description.
    a_block_nobody_knows=lambda: described(**NEXT),
    a_foreign_group_on_a_block_that_runs=lambda: theirs(),
)


# its kind


cases(
    a_reservation_under_the_wrong_key=lambda: described(**NOW, facts=known(reservationType="default")),
    a_block_whose_payment_failed=lambda: described(**NEXT, facts=known(**{**WAITING, "state": "payment-failed"})),
    a_block_that_is_being_paid=lambda: described(**NEXT, facts=known(**{**WAITING, "state": "payment-pending"})),
    a_foreign_group_on_a_block_that_ends_today=lambda: theirs(facts=known(end="2026-11-21T11:30:00Z")),
    a_foreign_group_on_a_block_that_has_ended=lambda: theirs(as_of=date(2026, 12, 1)),
)


# the first nodes


cases(
    aws_says_that_it_has_not_begun=lambda: described(**NOW, facts=known(state="scheduled")),
    a_foreign_group_with_nodes_before_its_block_begins=lambda: theirs(facts=known(**WAITING)),
    a_foreign_group_that_may_have_nodes_before_its_block_begins=lambda: theirs(
        facts=known(**WAITING), nodes_start=UNKNOWN
    ),
    a_foreign_group_that_waits_for_its_block=lambda: theirs(facts=known(**WAITING), nodes_min=0, nodes_start=0),
)
