"""EKS for pretraining on reserved p5.48xlarge."""

import pulumi
import pulumi_aws as aws
from network import private_subnets, vpc

config = pulumi.Config()
nodes = config.require_int("nodes")

INSTANCE = "p5.48xlarge"
CARDS = 32


def role(name: str, service: str, *policies: str) -> aws.iam.Role:
    """A role that a service assumes, with AWS's policies."""
    trust = aws.iam.get_policy_document(
        statements=[
            {
                "actions": ["sts:AssumeRole"],
                "principals": [{"type": "Service", "identifiers": [service]}],
            }
        ]
    )
    made = aws.iam.Role(name, assume_role_policy=trust.json)
    for policy in policies:
        aws.iam.RolePolicyAttachment(f"{name}-{policy}", role=made.name, policy_arn=f"arn:aws:iam::aws:policy/{policy}")
    return made


cluster = aws.eks.Cluster(
    "training",
    version="1.35",
    role_arn=role("control-plane", "eks.amazonaws.com", "AmazonEKSClusterPolicy").arn,
    vpc_config={
        "subnet_ids": [subnet.id for subnet in private_subnets],
        "endpoint_private_access": True,
        "public_access_cidrs": ["203.0.113.0/24"],
    },
    access_config={"authentication_mode": "API"},
)
aws.eks.Addon("vpc-cni", cluster_name=cluster.name, addon_name="vpc-cni", addon_version="v1.17.1-eksbuild.1")

efa = aws.ec2.SecurityGroup("efa", vpc_id=vpc.id, description="EFA between the nodes")
aws.vpc.SecurityGroupIngressRule(
    "efa-in", security_group_id=efa.id, referenced_security_group_id=efa.id, ip_protocol="-1"
)
aws.vpc.SecurityGroupEgressRule("efa-out", security_group_id=efa.id, cidr_ipv4="0.0.0.0/0", ip_protocol="-1")

reservation = aws.ec2.CapacityReservation(
    "p5",
    instance_type=INSTANCE,
    instance_platform="Linux/UNIX",
    availability_zone="us-west-2b",
    instance_count=2,
    instance_match_criteria="targeted",
)

template = aws.ec2.LaunchTemplate(
    "workers",
    instance_type=INSTANCE,
    update_default_version=True,
    metadata_options={"http_tokens": "required", "http_put_response_hop_limit": 2},
    block_device_mappings=[
        {"device_name": "/dev/xvda", "ebs": {"volume_size": 500, "volume_type": "gp3", "encrypted": "true"}}
    ],
    capacity_reservation_specification={
        "capacity_reservation_target": {"capacity_reservation_id": reservation.id},
    },
    network_interfaces=[
        {
            "device_index": 0 if card == 0 else 1,
            "network_card_index": card,
            "interface_type": "efa" if card == 0 else "efa-only",
            "security_groups": [efa.id],
        }
        for card in range(CARDS)
    ],
)

workers = aws.eks.NodeGroup(
    "workers",
    cluster_name=cluster.name,
    node_role_arn=role(
        "nodes", "ec2.amazonaws.com", "AmazonEKSWorkerNodePolicy", "AmazonEC2ContainerRegistryPullOnly"
    ).arn,
    ami_type="AL2023_x86_64_NVIDIA",
    subnet_ids=[subnet.id for subnet in private_subnets],
    scaling_config={"min_size": nodes, "desired_size": nodes, "max_size": nodes},
    launch_template={"id": template.id, "version": template.latest_version.apply(str)},
)

pulumi.export("cluster", cluster.name)
