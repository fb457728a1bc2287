"""The reservation turns out to be cancelled."""

from typing import Any

from muster.fleet.facts import Facts
from tests.factories import facts
from tests.policies.programs.world import CR, a_template, a_world, workers

AT = {"workers"}


def _known(**more: Any) -> Facts:
    usable = {"state": "active", "platform": "Linux/UNIX", "tenancy": "default", "reservationType": "default"}
    return facts(
        reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2, **usable, **more}}
    )


FACTS = _known()
FAILING_FACTS = _known(state="cancelled")


def passing() -> None:
    world = a_world()
    target = {"capacity_reservation_target": {"capacity_reservation_id": CR}}
    workers(world, a_template(world, capacity_reservation_specification=target))


failing = passing
