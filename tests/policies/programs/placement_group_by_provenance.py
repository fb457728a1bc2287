"""The reservation turns out to be made in a placement group that the template leaves out."""

from tests.factories import facts
from tests.policies.programs.world import CR, a_template, a_world, workers

AT = {"workers"}
FACTS = facts(reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2}})
FAILING_FACTS = facts(
    reservations={
        CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2, "placementGroup": "training"}
    }
)


def passing() -> None:
    world = a_world()
    target = {"capacity_reservation_target": {"capacity_reservation_id": CR}}
    workers(world, a_template(world, capacity_reservation_specification=target))


failing = passing
