"""Programs about node groups."""

import pulumi_aws as aws

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import (
    World,
    a_group_with,
    a_template,
    a_template_with,
    a_world,
    own_workers,
    plain_template,
    workers,
)

keeps("kubelet-within-version-skew")(lambda: a_group_with(ami_type="AL2023_x86_64_NVIDIA", version="1.34"))
breaks("kubelet-within-version-skew", "Nodes of 1.36 on a control plane of 1.35.", at={"workers"})(
    lambda: a_group_with(ami_type="AL2023_x86_64_NVIDIA", version="1.36")
)


@keeps("disk-and-access-in-template")
def keeps_disk_and_access_in_template() -> None:
    world = a_world()
    disk = {"device_name": "/dev/xvda", "ebs": {"volume_size": 300, "volume_type": "gp3", "encrypted": "true"}}
    workers(world, a_template(world, block_device_mappings=[disk]))


breaks("disk-and-access-in-template", "diskSize beside a launch template.", at={"workers"})(
    lambda: a_group_with(disk_size=300)
)


EKS = "resolve:ssm:/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia"


def mixed(template: aws.ec2.LaunchTemplate) -> dict[str, object]:
    """A policy of one type, instead of a launch template."""
    specification = {"launch_template_id": template.id, "version": "$Latest"}
    types = [{"instance_type": "p4d.24xlarge"}]
    policy = {"launch_template": {"launch_template_specification": specification, "overrides": types}}
    return {"launch_template": None, "mixed_instances_policy": policy}


@keeps("image-release-pinned")
def keeps_image_release_pinned() -> None:
    """Its template stands in a mixed instances policy, and its type beside it."""
    world = a_world()
    template = plain_template(world, image_id="ami-0123456789abcdef0", instance_type=None)
    own_workers(world, template, **mixed(template))


@breaks("image-release-pinned", "An Auto Scaling group that names no image.", at={"workers"})
def breaks_image_release_pinned() -> None:
    world = a_world()
    template = plain_template(world, instance_type="c5.2xlarge")
    own_workers(world, template, **mixed(template))


@keeps("instance-type-stated-once")
def keeps_instance_type_stated_once() -> None:
    world = a_world()
    workers(world, a_template(world, instance_type=None), instance_types=["p4d.24xlarge"])


breaks("instance-type-stated-once", "The type in the group and in its template.", at={"workers"})(
    lambda: a_group_with(instance_types=["p4d.24xlarge"])
)


keeps("managed-template-settings")(lambda: a_template_with(ebs_optimized="true"))
breaks("managed-template-settings", "An instance profile in the template, which EKS creates itself.", at={"workers"})(
    lambda: a_template_with(iam_instance_profile={"name": "nodes"})
)


def _own_group(world: World) -> aws.ec2.SecurityGroup:
    return aws.ec2.SecurityGroup(
        "nodes",
        vpc_id=world.vpc.id,
        egress=[{"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}],
    )


@keeps("node-template-reaches-control-plane")
def keeps_node_template_reaches_control_plane() -> None:
    """Rules between the two groups, as terraform-aws-eks writes them, do as well as the cluster's own group."""
    world = a_world()
    own = _own_group(world)
    aws.ec2.SecurityGroupRule(
        "nodes-to-api",
        type="ingress",
        security_group_id=world.cluster_group,
        source_security_group_id=own.id,
        protocol="tcp",
        from_port=443,
        to_port=443,
    )
    workers(world, a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=[own.id]))


@breaks(
    "node-template-reaches-control-plane",
    "A custom security group without the cluster's: nodes never join.",
    at={"workers"},
)
def breaks_node_template_reaches_control_plane() -> None:
    world = a_world()
    own = _own_group(world)
    workers(world, a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=[own.id]))
