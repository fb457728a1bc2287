"""Device indexes counted on and on, as one does without the table."""

from tests.policies.programs.world import a_template, a_world, efa_group, efa_only, interfaces, workers

AT = {"workers"}


def passing() -> None:
    """Device 1 on every card, as eksctl and Karpenter have it."""
    world = a_world()
    efa = efa_group(world)
    first = interfaces(world, efa)[:1]
    workers(
        world,
        a_template(world, network_interfaces=[*first, *(efa_only(card, efa, device_index=1) for card in range(4))]),
    )


def failing() -> None:
    world = a_world()
    efa = efa_group(world)
    first = interfaces(world, efa)[:1]
    counted = [efa_only(card, efa, device_index=card + 1) for card in range(4)]
    workers(world, a_template(world, network_interfaces=[*first, *counted]))
