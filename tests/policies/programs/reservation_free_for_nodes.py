"""Somebody else turns out to run the one instance of the reservation."""

from tests.policies.programs.world import CR, a_template, a_world, reservation_facts, workers

AT = {"workers"}


FACTS = reservation_facts(availableInstances=1)
FAILING_FACTS = reservation_facts(availableInstances=0)


def passing() -> None:
    world = a_world()
    target = {"capacity_reservation_target": {"capacity_reservation_id": CR}}
    workers(world, a_template(world, capacity_reservation_specification=target))


failing = passing
