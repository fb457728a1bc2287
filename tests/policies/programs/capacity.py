"""Programs about capacity."""

import pulumi_aws as aws

from tests.factories import facts
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import (
    CR,
    CR_ARN,
    HARDENED,
    POOL,
    World,
    a_group_with,
    a_template,
    a_template_with,
    a_world,
    block_facts,
    block_template,
    block_workers,
    on_group,
    plain_template,
    reservation_facts,
    reservation_group,
    workers,
)

BLOCKS = "arn:aws:resource-groups:us-west-2:000000000000:group/blocks"
_GROUPED = facts(
    reservations={CR: block_facts().reservations[CR].model_dump(by_alias=True)},
    reservationGroups={
        BLOCKS: {
            "configurations": ["AWS::EC2::CapacityReservationPool", "AWS::ResourceGroups::Generic"],
            "reservations": [CR],
        }
    },
)


@keeps("capacity-block-by-id", facts=_GROUPED)
@keeps(
    "capacity-block-instance-type",
    "capacity-block-managed-group",
    "capacity-block-no-placement-group",
    "capacity-block-region",
    "capacity-block-template",
    facts=block_facts(),
)
def workers_on_a_block() -> None:
    world = a_world()
    block_workers(world, block_template(world))


@keeps(
    "placement-group-by-provenance",
    "reservation-covers-nodes",
    "reservation-instance-type-matches",
    "reservation-target-given",
    "reservation-target-single",
    "reservation-zone-matches-subnet",
    facts=facts(reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2}}),
)
@keeps("reservation-free-for-nodes", facts=reservation_facts(availableInstances=1))
@keeps("capacity-described-alike", "reservation-usable", facts=reservation_facts())
def workers_on_a_reservation() -> None:
    world = a_world()
    target = {"capacity_reservation_target": {"capacity_reservation_id": CR}}
    workers(world, a_template(world, capacity_reservation_specification=target))


@breaks("capacity-described-alike", "One reservation for p4d.24xlarge and p5.48xlarge.", at={"workers-b"})
def breaks_capacity_described_alike() -> None:
    world = a_world()
    target = {"capacity_reservation_target": {"capacity_reservation_id": CR}}
    workers(world, a_template(world, capacity_reservation_specification=target))
    large = aws.ec2.LaunchTemplate(
        "workers-b",
        instance_type="p5.48xlarge",
        capacity_reservation_specification=target,
        vpc_security_group_ids=[world.cluster_group],
        **HARDENED,
    )
    aws.eks.NodeGroup(
        "workers-b",
        cluster_name=world.cluster.name,
        node_role_arn=world.node_role.arn,
        launch_template={"id": large.id, "version": large.latest_version.apply(str)},
        subnet_ids=[world.subnets[0].id],
        scaling_config={"min_size": 0, "desired_size": 1, "max_size": 2},
    )


@keeps(
    "reservation-group-configured",
    "reservation-group-one-region",
    "reservation-group-preference",
    facts=reservation_facts(),
)
def workers_on_a_reservation_group() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group(CR_ARN).arn))


@breaks(
    "capacity-block-by-id",
    "A Capacity Block behind a resource group.",
    at={"workers"},
    facts=_GROUPED,
)
def breaks_capacity_block_by_id() -> None:
    world = a_world()
    target = {"capacity_reservation_target": {"capacity_reservation_resource_group_arn": BLOCKS}}
    block_workers(world, block_template(world, capacity_reservation_specification=target))


def _own_workers() -> aws.autoscaling.Group:
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


@keeps("capacity-block-drained", facts=block_facts())
def keeps_capacity_block_drained() -> None:
    group = _own_workers()
    aws.autoscaling.Schedule(
        "before-the-end",
        scheduled_action_name="before-the-end",
        autoscaling_group_name=group.name,
        start_time="2026-11-28T10:30:00Z",
        min_size=0,
        max_size=-1,
        desired_capacity=0,
    )


breaks(
    "capacity-block-drained",
    "An Auto Scaling group on a Capacity Block, without a schedule that scales it down.",
    at={"workers"},
    facts=block_facts(),
)(_own_workers)


def _without_efa(world: World) -> aws.ec2.LaunchTemplate:
    return block_template(world, instance_type="g5.48xlarge", vpc_security_group_ids=[world.cluster_group])


