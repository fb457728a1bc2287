"""Programs about the control plane."""

import pulumi_aws as aws

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import ENCRYPTION, OFFICE, a_role


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


keeps("control-plane-zone-accepted", region="us-east-1")(lambda: _cluster("use1-az1", "use1-az2"))
breaks("control-plane-zone-accepted", "A control-plane subnet in use1-az3.", at={"training"}, region="us-east-1")(
    lambda: _cluster("use1-az1", "use1-az3")
)
