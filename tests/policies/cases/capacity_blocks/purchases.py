"""Blocks that are still to be bought."""

from typing import Any

from muster.fleet.resources import CapacityBlockPurchase, Fleet, Place, Ref
from muster.fleet.resources.ref import CAPACITY_BLOCK
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, on
from tests.policies.capacity_blocks import BLOCK, NEXT, NOW, described, theirs
from tests.policies.case import cases

BOUGHT = Ref(CAPACITY_BLOCK, "p5")
OFFERING = "cb-0123456789abcdef0"


def bought(by: object = "head.of.research", offering: object = OFFERING, approved: object = OFFERING) -> Any:
    return CapacityBlockPurchase(BOUGHT, offering, by, approved, Place(f"{BLOCK}.buy"))


def buying(*things: object, **said: Any) -> Fleet:
    purchase = {"buy": {"offering": OFFERING, "approved": {"offering": OFFERING, "by": "head.of.research"}}}
    return described(*things, template=on(BOUGHT), **{**NEXT, **purchase, **said})


cases(
    a_block_to_buy=lambda: buying(bought()),
    a_block_that_nobody_approves=lambda: buying(bought(None)),
    a_block_that_spaces_approve=lambda: a_fleet(bought("  ", offering=UNKNOWN)),
    a_block_of_which_no_offering_is_approved=lambda: a_fleet(bought(approved=None)),
    an_approval_of_another_offering=lambda: buying(bought(approved="cb-0fedcba9876543210")),
    an_approval_not_yet_known=lambda: a_fleet(bought(UNKNOWN)),
    an_offering_not_yet_known=lambda: a_fleet(bought(offering=UNKNOWN)),
)


PAST = {"starts": "2026-11-07", "ends": "2026-11-21"}


cases(
    a_block_to_buy_that_is_over=lambda: buying(bought(), **PAST),
    # It was never sold.
    a_block_to_buy_of_no_days_that_is_over=lambda: buying(bought(), starts="2026-11-07", ends="2026-11-07"),
    a_block_to_buy_that_is_over_and_active=lambda: buying(bought(), **PAST, active=True),
    a_bought_block_that_runs=lambda: buying(bought(), **NOW),
    a_block_bought_for_15_days=lambda: buying(bought(), starts="2026-12-01", ends="2026-12-16"),
    a_block_bought_nine_weeks_ahead=lambda: buying(bought(), starts="2027-01-17", ends="2027-01-18"),
    a_block_bought_eight_weeks_ahead=lambda: buying(bought(), starts="2027-01-16", ends="2027-01-17"),
    more_nodes_than_are_bought=lambda: buying(bought(), nodes_max=2),
    a_foreign_group_on_a_block_to_buy=lambda: theirs(bought(), template=on(BOUGHT)),
)
