"""Reads `other_types.csv` and `future_dated_series.csv`: facts of families of types that EC2's API does not state.

Each row names its source.
"""

from collections.abc import Callable
from functools import cache

from muster.hardware.tables import read_table


@cache
def without_hardware() -> frozenset[str]:
    """Families that EC2's API names and of which no source gives the hardware: most are retired."""
    return _names(lambda row: row["hardware_unknown"] == "true")


@cache
def without_open_driver() -> frozenset[str]:
    """Families whose GPUs are older than Turing: NVIDIA's open driver does not run them."""
    return _names(lambda row: row["open_nvidia_driver"] == "false")


@cache
def future_dated_series() -> frozenset[str]:
    """Series (the letters before a type's generation) of which EC2 takes reservations that begin at a future date."""
    return frozenset(row["series"] for row in read_table("future_dated_series.csv"))


def _names(which: Callable[[dict[str, str]], bool]) -> frozenset[str]:
    return frozenset(row["name"] for row in read_table("other_types.csv") if which(row))
