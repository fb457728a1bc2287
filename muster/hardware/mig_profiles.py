"""Reads `mig_profiles.csv`: the MIG profiles that HyperPod has on an instance type.

The HyperPod CLI's table also has ml.p6-b300.48xlarge, with profiles that the API (`MIGProfileType`) does not have. That
type is left out: its profiles are not known.
"""

from collections.abc import Mapping
from functools import cache

from muster.hardware.catalogue import Accelerator, Hardware
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


_WITHOUT = frozenset({"A10G", "L4", "L40S", "T4"})
"""Models of GPUs that are not in the list of NVIDIA's MIG user guide, "Supported GPUs"."""


def has_no_mig(machine: Hardware) -> bool:
    """Whether the accelerators of a machine are known to have no MIG."""
    return machine.accelerator is Accelerator.NEURON or machine.accelerator_model in _WITHOUT
