"""A preference of one letter less."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"workers"}


def passing() -> None:
    world = a_world()
    workers(
        world,
        a_template(
            world, capacity_reservation_specification={"capacity_reservation_preference": "capacity-reservations-only"}
        ),
    )


def failing() -> None:
    world = a_world()
    workers(
        world,
        a_template(
            world, capacity_reservation_specification={"capacity_reservation_preference": "capacity-reservation-only"}
        ),
    )
