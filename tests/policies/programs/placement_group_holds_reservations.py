"""Nodes on a reservation, spread."""

import pulumi_aws as aws

from tests.policies.programs.world import CR, a_template, a_world, reservation_facts, workers

AT = {"workers"}
FACTS = reservation_facts()


def _placed(strategy: str) -> None:
    world = a_world()
    group = aws.ec2.PlacementGroup("placed", name="placed", strategy=strategy)
    target = {"capacity_reservation_target": {"capacity_reservation_id": CR}}
    placement = {"group_name": group.name}
    workers(world, a_template(world, capacity_reservation_specification=target, placement=placement))


def passing() -> None:
    _placed("cluster")


def failing() -> None:
    _placed("spread")
