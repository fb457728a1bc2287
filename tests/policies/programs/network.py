"""Programs about the network."""

import pulumi_aws as aws

from tests.factories import facts
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import (
    ENCRYPTION,
    OFFICE,
    ZONES,
    a_role,
    a_template,
    a_template_with,
    a_world,
    efa_group,
    interfaces,
    plain_template,
    small_subnet,
    workers,
)

EVERYWHERE = {"protocol": "-1", "from_port": 0, "to_port": 0, "cidr_blocks": ["0.0.0.0/0"]}
ITSELF = {"protocol": "-1", "from_port": 0, "to_port": 0, "self": True}


@keeps("efa-security-groups-allow-themselves", "security-groups-per-interface")
def keeps_efa_security_groups_allow_themselves() -> None:
    world = a_world()
    efa = aws.ec2.SecurityGroup("efa", vpc_id=world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE, ITSELF])
    workers(world, a_template(world, network_interfaces=interfaces(world, efa)))


@breaks(
    "efa-security-groups-allow-themselves",
    "Egress to 0.0.0.0/0, and no egress to the group itself: a common mistake.",
    at={"efa"},
)
def breaks_efa_security_groups_allow_themselves() -> None:
    world = a_world()
    efa = aws.ec2.SecurityGroup("efa", vpc_id=world.vpc.id, ingress=[ITSELF], egress=[EVERYWHERE])
    workers(world, a_template(world, network_interfaces=interfaces(world, efa)))


@breaks("security-groups-per-interface", "Six security groups on each interface.", at={"workers"})
def breaks_security_groups_per_interface() -> None:
    world = a_world()
    rules = {"vpc_id": world.vpc.id, "ingress": [ITSELF], "egress": [EVERYWHERE, ITSELF]}
    groups = [aws.ec2.SecurityGroup(f"efa-{number}", **rules) for number in range(5)]
    nics = [
        {**nic, "security_groups": [world.cluster_group, *(each.id for each in groups)]}
        for nic in interfaces(world, groups[0])
    ]
    workers(world, a_template(world, network_interfaces=nics))


@breaks("efa-single-zone", "A group with EFA in all of the network's zones.", at={"workers"})
def breaks_efa_single_zone() -> None:
    world = a_world()
    workers(world, a_template(world), subnet_ids=[subnet.id for subnet in world.subnets])


@keeps("instance-offered-in-zone")
def keeps_instance_offered_in_zone() -> None:
    world = a_world(availability_zone_id="usw2-az1")
    workers(world, plain_template(world, instance_type="g5.8xlarge"))


@breaks("instance-offered-in-zone", "g5.8xlarge in a zone that is not known to offer it.", at={"workers"})
def breaks_instance_offered_in_zone() -> None:
    world = a_world(availability_zone_id="usw2-az4")
    workers(world, plain_template(world, instance_type="g5.8xlarge"))


@keeps("several-interfaces-no-public-ip")
def keeps_several_interfaces_no_public_ip() -> None:
    world = a_world()
    listed = interfaces(world, efa_group(world), associate_public_ip_address="false")
    workers(world, a_template(world, network_interfaces=listed))


@breaks("several-interfaces-no-public-ip", "A public address for a node with five interfaces.", at={"workers"})
def breaks_several_interfaces_no_public_ip() -> None:
    world = a_world()
    listed = interfaces(world, efa_group(world), associate_public_ip_address="true")
    workers(world, a_template(world, network_interfaces=listed))


breaks(
    "several-interfaces-private-subnets", "Five interfaces in a subnet that gives public addresses.", at={"workers"}
)(lambda: a_template_with(a_world(map_public_ip_on_launch=True)))


@breaks(
    "subnet-holds-all-nodes",
    "Two p4d.24xlarge full of pods, which take 600 addresses, in a /25 that holds the first.",
    at={"workers"},
)
def breaks_subnet_holds_all_nodes() -> None:
    world = a_world()
    workers(world, a_template(world), subnet_ids=[small_subnet(world, "10.0.128.0/25").id])


@breaks("subnet-holds-nodes", "One p4d.24xlarge, which takes 100 addresses, in a /26.", at={"workers"})
def breaks_subnet_holds_nodes() -> None:
    world = a_world()
    workers(world, a_template(world), subnet_ids=[small_subnet(world, "10.0.128.0/26").id])


@keeps("type-offered-in-zone", facts=facts(offerings={"g5.8xlarge": ["us-west-2a"]}))
@breaks(
    "type-offered-in-zone",
    "g5.8xlarge in a zone that does not offer it to this account.",
    at={"workers"},
    facts=facts(offerings={"g5.8xlarge": ["us-west-2b", "us-west-2c"]}),
)
def program_of_type_offered_in_zone() -> None:
    world = a_world(availability_zone_id="usw2-az4")
    workers(world, plain_template(world, instance_type="g5.8xlarge"))


breaks("vpc-cni-supports-efa", "efa-only interfaces with an old VPC CNI, which uses them for pods.", at={"vpc-cni"})(
    lambda: a_template_with(a_world(cni="v1.18.3-eksbuild.2"))
)

keeps("vpc-outside-docker-range")(a_world)


@breaks("vpc-outside-docker-range", "A network in Docker's default range.", at={"training"})
def breaks_vpc_outside_docker_range() -> None:
    vpc = aws.ec2.Vpc("main", cidr_block="172.17.0.0/16")
    subnets = [
        aws.ec2.Subnet(zone, vpc_id=vpc.id, cidr_block=f"172.17.{16 * index}.0/20", availability_zone=zone)
        for index, zone in enumerate(ZONES)
    ]
    aws.eks.Cluster(
        "training",
        role_arn=a_role("eks", "eks.amazonaws.com").arn,
        version="1.35",
        vpc_config={"subnet_ids": [subnet.id for subnet in subnets], "public_access_cidrs": list(OFFICE)},
        encryption_config=ENCRYPTION,
    )


breaks("zone-in-region", "A subnet of another Region's zone, copied with its block.", at={"training"})(
    lambda: a_template_with(a_world(zones=("us-west-2a", "us-west-2b", "us-east-1c")))
)
