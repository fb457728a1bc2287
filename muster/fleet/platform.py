"""The platform of instances, in EC2's word: a reservation, and a Capacity Block that is bought, is for one."""

LINUX, RED_HAT = "Linux/UNIX", "Red Hat Enterprise Linux"

_OF = {"rhel8": RED_HAT, "rhel9": RED_HAT}
"""Operating system of ParallelCluster -> its platform; every other is Linux/UNIX to EC2 (`CAPACITY_RESERVATION_OS_MAP`,
ParallelCluster's constants.py 3.16.1)."""


def platform_of(os: str) -> str:
    """The platform of an operating system, by ParallelCluster's name of it: ``rhel9``."""
    return _OF.get(os, LINUX)
