"""Programs about interfaces."""

from typing import Any

import pulumi_aws as aws

from tests.policies.programs.pairs import breaks, keeps
from tests.policies.programs.world import World, a_template, a_world, efa_group, efa_only, interfaces, told, workers


def _p6_b300(world: World, cards: range) -> None:
    efa = efa_group(world)
    listed: list[dict[str, Any]] = [interfaces(world, efa)[0], *(efa_only(card, efa) for card in cards)]
    workers(world, a_template(world, instance_type="p6-b300.48xlarge", network_interfaces=listed, user_data=told(100)))


keeps("efa-fits-instance")(lambda: _p6_b300(a_world(), range(1, 17)))
breaks(
    "efa-fits-instance",
    "EFA on every card of p6-b300, whose first card does not support it.",
    at={"workers"},
)(lambda: _p6_b300(a_world(), range(17)))

INSTANCE = "i-0123456789abcdef0"


def _attached(kind: str | None) -> None:
    world = a_world()
    subnet = world.subnets[0].id
    interface = aws.ec2.NetworkInterface("interface", subnet_id=subnet, interface_type=kind)
    aws.ec2.NetworkInterfaceAttachment("later", instance_id=INSTANCE, network_interface_id=interface.id, device_index=1)
    aws.ec2.NetworkInterface(
        "at-once",
        subnet_id=subnet,
        interface_type=kind,
        attachments=[{"instance": INSTANCE, "device_index": 2}],
    )


keeps("efa-not-attached-later")(lambda: _attached(None))
breaks(
    "efa-not-attached-later",
    "An EFA interface for an instance that runs: attached by its own resource, and by its own property.",
    at={"later", "at-once"},
)(lambda: _attached("efa"))


@keeps("efa-only-without-address")
def keeps_efa_only_without_address() -> None:
    world = a_world()
    first, *rest = interfaces(world, efa_group(world), ipv4_prefix_count=4)
    workers(world, a_template(world, network_interfaces=[first, *rest]))


@breaks("efa-only-without-address", "IP prefixes on an efa-only interface.", at={"workers"})
def breaks_efa_only_without_address() -> None:
    world = a_world()
    efa = efa_group(world)
    first, second, *rest = interfaces(world, efa)
    asking = efa_only(0, efa, ipv4_prefix_count=4)
    assert asking["device_index"] == second["device_index"]
    workers(world, a_template(world, network_interfaces=[first, asking, *rest]))


@breaks("efa-used-fully", "One EFA interface of four.", at={"workers"})
def breaks_efa_used_fully() -> None:
    world = a_world()
    workers(world, a_template(world, network_interfaces=interfaces(world, efa_group(world), 1)))


@keeps("interface-card-exists")
def keeps_interface_card_exists() -> None:
    world = a_world()
    eight = interfaces(world, efa_group(world), 8)
    template = a_template(world, instance_type="p6-b200.48xlarge", network_interfaces=eight, user_data=told(149))
    workers(world, template)


@breaks("interface-card-exists", "Eight cards' interfaces, copied from p6-b200 to p4d.", at={"workers"})
def breaks_interface_card_exists() -> None:
    world = a_world()
    workers(world, a_template(world, network_interfaces=interfaces(world, efa_group(world), 8)))


@keeps("interface-device-index")
def keeps_interface_device_index() -> None:
    """Device 1 on every card, as eksctl and Karpenter have it."""
    world = a_world()
    efa = efa_group(world)
    first = interfaces(world, efa)[:1]
    workers(
        world,
        a_template(world, network_interfaces=[*first, *(efa_only(card, efa, device_index=1) for card in range(4))]),
    )


@breaks("interface-device-index", "Device indexes that continue beyond what a card supports.", at={"workers"})
def breaks_interface_device_index() -> None:
    world = a_world()
    efa = efa_group(world)
    first = interfaces(world, efa)[:1]
    counted = [efa_only(card, efa, device_index=1 + 5 * card) for card in range(4)]
    workers(world, a_template(world, network_interfaces=[*first, *counted]))


