"""Programs about capacity."""

import pulumi_aws as aws

from tests.factories import facts
from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import (
    CR,
    a_group_with,
    a_template,
    a_template_with,
    a_world,
    block_facts,
    block_template,
    on_group,
    reservation_group,
    workers,
)


@keeps(
    "placement-group-fits-capacity",
    "reservation-target-clear",
    facts=facts(reservations={CR: {"instanceType": "p4d.24xlarge", "zone": "us-west-2a", "totalInstances": 2}}),
)
def workers_on_a_reservation() -> None:
    world = a_world()
    target = {"capacity_reservation_target": {"capacity_reservation_id": CR}}
    workers(world, a_template(world, capacity_reservation_specification=target))


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


breaks(
    "placement-group-fits-capacity",
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


@keeps("reservation-group-usable")
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


@breaks("reservation-group-usable", "A resource group without members.", at={"reserved"})
def breaks_reservation_group_has_members() -> None:
    world = a_world()
    workers(world, on_group(world, reservation_group().arn))


RESERVED = "arn:aws:resource-groups:us-west-2:000000000000:group/p4d"

breaks(
    "reservation-target-clear",
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


@keeps("spot-not-for-training")
def keeps_spot_not_for_training() -> None:
    """Without EFA a node that goes takes no others along."""
    world = a_world()
    plain = a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=[world.cluster_group])
    workers(world, plain, capacity_type="SPOT")


breaks("spot-not-for-training", "EFA on Spot Instances, which EC2 can interrupt at any time.", at={"workers"})(
    lambda: a_group_with(capacity_type="SPOT")
)
