"""An id and a group."""

from tests.factories import facts
from tests.policies.programs.world import CR, a_template, a_world, workers

AT = {"workers"}
GROUP = "arn:aws:resource-groups:us-west-2:000000000000:group/p4d"
FACTS = facts(reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2}})


def passing() -> None:
    world = a_world()
    workers(
        world,
        a_template(
            world, capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": CR}}
        ),
    )


def failing() -> None:
    world = a_world()
    workers(
        world,
        a_template(
            world,
            capacity_reservation_specification={
                "capacity_reservation_target": {
                    "capacity_reservation_id": CR,
                    "capacity_reservation_resource_group_arn": GROUP,
                }
            },
        ),
    )
