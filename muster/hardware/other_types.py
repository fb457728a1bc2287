"""Reads `other_types.csv` and `future_dated_series.csv`: facts of families and types that the catalogue need not have.

Each row names its source.
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
    """The types whose vCPUs differ from those that their names imply."""
    return _names(lambda row: row["vcpus_as_named"] == "false")


@cache
def future_dated_series() -> frozenset[str]:
    """Series (the letters before a type's generation) of which EC2 takes reservations that begin at a future date."""
    return frozenset(row["series"] for row in read_table("future_dated_series.csv"))


def _names(which: Callable[[dict[str, str]], bool]) -> frozenset[str]:
    return frozenset(row["name"] for row in read_table("other_types.csv") if which(row))