@breaks(
    "capacity-block-instance-type",
    "A Capacity Block of G5, which AWS does not sell.",
    at={"workers"},
    facts=block_facts(instanceType="g5.48xlarge"),
)
def breaks_capacity_block_instance_type() -> None:
    world = a_world()
    block_workers(world, _without_efa(world), ami_type="AL2023_x86_64_NVIDIA")


@breaks("capacity-block-region", "A Capacity Block of Trainium2 in a Region without any.", at={"workers"})
def breaks_capacity_block_region() -> None:
    world = a_world()
    template = block_template(world, instance_type="trn2.3xlarge", vpc_security_group_ids=[world.cluster_group])
    block_workers(world, template, ami_type="AL2023_x86_64_NEURON")


GB200, TRN2U = "p6e-gb200.36xlarge", "trn2u.48xlarge"


def _on_an_ultraserver(instance: str, image: str) -> None:
    world = a_world()
    template = block_template(world, instance_type=instance, vpc_security_group_ids=[world.cluster_group])
    block_workers(world, template, ami_type=image)


def _of_trainium2() -> None:
    _on_an_ultraserver(TRN2U, "AL2023_x86_64_NEURON")


keeps(
    "ultraserver-block-is-whole",
    "ultraserver-block-left-in-time",
    facts=block_facts(instanceType=TRN2U, totalInstances=4),
)(_of_trainium2)
breaks(
    "ultraserver-block-is-whole",
    "A Capacity Block with a half of an UltraServer.",
    at={"workers"},
    facts=block_facts(instanceType=TRN2U, totalInstances=2),
)(_of_trainium2)
breaks(
    "ultraserver-block-left-in-time",
    "A managed group on the Capacity Block of a P6e-GB200 UltraServer.",
    at={"workers"},
    facts=block_facts(instanceType=GB200, totalInstances=18),
)(lambda: _on_an_ultraserver(GB200, "AL2023_ARM_64_NVIDIA"))


def _gb200_on_kubernetes(version: str) -> None:
    world = a_world(version=version)
    target = {"capacity_reservation_target": {"capacity_reservation_id": CR}}
    template = plain_template(world, instance_type=GB200, capacity_reservation_specification=target)
    workers(world, template, ami_type="AL2023_ARM_64_NVIDIA")


keeps("ultraserver-kubernetes-version", facts=reservation_facts(instanceType=GB200))(
    lambda: _gb200_on_kubernetes("1.35")
)
breaks(
    "ultraserver-kubernetes-version",
    "P6e-GB200 on Kubernetes 1.32.",
    at={"training"},
    facts=facts(
        reservations={CR: reservation_facts(instanceType=GB200).reservations[CR].model_dump(by_alias=True)},
        kubernetesVersions={
            "1.32": {
                "offered": True,
                "endOfStandard": "2027-03-23T00:00:00Z",
                "endOfExtended": "2028-03-23T00:00:00Z",
            }
        },
    ),
)(lambda: _gb200_on_kubernetes("1.32"))


@breaks("on-demand-type-sold", "Nodes on demand of a type that comes in UltraServers only.", at={"workers"})
def breaks_on_demand_type_sold() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="p6e-gb200.36xlarge"), ami_type="AL2023_ARM_64_NVIDIA")


@keeps("on-demand-type-sold")
def keeps_on_demand_type_sold() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="c5.2xlarge"))


@keeps("spot-type-sold")
def keeps_spot_type_sold() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="c5.2xlarge"), capacity_type="SPOT")


@breaks("spot-type-sold", "Spot Instances of a type that EC2 sells on demand only.", at={"workers"})
def breaks_spot_type_sold() -> None:
    world = a_world()
    workers(world, plain_template(world, instance_type="u-6tb1.56xlarge"), capacity_type="SPOT")


@breaks(
    "capacity-block-managed-group", "Spot, on a template for a Capacity Block.", at={"workers"}, facts=block_facts()
)
def breaks_capacity_block_managed_group() -> None:
    world = a_world()
    block_workers(world, block_template(world), capacity_type="SPOT")


@breaks(
    "capacity-block-no-placement-group",
    "A Capacity Block in a placement group, as several tools make it.",
    at={"workers"},
    facts=block_facts(),
)
def breaks_capacity_block_no_placement_group() -> None:
    world = a_world()
    together = aws.ec2.PlacementGroup("together", name="together", strategy="cluster")
    block_workers(world, block_template(world, placement={"group_name": together.name}))


def _buy(**tags: str) -> None:
    aws.ec2.CapacityBlockReservation(
        "p5", capacity_block_offering_id="cb-0123456789abcdef0", instance_platform="Linux/UNIX", tags=tags
    )


