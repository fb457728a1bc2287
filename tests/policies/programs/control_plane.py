"""Programs about the control plane."""

import pulumi_aws as aws

from tests.factories import facts
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.usual import workers_on_a_template
from tests.policies.programs.world import ENCRYPTION, OFFICE, a_role, a_template_with, a_world

keeps("api-not-open-to-all")(lambda: a_template_with(a_world(api=["203.0.113.0/24"])))
breaks("api-not-open-to-all", "An API that is explicitly open to every address.", at={"training"})(
    lambda: a_template_with(a_world(api=["203.0.113.0/24", "0.0.0.0/0"]))
)

breaks("control-plane-two-zones", "A network in the reservation's zone only.", at={"training"})(
    lambda: a_template_with(a_world(zones=("us-west-2a",)))
)


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

breaks("kubernetes-standard-support", "A version in extended support.", at={"training"})(
    lambda: a_template_with(a_world(version="1.33"))
)

breaks(
    "kubernetes-version-offered",
    "A version that EKS no longer offers.",
    at={"training"},
    facts=facts(kubernetesVersions={"1.35": {"offered": False}}),
)(workers_on_a_template)

breaks("kubernetes-version-supported", "A version whose extended support has ended.", at={"training"})(
    lambda: a_template_with(a_world(version="1.29"))
)
