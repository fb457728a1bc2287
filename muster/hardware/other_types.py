"""Types without hardware data in the catalog, and facts of families that EC2's API does not state."""

from functools import cache

from muster.hardware.tables import read_table


@cache
def types_without_hardware() -> frozenset[str]:
    """Types that EC2's API names and of which no source gives the hardware: most are retired."""
    return frozenset(row["instance_type"] for row in read_table("types_without_hardware.csv"))


@cache
def without_open_driver() -> frozenset[str]:
    """Families whose GPUs are older than Turing: NVIDIA's open driver does not run them."""
    return frozenset(row["name"] for row in read_table("without_open_driver.csv"))


@cache
def newer_driver_since() -> dict[str, str]:
    """Families whose GPUs need a newer NVIDIA driver than 580 -> the first release of EKS's AL2023 images with it."""
    return {row["name"]: row["al2023_release"] for row in read_table("newer_nvidia_driver.csv")}
