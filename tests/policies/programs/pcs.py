"""Programs about AWS PCS: written as people write them, with the cluster of Pulumi's native provider and of Cloud
Control."""

from typing import Any

import pulumi
import pulumi_aws as aws
import pulumi_aws_native as native

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import CR, HARDENED, block_facts, subnets_of

IMAGE = "ami-0123456789abcdef0"


class Ground:
    """A network, a security group with the rules that PCS requires, and the instance profile of nodes."""

    def __init__(self, *, itself: bool = True) -> None:
        vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")
        self.subnets = subnets_of(vpc)
        self.group = aws.ec2.SecurityGroup("slurm", vpc_id=vpc.id)
        own = {"security_group_id": self.group.id, "referenced_security_group_id": self.group.id, "ip_protocol": "-1"}
        if itself:
            aws.vpc.SecurityGroupIngressRule("slurm", **own)
            aws.vpc.SecurityGroupEgressRule("slurm", **own)
        aws.vpc.SecurityGroupEgressRule(
            "everywhere", security_group_id=self.group.id, cidr_ipv4="0.0.0.0/0", ip_protocol="-1"
        )
        self.profile = aws.iam.InstanceProfile("nodes", path="/aws-pcs/")

    def cluster(self, **settings: Any) -> native.pcs.Cluster:
        """A cluster of size small in the first zone."""
        defaults: dict[str, Any] = {
            "name": "training",
            "size": "SMALL",
            "scheduler": {"type": "SLURM", "version": "25.11"},
            "networking": {"subnet_ids": [self.subnets[0].id], "security_group_ids": [self.group.id]},
        }
        return native.pcs.Cluster("training", **{**defaults, **settings})

    def template(self, **settings: Any) -> aws.ec2.LaunchTemplate:
        """One with EFA on each card of a p4d.24xlarge."""
        interfaces = [
            {
                "network_card_index": card,
                "device_index": 1 if card else 0,
                "interface_type": "efa",
                "security_groups": [self.group.id],
            }
            for card in range(4)
        ]
        return aws.ec2.LaunchTemplate("workers", **{**HARDENED, "network_interfaces": interfaces, **settings})

    def workers(self, cluster: pulumi.Input[str], name: str = "workers", **settings: Any) -> Any:
        """Up to two p4d.24xlarge."""
        template = settings.pop("template", None) or self.template()
        defaults: dict[str, Any] = {
            "name": name,
            "cluster_id": cluster,
            "ami_id": IMAGE,
            "custom_launch_template": {"template_id": template.id, "version": "1"},
            "iam_instance_profile_arn": self.profile.arn,
            "instance_configs": [{"instance_type": "p4d.24xlarge"}],
            "scaling_configuration": {"min_instance_count": 0, "max_instance_count": 2},
            "subnet_ids": [self.subnets[0].id],
        }
        return native.pcs.ComputeNodeGroup(name, **{**defaults, **settings})

    def plain(self, cluster: pulumi.Input[str], name: str = "cpu", **settings: Any) -> Any:
        """Up to two nodes without EFA."""
        template = aws.ec2.LaunchTemplate(f"{name}-nodes", vpc_security_group_ids=[self.group.id], **HARDENED)
        config = [{"instance_type": "m5.8xlarge"}]
        return self.workers(cluster, name, **{"template": template, "instance_configs": config, **settings})


def queue(cluster: pulumi.Input[str], *groups: Any, **settings: Any) -> native.pcs.Queue:
    """A queue with groups."""
    listed = [{"compute_node_group_id": each.aws_id} for each in groups]
    defaults = {"name": "train", "cluster_id": cluster, "compute_node_group_configurations": listed}
    return native.pcs.Queue("train", **{**defaults, **settings})


def own(**settings: Any) -> Any:
    """A cluster with one group, which has these settings."""
    on = Ground()
    return on.workers(on.cluster().aws_id, **settings)


def on_block(**settings: Any) -> None:
    """Workers on a Capacity Block."""
    on = Ground()
    template = on.template(
        instance_type="p4d.24xlarge",
        instance_market_options={"market_type": "capacity-block"},
        capacity_reservation_specification={"capacity_reservation_target": {"capacity_reservation_id": CR}},
    )
    on.workers(on.cluster().aws_id, template=template, **settings)


keeps("pcs-capacity-block-purchase-option", facts=block_facts())(lambda: on_block(purchase_option="CAPACITY_BLOCK"))
breaks(
    "pcs-capacity-block-purchase-option",
    "A group on a Capacity Block that requests on-demand instances.",
    at={"workers"},
    facts=block_facts(),
)(on_block)
