"""An EFA interface for an instance that runs: attached by its own resource, and by its own property."""

import pulumi_aws as aws

from tests.policies.programs.world import a_world

AT = {"later", "at-once"}
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


def passing() -> None:
    _attached(None)


def failing() -> None:
    _attached("efa")