@keeps("interface-slot-used-once")
def keeps_interface_slot_used_once() -> None:
    world = a_world()
    efa = efa_group(world)
    second = {"network_card_index": 1, "device_index": 1, "security_groups": [efa.id]}
    workers(world, a_template(world, network_interfaces=[*interfaces(world, efa), second]))


@breaks("interface-slot-used-once", "A second plain interface where the first one is.", at={"workers"})
def breaks_interface_slot_used_once() -> None:
    world = a_world()
    efa = efa_group(world)
    second = {"network_card_index": 1, "device_index": 0, "security_groups": [efa.id]}
    workers(world, a_template(world, network_interfaces=[*interfaces(world, efa), second]))


@breaks("interface-type-known", "An interface type that EC2 does not have.", at={"workers"})
def breaks_interface_type_known() -> None:
    world = a_world()
    efa = efa_group(world)
    more = {"network_card_index": 1, "device_index": 1, "interface_type": "efa_only", "security_groups": [efa.id]}
    workers(world, a_template(world, network_interfaces=[*interfaces(world, efa), more]))


def _p5(world: World, listed: list[dict[str, Any]]) -> None:
    template = a_template(world, instance_type="p5.48xlarge", network_interfaces=listed, user_data=told(51))
    workers(world, template)


@keeps("interfaces-per-card")
def keeps_interfaces_per_card() -> None:
    world = a_world()
    _p5(world, interfaces(world, efa_group(world), 32))


@breaks("interfaces-per-card", "One interface more on card 0 of p5.48xlarge, which takes two.", at={"workers"})
def breaks_interfaces_per_card() -> None:
    world = a_world()
    efa = efa_group(world)
    third = {"device_index": 2, "security_groups": [efa.id]}
    _p5(world, [*interfaces(world, efa, 32), third])


@breaks("one-efa-per-card", "Two EFA interfaces on card 1.", at={"workers"})
def breaks_one_efa_per_card() -> None:
    world = a_world()
    efa = efa_group(world)
    template = a_template(world, network_interfaces=[*interfaces(world, efa), efa_only(1, efa, device_index=1)])
    workers(world, template)


@keeps("primary-interface-not-efa-only")
def keeps_primary_interface_not_efa_only() -> None:
    """The classic layout: EFA on the primary interface."""
    world = a_world()
    efa = efa_group(world)
    groups = [world.cluster_group, efa.id]
    rest = [efa_only(card, efa, device_index=1) for card in range(1, 4)]
    first = {"device_index": 0, "interface_type": "efa", "security_groups": groups}
    workers(world, a_template(world, network_interfaces=[first, *rest]))


@breaks("primary-interface-not-efa-only", "The first interface of four, made efa-only like the rest.", at={"workers"})
def breaks_primary_interface_not_efa_only() -> None:
    world = a_world()
    efa = efa_group(world)
    groups = [world.cluster_group, efa.id]
    rest = [efa_only(card, efa, device_index=1) for card in range(1, 4)]
    first = {"device_index": 0, "interface_type": "efa-only", "security_groups": groups}
    workers(world, a_template(world, network_interfaces=[first, *rest]))


@breaks("primary-interface-present", "A template that lists the EFA interfaces only.", at={"workers"})
def breaks_primary_interface_present() -> None:
    world = a_world()
    workers(world, a_template(world, network_interfaces=interfaces(world, efa_group(world))[1:]))


@keeps("security-groups-on-interfaces")
def keeps_security_groups_on_interfaces() -> None:
    world = a_world()
    workers(world, a_template(world, instance_type="m5.8xlarge", vpc_security_group_ids=[world.cluster_group]))


@breaks(
    "security-groups-on-interfaces", "The cluster's group at the template's top, beside interfaces.", at={"workers"}
)
def breaks_security_groups_on_interfaces() -> None:
    world = a_world()
    listed = interfaces(world, efa_group(world))
    workers(world, a_template(world, network_interfaces=listed, vpc_security_group_ids=[world.cluster_group]))
