"""Several groups that name one reservation, Capacity Block, resource group or training plan."""

from typing import Any

from muster.config.description.capacity import Capacity
from muster.fleet.resources import CapacityTarget, Fleet
from tests.factories import CR, a_fleet, a_group, a_template, on
from tests.policies.case import cases

RESERVATION = {"id": CR, "zone": "us-west-2a", "count": 2, "provided-by": "aws"}
GROUP = "arn:aws:resource-groups:us-west-2:111122223333:group/p5"


def _two(kind: str, said: dict[str, Any], *, instance: Any = "p5.48xlarge", facts: Any = None, **second: Any) -> Fleet:
    """Two groups on one thing; the second describes it with other values."""
    pool = CapacityTarget("capacity-reservations-only", None, GROUP)
    target = pool if kind == "reservation-group" else on()["target"]
    both: dict[str, Any] = {"target": target, "market_type": "capacity-block" if kind == "capacity-block" else None}
    described = [Capacity.model_validate({kind: each}) for each in (said, {**said, **second})]
    of_block = {"capacity_type": "CAPACITY_BLOCK"} if kind == "capacity-block" else {}
    return a_fleet(
        a_template(**both),
        a_template("workers-b", instance, **both),
        a_group(capacity=described[0], **of_block),
        a_group("workers-b", capacity=described[1], **of_block),
        facts=facts,
    )


cases(
    "capacity-described-alike",
    two_groups_describe_a_reservation_alike=lambda: _two("reservation", RESERVATION),
    one_reservation_for_two_types=lambda: _two("reservation", RESERVATION, instance="p4d.24xlarge"),
)
