"""What every program here needs and none is about: a network, a cluster, a role.

Written as people write it: nothing of Muster's, no components, security group rules in whatever form.
"""

import json
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pulumi
import pulumi_aws as aws

from muster.fleet.facts import Facts
from tests.factories import facts

ZONES = ("us-west-2a", "us-west-2b")
CR = "cr-0123456789abcdef0"
OFFICE = ("203.0.113.0/24",)
"""Where people deploy from."""
_SECRETS_KEY = "arn:aws:kms:us-west-2:000000000000:key/0a1b2c3d-0000-4000-8000-0a1b2c3d4e5f"
ENCRYPTION: dict[str, Any] = {"provider": {"key_arn": _SECRETS_KEY}, "resources": ["secrets"]}
HARDENED: dict[str, Any] = {
    "metadata_options": {"http_tokens": "required", "http_put_response_hop_limit": 1},
    "block_device_mappings": [{"device_name": "/dev/xvda", "ebs": {"encrypted": "true"}}],
}
"""What a launch template says of credentials and disks."""


@dataclass
class World:
    """A cluster that nothing is wrong with yet."""

    vpc: aws.ec2.Vpc
    subnets: list[aws.ec2.Subnet]
    cluster: aws.eks.Cluster
    node_role: aws.iam.Role

    @property
    def cluster_group(self) -> pulumi.Output[str]:
        """The security group that EKS makes."""
        return self.cluster.vpc_config.cluster_security_group_id


