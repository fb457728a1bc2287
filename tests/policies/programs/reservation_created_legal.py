"""A reservation of more instances than EC2 reserves at once."""

import pulumi_aws as aws

AT = {"p4d"}


def _reserve(count: int) -> None:
    aws.ec2.CapacityReservation(
        "p4d",
        instance_type="p4d.24xlarge",
        instance_platform="Linux/UNIX",
        availability_zone="us-west-2a",
        instance_count=count,
    )


def passing() -> None:
    _reserve(1000)


def failing() -> None:
    _reserve(1001)
