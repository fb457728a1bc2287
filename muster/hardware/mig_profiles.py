"""Reads `mig_profiles.csv`: the MIG profiles that HyperPod has on an instance type.

The HyperPod CLI's table also has ml.p6-b300.48xlarge, with profiles that the API (`MIGProfileType`) does not have. That
type is left out: its profiles are not known.
"""

from collections.abc import Mapping
from functools import cache

from muster.hardware.tables import read_table


@cache
def _profiles() -> Mapping[str, tuple[str, ...]]:
    return {
        row["instance_type"]: tuple(f"mig-{each}" for each in row["profiles"].split())
        for row in read_table("mig_profiles.csv")
    }


def mig_profiles(instance: str) -> tuple[str, ...]:
    """The profiles of an EC2 instance type: ``mig-1g.10gb``; none where they are not known."""
    return _profiles().get(instance, ())
