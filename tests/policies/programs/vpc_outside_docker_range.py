"""A network in the range that Docker has for itself."""

import pulumi_aws as aws

from tests.policies.programs.world import ENCRYPTION, OFFICE, ZONES, a_role, a_world

AT = {"training"}


def passing() -> None:
    a_world()


def failing() -> None:
    vpc = aws.ec2.Vpc("main", cidr_block="172.17.0.0/16")
    subnets = [
        aws.ec2.Subnet(zone, vpc_id=vpc.id, cidr_block=f"172.17.{16 * index}.0/20", availability_zone=zone)
        for index, zone in enumerate(ZONES)
    ]
    aws.eks.Cluster(
        "training",
        role_arn=a_role("eks", "eks.amazonaws.com").arn,
        version="1.35",
        vpc_config={"subnet_ids": [subnet.id for subnet in subnets], "public_access_cidrs": list(OFFICE)},
        encryption_config=ENCRYPTION,
    )
