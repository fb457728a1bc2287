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
