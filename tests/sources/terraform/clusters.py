"""A cluster as terraform-aws-eks makes it, in its parts.

The shapes are those of terraform-aws-modules/terraform-aws-eks 21 (`modules/eks-managed-node-group`): the node group's
template and the template's interfaces are `dynamic` blocks, and most arguments are local values.
"""

from typing import Any

from muster.unknown import UNKNOWN
from tests.sources.terraform.plans import Call, Resource

GPU = "p5.48xlarge"
MODULE = 'module.eks.module.node_group["gpu"]'
TEMPLATE = f"{MODULE}.aws_launch_template.this[0]"
GROUP = f"{MODULE}.aws_eks_node_group.this[0]"


def interfaces(cards: int = 32, groups: Any = UNKNOWN) -> list[dict[str, Any]]:
    """EFA on every network card."""
    return [
        {
            "network_card_index": card,
            "device_index": 0 if card == 0 else 1,
            "interface_type": "efa" if card == 0 else "efa-only",
            "delete_on_termination": "true",
            "security_groups": [groups],
            "subnet_id": None,
        }
        for card in range(cards)
    ]


def cluster(cards: int = 32, **template: Any) -> tuple[Resource, ...]:
    """The resources of the module; `template` are other attributes of the launch template."""
    return (
        Resource(
            "module.eks.aws_eks_cluster.this[0]",
            {
                "name": "training",
                "version": "1.34",
                "role_arn": UNKNOWN,
                "vpc_config": [
                    {"subnet_ids": ["subnet-1"], "endpoint_public_access": False, "cluster_security_group_id": UNKNOWN}
                ],
                "encryption_config": [{"resources": ["secrets"]}],
                "enabled_cluster_log_types": ["api", "audit", "authenticator"],
                "access_config": UNKNOWN,
            },
            refers={"vpc_config": [{"subnet_ids": {}, "endpoint_public_access": {}}]},
        ),
        Resource(
            TEMPLATE,
            {
                "name_prefix": "gpu-",
                "name": UNKNOWN,
                "instance_type": GPU,
                "image_id": None,
                "metadata_options": [{"http_tokens": "required", "http_put_response_hop_limit": 2}],
                "block_device_mappings": [
                    {"device_name": "/dev/xvda", "ebs": [{"encrypted": "true", "volume_size": 200, "iops": UNKNOWN}]}
                ],
                "network_interfaces": interfaces(cards),
                "vpc_security_group_ids": None,
                **template,
            },
            dynamic=("network_interfaces", "metadata_options", "block_device_mappings"),
        ),
        Resource(
            GROUP,
            {
                "cluster_name": "training",
                "node_group_name_prefix": "gpu-",
                "node_group_name": UNKNOWN,
                "node_role_arn": UNKNOWN,
                "subnet_ids": ["subnet-1"],
                "ami_type": "AL2023_x86_64_NVIDIA",
                "capacity_type": UNKNOWN,
                "disk_size": UNKNOWN,
                "instance_types": UNKNOWN,
                "release_version": UNKNOWN,
                "version": "1.34",
                "scaling_config": [{"min_size": 2, "max_size": 2, "desired_size": 2}],
                "launch_template": [{"id": UNKNOWN, "name": UNKNOWN, "version": UNKNOWN}],
                "taint": [{"key": "nvidia.com/gpu", "value": "true", "effect": "NO_SCHEDULE"}],
                "update_config": UNKNOWN,
                "remote_access": [],
            },
            refers={"node_role_arn": ["local.iam_role_arn"]},
            dynamic=("launch_template", "taint"),
        ),
    )


CALLS = (
    Call("eks", inputs={"name": [], "subnet_ids": ["var.subnet_ids"]}),
    Call(
        "eks.node_group",
        inputs={
            "cluster_name": ["aws_eks_cluster.this[0].name"],
            "launch_template_id": ["each.value.launch_template_id"],
        },
        for_each=("var.eks_managed_node_groups", "local.create"),
    ),
)
"""The calls of both modules."""
