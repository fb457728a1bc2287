"""EFA without metadata."""

import pulumi_aws as aws

from tests.policies.programs.world import World, a_world, efa_group, file_system

AT = {"scratch"}

LARGE = {"efa_enabled": True, "storage_capacity": 19200}


def _world_and_group() -> tuple[World, aws.ec2.SecurityGroup]:
    world = a_world()
    return world, efa_group(world, "fsx")


def passing() -> None:
    file_system(*_world_and_group(), **LARGE)


def failing() -> None:
    file_system(*_world_and_group(), **LARGE, metadata_configuration=None)