def a_role(name: str, service: str) -> aws.iam.Role:
    """A role that a service assumes."""
    statement = {"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {"Service": service}}
    return aws.iam.Role(name, assume_role_policy=json.dumps({"Version": "2012-10-17", "Statement": [statement]}))


def subnets_of(vpc: aws.ec2.Vpc, zones: Sequence[str] = ZONES, **more: Any) -> list[aws.ec2.Subnet]:
    """One subnet a zone."""
    return [
        aws.ec2.Subnet(
            f"private-{zone}", vpc_id=vpc.id, cidr_block=f"10.0.{16 * index}.0/20", availability_zone=zone, **more
        )
        for index, zone in enumerate(zones)
    ]


def a_world(
    *,
    version: str | None = "1.35",
    cni: str | None = "v1.23.1-eksbuild.1",
    api: Sequence[str] | None = OFFICE,
    mode: str | None = None,
    encrypted: bool = True,
    **network: Any,
) -> World:
    """A network in two zones and a cluster in it, of an authentication mode where one is said."""
    vpc = aws.ec2.Vpc("main", cidr_block="10.0.0.0/16")
    subnets = subnets_of(vpc, **network)
    cluster = aws.eks.Cluster(
        "training",
        role_arn=a_role("eks", "eks.amazonaws.com").arn,
        version=version,
        vpc_config={"subnet_ids": [subnet.id for subnet in subnets], "public_access_cidrs": list(api) if api else None},
        encryption_config=ENCRYPTION if encrypted else None,
        access_config={"authentication_mode": mode} if mode else None,
    )
    if cni:
        aws.eks.Addon("vpc-cni", cluster_name=cluster.name, addon_name="vpc-cni", addon_version=cni)
    return World(vpc, subnets, cluster, a_role("nodes", "ec2.amazonaws.com"))


def efa_group(world: World, name: str = "efa") -> aws.ec2.SecurityGroup:
    """A security group that allows itself in and out."""
    group = aws.ec2.SecurityGroup(name, vpc_id=world.vpc.id)
    aws.vpc.SecurityGroupIngressRule(
        name, security_group_id=group.id, referenced_security_group_id=group.id, ip_protocol="-1"
    )
    aws.vpc.SecurityGroupEgressRule(
        name, security_group_id=group.id, referenced_security_group_id=group.id, ip_protocol="-1"
    )
    return group


def interfaces(world: World, group: aws.ec2.SecurityGroup, cards: int = 4, **primary: Any) -> list[dict[str, Any]]:
    """AWS's layout: a plain primary interface, efa-only on every card."""
    first = {"device_index": 0, "security_groups": [world.cluster_group, group.id], **primary}
    return [first, *(efa_only(card, group) for card in range(cards))]


def efa_only(card: int, group: aws.ec2.SecurityGroup, **more: Any) -> dict[str, Any]:
    """An efa-only interface: device 1 on card 0, device 0 elsewhere."""
    device = 1 if card == 0 else 0
    return {
        "network_card_index": card,
        "device_index": device,
        "interface_type": "efa-only",
        "security_groups": [group.id],
        **more,
    }


def a_template(world: World, **settings: Any) -> aws.ec2.LaunchTemplate:
    """A launch template for p4d.24xlarge; without interfaces of its own it gets AWS's layout."""
    if "network_interfaces" not in settings and "vpc_security_group_ids" not in settings:
        settings["network_interfaces"] = interfaces(world, efa_group(world))
    return aws.ec2.LaunchTemplate("workers", **{"instance_type": "p4d.24xlarge", **HARDENED, **settings})


def workers(world: World, template: aws.ec2.LaunchTemplate | None, **settings: Any) -> aws.eks.NodeGroup:
    """A managed node group in the first zone."""
    if template is not None:
        settings["launch_template"] = {"id": template.id, "version": template.latest_version.apply(str)}
    defaults: dict[str, Any] = {
        "subnet_ids": [world.subnets[0].id],
        "scaling_config": {"min_size": 0, "desired_size": 1, "max_size": 2},
    }
    return aws.eks.NodeGroup(
        "workers", cluster_name=world.cluster.name, node_role_arn=world.node_role.arn, **{**defaults, **settings}
    )


def a_template_with(world: World | None = None, **settings: Any) -> aws.eks.NodeGroup:
    """Workers on a launch template with these settings."""
    on = world or a_world()
    return workers(on, a_template(on, **settings))


def a_group_with(world: World | None = None, **settings: Any) -> aws.eks.NodeGroup:
    """Workers whose node group has these settings."""
    on = world or a_world()
    return workers(on, a_template(on), **settings)


def told(max_pods: int) -> str:
    """User data that tells the kubelet how many pods it takes."""
    config = {"kubelet": {"config": {"maxPods": max_pods}}}
    kind = {"apiVersion": "node.eks.aws/v1alpha1", "kind": "NodeConfig"}
    return b64encode(json.dumps({**kind, "spec": config}, indent=2).encode()).decode()


def block_template(world: World, **settings: Any) -> aws.ec2.LaunchTemplate:
    """A launch template for the Capacity Block that `CR` is."""
    return a_template(
        world,
        **{
            "instance_market_options": {"market_type": "capacity-block"},
            "capacity_reservation_specification": {"capacity_reservation_target": {"capacity_reservation_id": CR}},
            **settings,
        },
    )


def reservation_facts(**more: Any) -> Facts:
    """What AWS says of `CR`: two p4d.24xlarge in the first zone."""
    usable = {"state": "active", "platform": "Linux/UNIX", "tenancy": "default", "reservationType": "default"}
    known = {"instanceType": "p4d.24xlarge", "zone": ZONES[0], "totalInstances": 2, **usable, **more}
    return facts(reservations={CR: known})


def block_facts(**more: Any) -> Facts:
    """The same of a Capacity Block that runs."""
    return reservation_facts(
        **{
            "reservationType": "capacity-block",
            "start": "2026-11-14T11:30:00Z",
            "end": "2026-11-28T11:30:00Z",
            **more,
        }
    )


POOL = {"type": "AWS::EC2::CapacityReservationPool"}
RESERVATIONS_ONLY = {
    "type": "AWS::ResourceGroups::Generic",
    "parameters": [{"name": "allowed-resource-types", "values": ["AWS::EC2::CapacityReservation"]}],
}


def reservation_group(
    *arns: pulumi.Input[str], entries: Sequence[Any] = (POOL, RESERVATIONS_ONLY)
) -> aws.resourcegroups.Group:
    """A resource group of reservations."""
    group = aws.resourcegroups.Group("reserved", name="reserved", configurations=list(entries))
    for index, each in enumerate(arns):
        aws.resourcegroups.Resource(f"reserved-{index}", group_arn=group.arn, resource_arn=each)
    return group


def on_group(world: World, group: pulumi.Input[str], preference: str | None = "capacity-reservations-only") -> Any:
    """The workers' template, which targets a resource group."""
    target = {"capacity_reservation_target": {"capacity_reservation_resource_group_arn": group}}
    said = {"capacity_reservation_preference": preference} if preference else {}
    return a_template(world, capacity_reservation_specification={**target, **said})


LUSTRE_PORTS = ((988, 988), (1018, 1023))


def lustre_group(
    world: World, *peers: pulumi.Input[str], ports: Sequence[tuple[int, int]] = LUSTRE_PORTS
) -> aws.ec2.SecurityGroup:
    """The file system's security group: Lustre's ports for itself and for the cluster's group, or for other peers."""
    others = list(peers) or [world.cluster_group]
    rules = [
        {"protocol": "tcp", "from_port": first, "to_port": last, "self": True, "security_groups": others}
        for first, last in ports
    ]
    return aws.ec2.SecurityGroup("fsx", vpc_id=world.vpc.id, ingress=rules, egress=rules)


def file_system(world: World, group: aws.ec2.SecurityGroup | None = None, **settings: Any) -> aws.fsx.LustreFileSystem:
    """A file system of 1200 GiB beside the workers."""
    defaults: dict[str, Any] = {
        "subnet_ids": world.subnets[0].id,
        "storage_capacity": 1200,
        "deployment_type": "PERSISTENT_2",
        "per_unit_storage_throughput": 250,
        "file_system_type_version": "2.15",
        "metadata_configuration": {"mode": "AUTOMATIC"},
    }
    groups = [(group or lustre_group(world)).id]
    return aws.fsx.LustreFileSystem("scratch", **{"security_group_ids": groups, **defaults, **settings})
