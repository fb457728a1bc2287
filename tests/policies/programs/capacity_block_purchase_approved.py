"""A Capacity Block is bought, and nobody says who wants it."""

import pulumi_aws as aws

AT = {"p5"}


def _buy(**tags: str) -> None:
    aws.ec2.CapacityBlockReservation(
        "p5", capacity_block_offering_id="cb-0123456789abcdef0", instance_platform="Linux/UNIX", tags=tags
    )


def passing() -> None:
    approval = {"muster:approved-by": "head.of.research", "muster:approved-offering": "cb-0123456789abcdef0"}
    _buy(team="research", **approval)


def failing() -> None:
    _buy(team="research")
