"""Blocks that are still to be bought."""

from typing import Any

from muster.fleet.resources import CapacityBlockPurchase, Fleet, Place, Ref
from muster.fleet.resources.ref import CAPACITY_BLOCK
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, on
from tests.policies.capacity_blocks import BLOCK, NEXT, described
from tests.policies.case import cases

BOUGHT = Ref(CAPACITY_BLOCK, "p5")
OFFERING = "cb-0123456789abcdef0"


def bought(by: object = "head.of.research", offering: object = OFFERING, approved: object = OFFERING) -> Any:
    return CapacityBlockPurchase(BOUGHT, offering, by, approved, Place(f"{BLOCK}.buy"))


def buying(*things: object, **said: Any) -> Fleet:
    purchase = {"buy": {"offering": OFFERING, "approved": {"offering": OFFERING, "by": "head.of.research"}}}
    return described(*things, template=on(BOUGHT), **{**NEXT, **purchase, **said})


cases(
    a_block_that_spaces_approve=lambda: a_fleet(bought("  ", offering=UNKNOWN)),
    an_approval_not_yet_known=lambda: a_fleet(bought(UNKNOWN)),
)


PAST = {"starts": "2026-11-07", "ends": "2026-11-21"}


cases(
    a_block_to_buy_that_is_over=lambda: buying(bought(), **PAST),
)