@keeps("capacity-block-purchase-approved")
def keeps_capacity_block_purchase_approved() -> None:
    approval = {"muster:approved-by": "head.of.research", "muster:approved-offering": "cb-0123456789abcdef0"}
    _buy(team="research", **approval)


breaks("capacity-block-purchase-approved", "The program buys a Capacity Block without approval.", at={"p5"})(
    lambda: _buy(team="research")
)

SUBNETS = ["subnet-0123456789abcdef0"]


def _at_most(most: int) -> None:
    world = a_world()
    scaling = {"min_size": 0, "desired_size": 1, "max_size": most}
    block_workers(world, block_template(world), scaling_config=scaling, subnet_ids=SUBNETS)


keeps("capacity-block-size")(lambda: _at_most(64))
breaks("capacity-block-size", "More nodes than any block holds.", at={"workers"})(lambda: _at_most(65))


@breaks(
    "capacity-block-template",
    "The template targets a Capacity Block as if it were a reservation.",
    at={"workers"},
    facts=block_facts(),
)
def breaks_capacity_block_template() -> None:
    world = a_world()
    block_workers(world, block_template(world, instance_market_options=None))


def _from_the_start(start: int) -> None:
    world = a_world()
    scaling = {"min_size": 0, "desired_size": start, "max_size": 2}
    block_workers(world, block_template(world), scaling_config=scaling)


keeps(
    "capacity-block-waits",
    facts=block_facts(state="scheduled", start="2026-12-01T11:30:00Z", end="2026-12-15T11:30:00Z"),
)(lambda: _from_the_start(0))
breaks(
    "capacity-block-waits",
    "A node from the start, on a Capacity Block that has not started.",
    at={"workers"},
    facts=block_facts(state="scheduled", start="2026-12-01T11:30:00Z", end="2026-12-15T11:30:00Z"),
)(lambda: _from_the_start(1))

breaks(
    "placement-group-by-provenance",
    "The reservation is in a placement group that the template does not have.",
    at={"workers"},
    facts=facts(
        reservations={
            CR: {
                "instanceType": "p4d.24xlarge",
                "zone": "us-west-2a",
                "totalInstances": 2,
                "placementGroup": "training",
            }
        }
    ),
)(workers_on_a_reservation)


def _placed(strategy: str) -> None:
    world = a_world()
    group = aws.ec2.PlacementGroup("placed", name="placed", strategy=strategy)
    target = {"capacity_reservation_target": {"capacity_reservation_id": CR}}
    placement = {"group_name": group.name}
    workers(world, a_template(world, capacity_reservation_specification=target, placement=placement))


keeps("placement-group-holds-reservations", facts=reservation_facts())(lambda: _placed("cluster"))
breaks(
    "placement-group-holds-reservations",
    "Nodes on a reservation, in a placement group with the strategy spread.",
    at={"workers"},
    facts=reservation_facts(),
)(lambda: _placed("spread"))


def _together(world: World) -> aws.ec2.LaunchTemplate:
    group = aws.ec2.PlacementGroup("together", name="together", strategy="cluster")
    groups = [world.cluster_group]
    placement = {"group_name": group.name}
    return a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=groups, placement=placement)


@keeps("placement-group-one-zone")
def keeps_placement_group_one_zone() -> None:
    world = a_world()
    workers(world, _together(world))


@breaks("placement-group-one-zone", "A cluster placement group, and subnets of two zones.", at={"workers"})
def breaks_placement_group_one_zone() -> None:
    world = a_world()
    workers(world, _together(world), subnet_ids=[subnet.id for subnet in world.subnets])


breaks(
    "reservation-covers-nodes",
    "The reservation holds one instance, but the group can grow to two nodes.",
    at={"workers"},
    facts=facts(reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 1}}),
)(workers_on_a_reservation)


def _reserve(count: int) -> None:
    aws.ec2.CapacityReservation(
        "p4d",
        instance_type="p4d.24xlarge",
        instance_platform="Linux/UNIX",
        availability_zone="us-west-2a",
        instance_count=count,
    )


keeps("reservation-created-legal")(lambda: _reserve(1000))
breaks("reservation-created-legal", "A reservation of more instances than EC2 reserves at once.", at={"p4d"})(
    lambda: _reserve(1001)
)

