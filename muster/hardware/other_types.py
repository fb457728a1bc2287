"""Reads `other_types.csv`: what must be known of families and types that the catalogue need not have.

Sources: a row's own.
"""

from collections.abc import Callable
from functools import cache

from muster.hardware.tables import read_table


@cache
def like_catalogued() -> frozenset[str]:
    """Families of EC2 whose names are nearly those of catalogued ones."""
    return _names(lambda row: row["like_a_catalogued_name"] == "true")


@cache
def without_open_driver() -> frozenset[str]:
    """Families whose GPUs are older than Turing: NVIDIA's open driver does not run them."""
    return _names(lambda row: row["open_nvidia_driver"] == "false")


@cache
def with_odd_vcpus() -> frozenset[str]:
    """Types whose vCPUs are not those that their names tell."""
    return _names(lambda row: row["vcpus_as_named"] == "false")


def _names(which: Callable[[dict[str, str]], bool]) -> frozenset[str]:
    return frozenset(row["name"] for row in read_table("other_types.csv") if which(row))
