"""Hard disks on PERSISTENT_2."""

from tests.policies.programs.world import a_world, file_system

AT = {"scratch"}


def passing() -> None:
    kind = {"deployment_type": "PERSISTENT_1", "per_unit_storage_throughput": 12, "metadata_configuration": None}
    file_system(a_world(), **kind, storage_type="HDD", drive_cache_type="READ", storage_capacity=6000)


def failing() -> None:
    file_system(a_world(), storage_type="HDD", drive_cache_type="READ")
