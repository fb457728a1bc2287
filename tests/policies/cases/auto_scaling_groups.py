"""Auto Scaling groups of other teams: what they say beside their launch template."""

from typing import Any

from muster.fleet.resources import CapacityTarget, Fleet
from muster.unknown import UNKNOWN
from tests.factories import CR, a_fleet, a_group, a_template, elsewhere, reservation_facts
from tests.policies.case import cases


def theirs(*things: Any, template: dict[str, Any] | None = None, facts: Any = None, **group: Any) -> Fleet:
    """A self-managed group of another team."""
    made = elsewhere(a_group(**{"managed": False, "capacity_type": None, **group}), "workers")
    return a_fleet(a_template(**(template or {})), made, *things, facts=facts)


PLAIN = {"interfaces": ()}


cases(
    several_templates=lambda: a_fleet(
        a_template(**PLAIN), elsewhere(a_group(managed=False, capacity_type=None, template=UNKNOWN), "workers")
    ),
    efa_on_a_share_of_spot=lambda: theirs(capacity_type="SPOT"),
)


# reservations of its own


cases(
    # The template's is for another zone, and used by nobody.
    a_block_of_its_own_and_no_market_type=lambda: theirs(
        target=CapacityTarget(reservation=CR),
        facts=reservation_facts(reservationType="capacity-block", end="2026-11-28T11:30:00Z"),
    ),
)


# settings of managed groups


cases(
    updates_and_repair_of_a_self_managed_group=lambda: a_fleet(
        a_template(), a_group(managed=False, capacity_type=None, ignored=("node-repair", "updates"))
    ),
)
