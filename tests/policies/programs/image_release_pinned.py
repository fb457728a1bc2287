"""An Auto Scaling group that names no image."""

import pulumi_aws as aws

from tests.policies.programs.world import a_world, own_workers, plain_template

AT = {"workers"}


def passing() -> None:
    """Its template stands in a mixed instances policy, and its type beside it."""
    world = a_world()
    template = plain_template(world, image_id="ami-0123456789abcdef0", instance_type=None)
    own_workers(world, template, **mixed(template))


def failing() -> None:
    world = a_world()
    template = plain_template(world, instance_type="c5.2xlarge")
    own_workers(world, template, **mixed(template))


def mixed(template: aws.ec2.LaunchTemplate) -> dict[str, object]:
    """A policy of one type, instead of a launch template."""
    specification = {"launch_template_id": template.id, "version": "$Latest"}
    types = [{"instance_type": "p4d.24xlarge"}]
    policy = {"launch_template": {"launch_template_specification": specification, "overrides": types}}
    return {"launch_template": None, "mixed_instances_policy": policy}
