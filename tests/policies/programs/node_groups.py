"""Programs about node groups."""

from typing import Any

import pulumi_aws as aws

from tests.factories import facts
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import (
    World,
    a_group_with,
    a_template,
    a_template_with,
    a_world,
    efa_group,
    interfaces,
    own_workers,
    plain_template,
    told,
    workers,
)


def _taints(count: int) -> list[dict[str, str]]:
    return [{"key": f"team-{number}", "value": "true", "effect": "NO_SCHEDULE"} for number in range(count)]


keeps("image-fits-hardware", "image-still-made", "image-supports-kubernetes")(
    lambda: a_group_with(ami_type="AL2023_x86_64_NVIDIA")
)
keeps("managed-taints-at-most-fifty")(lambda: a_group_with(taints=_taints(50)))
breaks("managed-taints-at-most-fifty", "A managed group of 51 taints.", at={"workers"})(
    lambda: a_group_with(taints=_taints(51))
)
keeps("kubelet-within-version-skew")(lambda: a_group_with(ami_type="AL2023_x86_64_NVIDIA", version="1.34"))
breaks("kubelet-within-version-skew", "Nodes of 1.36 on a control plane of 1.35.", at={"workers"})(
    lambda: a_group_with(ami_type="AL2023_x86_64_NVIDIA", version="1.36")
)


@keeps("custom-image-alone")
def keeps_custom_image_alone() -> None:
    world = a_world()
    workers(world, plain_template(world, image_id="ami-0123456789abcdef0"), ami_type="CUSTOM")


@breaks("custom-image-alone", "A custom image, and amiType beside it.", at={"workers"})
def breaks_custom_image_alone() -> None:
    world = a_world()
    workers(world, plain_template(world, image_id="ami-0123456789abcdef0"), ami_type="AL2023_x86_64_NVIDIA")


@keeps("disk-and-access-in-template")
def keeps_disk_and_access_in_template() -> None:
    world = a_world()
    disk = {"device_name": "/dev/xvda", "ebs": {"volume_size": 300, "volume_type": "gp3", "encrypted": "true"}}
    workers(world, a_template(world, block_device_mappings=[disk]))


breaks("disk-and-access-in-template", "diskSize beside a launch template.", at={"workers"})(
    lambda: a_group_with(disk_size=300)
)

breaks("group-has-subnet", "No subnet at all.", at={"workers"})(lambda: a_group_with(subnet_ids=[]))

breaks("image-fits-hardware", "GPUs on an image without their driver.", at={"workers"})(
    lambda: a_group_with(ami_type="AL2023_x86_64_STANDARD")
)

RELEASE = "amazon-eks-node-al2023-x86_64-nvidia-1.35-v20260903"
PATH = f"/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia/{RELEASE}/image_id"


@keeps("image-parameter-exists", facts=facts(imageParameters={PATH: "ami-0123456789abcdef0"}))
@breaks(
    "image-parameter-exists",
    "An Auto Scaling group on a release that the Region does not have.",
    at={"workers"},
    facts=facts(imageParameters={PATH: None}),
)
def program_of_image_parameter_exists() -> None:
    world = a_world()
    own_workers(world, plain_template(world, image_id=f"resolve:ssm:{PATH}"))


EKS = "resolve:ssm:/aws/service/eks/optimized-ami/1.35/amazon-linux-2023/x86_64/nvidia"


@keeps("image-parameter-fixed")
def keeps_image_parameter_fixed() -> None:
    world = a_world()
    image = "amazon-eks-node-al2023-x86_64-nvidia-1.35-v20260903"
    own_workers(world, plain_template(world, image_id=f"{EKS}/{image}/image_id"))


@breaks("image-parameter-fixed", "An Auto Scaling group on the image that EKS currently recommends.", at={"workers"})
def breaks_image_parameter_fixed() -> None:
    world = a_world()
    own_workers(world, plain_template(world, image_id=f"{EKS}/recommended/image_id"))


@keeps("image-parameter-not-managed")
def keeps_image_parameter_not_managed() -> None:
    world = a_world()
    workers(world, plain_template(world, image_id="ami-0123456789abcdef0"))


@breaks("image-parameter-not-managed", "An SSM parameter as the image of a managed node group.", at={"workers"})
def breaks_image_parameter_not_managed() -> None:
    world = a_world()
    workers(world, plain_template(world, image_id="resolve:ssm:/teams/ml/image"))


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


breaks("image-still-made", "Nodes on Amazon Linux 2, a year after its last image.", at={"workers"})(
    lambda: a_group_with(ami_type="AL2_x86_64_GPU", version="1.32")
)