breaks(
    "reservation-free-for-nodes",
    "Another instance already uses the reservation, which holds one.",
    at={"workers"},
    facts=reservation_facts(availableInstances=0),
)(workers_on_a_reservation)


@breaks(
    "reservation-group-configured",
    "A resource group with one of the two entries.",
    at={"reserved"},
    facts=reservation_facts(),
)
def breaks_reservation_group_configured() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group(CR_ARN, entries=[POOL]).arn))


@keeps("reservation-group-has-members")
def keeps_reservation_group_has_members() -> None:
    """The reservation is the program's own: in a preview nothing but what it depends on tells which."""
    world = a_world()
    reservation = aws.ec2.CapacityReservation(
        "p4d",
        instance_type="p4d.24xlarge",
        instance_platform="Linux/UNIX",
        availability_zone="us-west-2a",
        instance_count=2,
    )
    workers(world, on_group(world, reservation_group(reservation.arn).arn))


@breaks("reservation-group-has-members", "A resource group without members.", at={"reserved"})
def breaks_reservation_group_has_members() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group().arn))


@breaks(
    "reservation-group-one-region",
    "A reservation of another Region in the group.",
    at={"reserved"},
    facts=reservation_facts(),
)
def breaks_reservation_group_one_region() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group(CR_ARN.replace("us-west-2", "us-east-1")).arn))


@breaks(
    "reservation-group-preference",
    "A resource group as the target, and no preference that stops on-demand launches.",
    at={"workers"},
    facts=reservation_facts(),
)
def breaks_reservation_group_preference() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group(CR_ARN).arn, preference=None))


breaks(
    "reservation-instance-type-matches",
    "The reservation is for p4de.24xlarge.",
    at={"workers"},
    facts=facts(reservations={CR: {"instanceType": "p4de.24xlarge", "zone": "us-west-2a", "totalInstances": 2}}),
)(workers_on_a_reservation)

keeps(
    "reservation-preference-beside-target",
    facts=facts(reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2}}),
)(
    lambda: a_template_with(
        capacity_reservation_specification={
            "capacity_reservation_preference": "capacity-reservations-only",
            "capacity_reservation_target": {"capacity_reservation_id": CR},
        }
    )
)
breaks(
    "reservation-preference-beside-target",
    'The preference "open" beside a target.',
    at={"workers"},
    facts=facts(reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2}}),
)(
    lambda: a_template_with(
        capacity_reservation_specification={
            "capacity_reservation_preference": "open",
            "capacity_reservation_target": {"capacity_reservation_id": CR},
        }
    )
)

keeps("reservation-preference-known")(
    lambda: a_template_with(
        capacity_reservation_specification={"capacity_reservation_preference": "capacity-reservations-only"}
    )
)
breaks("reservation-preference-known", "A misspelled preference.", at={"workers"})(
    lambda: a_template_with(
        capacity_reservation_specification={"capacity_reservation_preference": "capacity-reservation-only"}
    )
)

breaks(
    "reservation-target-given",
    "A target with its key misspelt, which the provider drops.",
    at={"workers"},
    facts=facts(reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2}}),
)(lambda: a_template_with(capacity_reservation_specification={"capacity_reservation_target": {}}))

RESERVED = "arn:aws:resource-groups:us-west-2:000000000000:group/p4d"

breaks(
    "reservation-target-single",
    "The id of a reservation and a resource group, both as targets.",
    at={"workers"},
    facts=facts(reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2}}),
)(
    lambda: a_template_with(
        capacity_reservation_specification={
            "capacity_reservation_target": {
                "capacity_reservation_id": CR,
                "capacity_reservation_resource_group_arn": RESERVED,
            }
        }
    )
)

breaks(
    "reservation-usable",
    "The reservation is canceled.",
    at={"workers"},
    facts=reservation_facts(state="cancelled"),
)(workers_on_a_reservation)

breaks(
    "reservation-zone-matches-subnet",
    "The reservation is in the other zone.",
    at={"workers"},
    facts=facts(reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2b", "totalInstances": 2}}),
)(workers_on_a_reservation)


@keeps("spot-not-for-training")
def keeps_spot_not_for_training() -> None:
    """Without EFA a node that goes takes no others along."""
    world = a_world()
    plain = a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=[world.cluster_group])
    workers(world, plain, capacity_type="SPOT")


breaks("spot-not-for-training", "EFA on Spot Instances, which EC2 can interrupt at any time.", at={"workers"})(
    lambda: a_group_with(capacity_type="SPOT")
)
