"""Programs about the account."""

import pulumi_aws as aws

from tests.factories import facts
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import World, a_template, a_world, workers


def gateways(world: World) -> None:
    for subnet, zone in zip(world.subnets, ("us-west-2a", "us-west-2b"), strict=True):
        address = aws.ec2.Eip(f"nat-{zone}", domain="vpc")
        aws.ec2.NatGateway(zone, subnet_id=subnet.id, allocation_id=address.id)


@keeps(
    "quota-covers-resources",
    facts=facts(quotas={"L-0263D0A3": 5, "L-FE5A380F": 1, "L-F678F1CE": 5}, quotasUsed={"L-0263D0A3": 3}),
)
@breaks(
    "quota-covers-resources",
    "Two Elastic IPs, although the quota leaves room for one.",
    at={"nat-us-west-2a"},
    facts=facts(quotas={"L-0263D0A3": 5, "L-FE5A380F": 1, "L-F678F1CE": 5}, quotasUsed={"L-0263D0A3": 4}),
)
def program_of_quota_covers_resources() -> None:
    world = a_world()
    gateways(world)
    workers(world, a_template(world))
