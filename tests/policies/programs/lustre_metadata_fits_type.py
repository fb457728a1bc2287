"""9000 metadata operations a second."""

from tests.policies.programs.world import a_world, file_system

AT = {"scratch"}


def passing() -> None:
    file_system(a_world(), metadata_configuration={"mode": "USER_PROVISIONED", "iops": 12000})


def failing() -> None:
    file_system(a_world(), metadata_configuration={"mode": "USER_PROVISIONED", "iops": 9000})
