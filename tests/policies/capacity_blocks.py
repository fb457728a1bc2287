"""Groups on a Capacity Block with defaults: a case shows only what matters."""

from datetime import date
from typing import Any

from muster.config.description.capacity import Capacity
from muster.fleet.facts import Facts
from muster.fleet.resources import CapacityBlockPurchase, Fleet, Place, Ref
from muster.fleet.resources.ref import CAPACITY_BLOCK
from tests.factories import AS_OF, CR, a_fleet, a_group, a_template, facts, on, reservation_facts

WORKERS = "groups.workers"
BLOCK = f"{WORKERS}.capacity.capacity-block"
NEXT = {"starts": "2026-12-01", "ends": "2026-12-15"}
"""A block that has not begun."""
WAITING = {"state": "scheduled", "start": "2026-12-01T11:30:00Z", "end": "2026-12-15T11:30:00Z"}
"""What AWS says of one that has not begun."""


def known(*without: str, **more: Any) -> Facts:
    """Everything AWS says of the default block, which runs."""
    dates = {"start": "2026-11-14T11:30:00Z", "end": "2026-11-28T11:30:00Z"}
    said = {"reservationType": "capacity-block", **dates, **more}
    made = reservation_facts(**said)
    return made if not without else facts(reservations={CR: {k: v for k, v in said.items() if k not in without}})


def described(*things: Any, template: dict[str, Any] | None = None, facts: Facts | None = None, **said: Any) -> Fleet:
    """The default group on a block that its description says everything of."""
    group = {key: said.pop(key) for key in ("nodes_start", "nodes_max", "managed", "zero_at", "subnets") if key in said}
    block = {"zone": "us-west-2a", "count": 1, **said}
    block |= {} if "buy" in block else {"id": CR}
    running = bool(block.get("active"))
    settings = {"market_type": "capacity-block", **on(), **(template or {})}
    if group.get("managed") is False:
        group["capacity_type"] = None
    defaults = {"capacity_type": "CAPACITY_BLOCK", "nodes_min": 0, "nodes_start": int(running), **group}
    capacity = Capacity.model_validate({"capacity-block": block})
    return a_fleet(a_template(**settings), a_group(capacity=capacity, **defaults), *things, facts=facts)


def theirs(
    *things: Any,
    template: dict[str, Any] | None = None,
    facts: Facts | None = None,
    as_of: date = AS_OF,
    **group: Any,
) -> Fleet:
    """A group of another team on the default block."""
    settings = {"market_type": "capacity-block", **on(), **(template or {})}
    made = a_group(**{"capacity_type": "CAPACITY_BLOCK", **group})
    return a_fleet(a_template(**settings), made, *things, facts=facts or known(), as_of=as_of)


BOUGHT = Ref(CAPACITY_BLOCK, "p5")
OFFERING = "cb-0123456789abcdef0"


def bought() -> CapacityBlockPurchase[Any]:
    """An approved purchase."""
    return CapacityBlockPurchase(BOUGHT, OFFERING, "head.of.research", OFFERING, Place(f"{BLOCK}.buy"))


def buying(*things: object, **said: Any) -> Fleet:
    """The default group on a block that its description buys."""
    purchase = {"buy": {"offering": OFFERING, "approved": {"offering": OFFERING, "by": "head.of.research"}}}
    return described(*things, template=on(BOUGHT), **{**NEXT, **purchase, **said})
