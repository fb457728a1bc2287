"""A control-plane subnet in use1-az3."""

import pulumi_aws as aws

from tests.policies.programs.world import ENCRYPTION, OFFICE, a_role

AT = {"training"}
REGION = "us-east-1"


def _cluster(*zone_ids: str) -> None:
    vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")
    subnets = [
        aws.ec2.Subnet(
            zone_id,
            vpc_id=vpc.id,
            cidr_block=f"10.0.{index}.0/24",
            availability_zone=f"us-east-1{'abc'[index]}",
            availability_zone_id=zone_id,
        )
        for index, zone_id in enumerate(zone_ids)
    ]
    role = a_role("eks", "eks.amazonaws.com")
    aws.eks.Cluster(
        "training",
        role_arn=role.arn,
        version="1.35",
        vpc_config=aws.eks.ClusterVpcConfigArgs(
            subnet_ids=[subnet.id for subnet in subnets], public_access_cidrs=list(OFFICE)
        ),
        encryption_config=ENCRYPTION,
    )


def passing() -> None:
    _cluster("use1-az1", "use1-az2")


def failing() -> None:
    _cluster("use1-az1", "use1-az3")
