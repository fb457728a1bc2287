"""A subnet in every zone, as people write it for other services. The Python SDK takes text; YAML takes anything."""

import pulumi

from tests.policies.programs.world import a_world, file_system, lustre_group

AT = {"scratch"}


def passing() -> None:
    file_system(a_world())


def failing() -> None:
    world = a_world()
    settings = {
        "subnetIds": [subnet.id for subnet in world.subnets],
        "securityGroupIds": [lustre_group(world).id],
        "storageCapacity": 1200,
        "deploymentType": "SCRATCH_2",
        "fileSystemTypeVersion": "2.15",
    }
    pulumi.CustomResource("aws:fsx/lustreFileSystem:LustreFileSystem", "scratch", settings)
