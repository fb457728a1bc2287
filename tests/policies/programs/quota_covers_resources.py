"""Two Elastic IPs where others leave one."""

import pulumi_aws as aws

from tests.factories import facts
from tests.policies.programs.world import World, a_template, a_world, workers

AT = {"nat-us-west-2a"}

FACTS = facts(quotas={"L-0263D0A3": 5, "L-FE5A380F": 1, "L-F678F1CE": 5}, quotasUsed={"L-0263D0A3": 3})
FAILING_FACTS = facts(quotas={"L-0263D0A3": 5, "L-FE5A380F": 1, "L-F678F1CE": 5}, quotasUsed={"L-0263D0A3": 4})


def gateways(world: World) -> None:
    for subnet, zone in zip(world.subnets, ("us-west-2a", "us-west-2b"), strict=True):
        address = aws.ec2.Eip(f"nat-{zone}", domain="vpc")
        aws.ec2.NatGateway(zone, subnet_id=subnet.id, allocation_id=address.id)


def passing() -> None:
    world = a_world()
    gateways(world)
    workers(world, a_template(world))


failing = passing
