"""An Auto Scaling group on a Capacity Block: nobody scales it down."""

import pulumi_aws as aws

from tests.policies.programs.world import a_world, block_facts, block_template

AT = {"workers"}
FACTS = block_facts()


def _workers() -> aws.autoscaling.Group:
    world = a_world()
    image = "ami-0123456789abcdef0"
    template = block_template(world, image_id=image, vpc_security_group_ids=[world.cluster_group])
    owned = {"key": "kubernetes.io/cluster/training", "value": "owned", "propagate_at_launch": True}
    return aws.autoscaling.Group(
        "workers",
        vpc_zone_identifiers=[world.subnets[0].id],
        launch_template={"id": template.id, "version": "$Latest"},
        min_size=0,
        desired_capacity=1,
        max_size=2,
        tags=[owned],
    )


def passing() -> None:
    group = _workers()
    aws.autoscaling.Schedule(
        "before-the-end",
        scheduled_action_name="before-the-end",
        autoscaling_group_name=group.name,
        start_time="2026-11-28T10:30:00Z",
        min_size=0,
        max_size=-1,
        desired_capacity=0,
    )


def failing() -> None:
    _workers()
