"""A Capacity Block behind a resource group."""

from tests.factories import facts
from tests.policies.programs.world import CR, a_world, block_facts, block_template, block_workers

AT = {"workers"}
GROUP = "arn:aws:resource-groups:us-west-2:000000000000:group/blocks"
BLOCK = block_facts()
FACTS = facts(
    reservations={CR: BLOCK.reservations[CR].model_dump(by_alias=True)},
    reservationGroups={
        GROUP: {
            "configurations": ["AWS::EC2::CapacityReservationPool", "AWS::ResourceGroups::Generic"],
            "reservations": [CR],
        }
    },
)


def passing() -> None:
    world = a_world()
    block_workers(world, block_template(world))


def failing() -> None:
    world = a_world()
    target = {"capacity_reservation_target": {"capacity_reservation_resource_group_arn": GROUP}}
    block_workers(world, block_template(world, capacity_reservation_specification=target))
