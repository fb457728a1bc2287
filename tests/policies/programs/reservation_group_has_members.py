"""A resource group that nothing is put into."""

import pulumi_aws as aws

from tests.policies.programs.world import a_world, on_group, reservation_group, workers

AT = {"reserved"}


def passing() -> None:
    """The reservation is the program's own: in a preview nothing but what it depends on tells which."""
    world = a_world()
    reservation = aws.ec2.CapacityReservation(
        "p4d",
        instance_type="p4d.24xlarge",
        instance_platform="Linux/UNIX",
        availability_zone="us-west-2a",
        instance_count=2,
    )
    workers(world, on_group(world, reservation_group(reservation.arn).arn))


def failing() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group().arn))
