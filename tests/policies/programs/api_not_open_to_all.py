"""An API that every address reaches, said in so many words."""

from tests.policies.programs.world import a_template, a_world, workers

AT = {"training"}


def passing() -> None:
    world = a_world(api=["203.0.113.0/24"])
    workers(world, a_template(world))


def failing() -> None:
    world = a_world(api=["203.0.113.0/24", "0.0.0.0/0"])
    workers(world, a_template(world))
