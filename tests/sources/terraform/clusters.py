"""A cluster as terraform-aws-eks makes it, in its parts.

The shapes are those of terraform-aws-modules/terraform-aws-eks 21 (`modules/eks-managed-node-group`): the node group's
template and the template's interfaces are `dynamic` blocks, and most arguments are local values.
"""

from collections.abc import Iterator
from dataclasses import replace
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


def many(groups: int) -> Iterator[Resource]:
    """The cluster with this number of groups, and 19 resources for each: 20,000 resources have 1,052 groups."""
    yield cluster()[0]
    for number in range(groups):
        yield from _group(number)


_POLICIES = ("AmazonEKSWorkerNodePolicy", "AmazonEKS_CNI_Policy", "AmazonEC2ContainerRegistryReadOnly")
_TRUST = (
    '{"Statement": [{"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"}]}'
)
_OWN_SUBNET, _OWN_GROUP = ["aws_subnet.private", "count.index"], ["aws_security_group.efa", "count.index"]


def _group(number: int) -> Iterator[Resource]:
    """A group of the module, and the network, instances and capacity that the root module has for it."""
    own = {"tags": {"team": "research"}, "tags_all": {"team": "research"}}
    for each in cluster(cards=8)[1:]:
        yield replace(each, address=each.address.replace("gpu", f"gpu{number}"), values={**each.values, **own})
    module = MODULE.replace("gpu", f"gpu{number}")
    yield Resource(f"{module}.aws_iam_role.this[0]", {"assume_role_policy": _TRUST, "name": UNKNOWN, **own})
    for policy in _POLICIES:
        named = {"policy_arn": f"arn:aws:iam::aws:policy/{policy}", "role": UNKNOWN}
        refers = {"role": ["aws_iam_role.this[0].name"], "policy_arn": ["each.value"]}
        yield Resource(f'{module}.aws_iam_role_policy_attachment.this["{policy}"]', named, refers, ("local.policies",))
    cidr = f"10.{number // 250}.{number % 250}.0/24"
    rule = {"security_group_id": UNKNOWN, "referenced_security_group_id": UNKNOWN, "ip_protocol": "-1", **own}
    ssh = {"type": "ingress", "protocol": "tcp", "from_port": 22, "to_port": 22, "cidr_blocks": ["10.0.0.0/8"]}
    in_group = {"security_group_id": _OWN_GROUP}
    placed = {"subnet_id": _OWN_SUBNET, "vpc_security_group_ids": _OWN_GROUP}
    instance = {"ami": "ami-0123456789abcdef0", "instance_type": "c5.2xlarge", **dict.fromkeys(placed, UNKNOWN), **own}
    both = {**in_group, "referenced_security_group_id": _OWN_GROUP}
    reservation = {"instance_type": GPU, "availability_zone": "us-west-2a", "instance_count": 2, **own}
    for kind, values, refers in (
        ("subnet.private", {"vpc_id": "vpc-1", "cidr_block": cidr, "availability_zone": "us-west-2a", **own}, {}),
        ("route_table_association.private", {"subnet_id": UNKNOWN}, {"subnet_id": _OWN_SUBNET}),
        ("security_group.efa", {"name": f"efa{number}", "vpc_id": "vpc-1", "ingress": UNKNOWN, **own}, {}),
        ("vpc_security_group_ingress_rule.efa", rule, both),
        ("vpc_security_group_egress_rule.efa", rule, both),
        ("security_group_rule.ssh", {**ssh, "security_group_id": UNKNOWN}, in_group),
        ("instance.bastion", instance, placed),
        ("instance.monitor", instance, placed),
        ("instance.login", instance, placed),
        ("ec2_capacity_reservation.gpu", reservation, {}),
        ("placement_group.gpu", {"name": f"gpu{number}", "strategy": "cluster", **own}, {}),
        ("s3_object.scripts", {"bucket": "lifecycle", "key": f"scripts/{number}.sh"}, {}),
        ("cloudwatch_log_group.group", {"name": f"/gpu/{number}", "retention_in_days": 90, **own}, {}),
    ):
        yield Resource(f"aws_{kind}[{number}]", values, refers)