breaks("image-supports-kubernetes", "Amazon Linux 2 on Kubernetes 1.35.", at={"workers"})(
    lambda: a_group_with(ami_type="AL2_x86_64_GPU")
)


@keeps("instance-type-catalogued")
def keeps_instance_type_catalogued() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="g5.8xlarge"), ami_type="AL2023_x86_64_NVIDIA")


@breaks("instance-type-catalogued", "An unknown type of accelerated instance.", at={"workers"})
def breaks_instance_type_catalogued() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="p5.84xlarge"), ami_type="AL2023_x86_64_NVIDIA")


@keeps("instance-type-stated")
def keeps_instance_type_stated() -> None:
    world = a_world()
    workers(world, None, instance_types=["m5.8xlarge"])


breaks("instance-type-stated", "No type anywhere: EKS takes t3.medium.", at={"workers"})(
    lambda: a_template_with(instance_type=None, network_interfaces=None)
)


@keeps("instance-type-stated-once")
def keeps_instance_type_stated_once() -> None:
    world = a_world()
    workers(world, a_template(world, instance_type=None), instance_types=["p4d.24xlarge"])


breaks("instance-type-stated-once", "The type in the group and in its template.", at={"workers"})(
    lambda: a_group_with(instance_types=["p4d.24xlarge"])
)

SIZES = ("large", "xlarge", "2xlarge", "4xlarge", "8xlarge", "12xlarge", "16xlarge")


@keeps("instance-types-at-most-twenty")
def keeps_instance_types_at_most_twenty() -> None:
    world = a_world()
    workers(world, None, instance_types=[f"{family}.{size}" for family in ("m5", "m6i") for size in SIZES])


@breaks("instance-types-at-most-twenty", "Every size of three families.", at={"workers"})
def breaks_instance_types_at_most_twenty() -> None:
    world = a_world()
    workers(world, None, instance_types=[f"{family}.{size}" for family in ("m5", "m6i", "m7i") for size in SIZES])


keeps("managed-template-settings")(lambda: a_template_with(ebs_optimized="true"))
breaks("managed-template-settings", "An instance profile in the template, which EKS creates itself.", at={"workers"})(
    lambda: a_template_with(iam_instance_profile={"name": "nodes"})
)


def _p5(world: World, **template: Any) -> None:
    every = interfaces(world, efa_group(world), cards=32)
    workers(world, a_template(world, instance_type="p5.48xlarge", network_interfaces=every, **template))


keeps("max-pods-within-addresses")(lambda: _p5(a_world(), user_data=told(51)))
breaks(
    "max-pods-within-addresses",
    "EFA-only on card 0 of p5.48xlarge, and a kubelet that does not know it.",
    at={"workers"},
)(lambda: _p5(a_world()))


@keeps("node-repair-limits-single")
def keeps_node_repair_limits_single() -> None:
    world = a_world()
    limits = {"enabled": True, "max_parallel_nodes_repaired_count": 1}
    workers(world, a_template(world), node_repair_config=limits)


@breaks("node-repair-limits-single", "A number and a percentage of nodes repaired at a time.", at={"workers"})
def breaks_node_repair_limits_single() -> None:
    world = a_world()
    limits = {"max_parallel_nodes_repaired_count": 1, "max_parallel_nodes_repaired_percentage": 10}
    workers(world, a_template(world), node_repair_config={"enabled": True, **limits})


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


breaks("nodes-in-order", "A desired size of three nodes with a maximum of two.", at={"workers"})(
    lambda: a_group_with(scaling_config={"min_size": 0, "desired_size": 3, "max_size": 2})
)


def _micro_group(most: int) -> None:
    """A group whose nodes take few addresses of their subnet."""
    world = a_world()
    template = a_template(world, instance_type="t3.micro", vpc_security_group_ids=[world.cluster_group])
    workers(world, template, scaling_config={"min_size": 0, "desired_size": 1, "max_size": most})


keeps("eks-default-quotas-suffice")(lambda: _micro_group(450))
breaks("eks-default-quotas-suffice", "A managed group of 451 nodes at most.", at={"workers"})(lambda: _micro_group(451))

keeps("update-limits-single")(lambda: a_group_with(update_config={"max_unavailable": 1}))
breaks("update-limits-single", "A number and a percentage of unavailable nodes in an update.", at={"workers"})(
    lambda: a_group_with(update_config={"max_unavailable": 1, "max_unavailable_percentage": 33})
)
