"""Blocks that are still to be bought."""

from typing import Any

from muster.fleet.resources import CapacityBlockPurchase, Fleet, Place, Ref
from muster.fleet.resources.ref import CAPACITY_BLOCK
from muster.fleet.unknown import UNKNOWN
from tests.factories import a_fleet, on
from tests.policies.capacity_blocks import BLOCK, NEXT, NOW, RULE, WORKERS, described, theirs
from tests.policies.case import case

BOUGHT = Ref(CAPACITY_BLOCK, "p5")
OFFERING = "cb-0123456789abcdef0"


def bought(by: object = "head.of.research", offering: object = OFFERING, approved: object = OFFERING) -> Any:
    return CapacityBlockPurchase(BOUGHT, offering, by, approved, Place(f"{BLOCK}.buy"))


def buying(*things: object, **said: Any) -> Fleet:
    purchase = {"buy": {"offering": OFFERING, "approved": {"offering": OFFERING, "by": "head.of.research"}}}
    return described(*things, template=on(BOUGHT), **{**NEXT, **purchase, **said})


UNSEEN = f"reservation-instance-type-matches @ {WORKERS}"


@case(unjudged=(UNSEEN,))
def a_block_to_buy() -> Fleet:
    return buying(bought())


@case(f"{RULE}-purchase-approved @ {BLOCK}.buy.approved", unjudged=(UNSEEN,))
def a_block_that_nobody_approves() -> Fleet:
    return buying(bought(None))


@case(f"{RULE}-purchase-approved @ {BLOCK}.buy.approved")
def a_block_that_spaces_approve() -> Fleet:
    return a_fleet(bought("  ", offering=UNKNOWN))


@case(f"{RULE}-purchase-approved @ {BLOCK}.buy.approved")
def a_block_of_which_no_offering_is_approved() -> Fleet:
    return a_fleet(bought(approved=None))


@case(f"{RULE}-purchase-approved @ {BLOCK}.buy.approved", unjudged=(UNSEEN,))
def an_approval_of_another_offering() -> Fleet:
    return buying(bought(approved="cb-0fedcba9876543210"))


@case(unjudged=(f"{RULE}-purchase-approved @ {BLOCK}.buy",))
def an_approval_not_yet_known() -> Fleet:
    return a_fleet(bought(UNKNOWN))


@case(unjudged=(f"{RULE}-purchase-approved @ {BLOCK}.buy",))
def an_offering_not_yet_known() -> Fleet:
    return a_fleet(bought(offering=UNKNOWN))


PAST = {"starts": "2026-11-07", "ends": "2026-11-21"}


@case(f"{RULE}-not-bought-again @ {BLOCK}.buy", unjudged=(UNSEEN,))
def a_block_to_buy_that_is_over() -> Fleet:
    return buying(bought(), **PAST)


@case(f"{RULE}-length @ {BLOCK}.ends", unjudged=(UNSEEN,))
def a_block_to_buy_of_no_days_that_is_over() -> Fleet:
    """It was never sold."""
    return buying(bought(), starts="2026-11-07", ends="2026-11-07")


@case(f"{RULE}-not-bought-again @ {BLOCK}.buy", unjudged=(UNSEEN,))
def a_block_to_buy_that_is_over_and_active() -> Fleet:
    return buying(bought(), **PAST, active=True)


@case(f"{RULE}-kept-by-id @ {BLOCK}.buy", unjudged=(UNSEEN,))
def a_bought_block_that_runs() -> Fleet:
    return buying(bought(), **NOW)


@case(f"{RULE}-length @ {BLOCK}.ends", unjudged=(UNSEEN,))
def a_block_bought_for_15_days() -> Fleet:
    return buying(bought(), starts="2026-12-01", ends="2026-12-16")


@case(f"{RULE}-length @ {BLOCK}.starts", unjudged=(UNSEEN,))
def a_block_bought_nine_weeks_ahead() -> Fleet:
    return buying(bought(), starts="2027-01-17", ends="2027-01-18")


@case(unjudged=(UNSEEN,))
def a_block_bought_eight_weeks_ahead() -> Fleet:
    return buying(bought(), starts="2027-01-16", ends="2027-01-17")


@case(f"reservation-covers-nodes @ {BLOCK}.count", unjudged=(UNSEEN,))
def more_nodes_than_are_bought() -> Fleet:
    return buying(bought(), nodes_max=2)


@case(
    unjudged=(
        UNSEEN,
        f"{RULE}-waits @ {WORKERS}",
        f"reservation-covers-nodes @ {WORKERS}",
        f"reservation-zone-matches-subnet @ {WORKERS}",
    )
)
def a_foreign_group_on_a_block_to_buy() -> Fleet:
    return theirs(bought(), template=on(BOUGHT))
