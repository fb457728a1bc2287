"""UltraServers: several instances of one type that NVLink or NeuronLink connects. AWS sells them as a whole.

`ultraservers.csv` has a row for each UltraServer type that AWS's documents name with its instance type and number of
instances, with sources. P6e-GB300 and Trn3 UltraServers have none: EC2's API has no instance type for them
(botocore 1.44.5, ``InstanceType``).
"""

from functools import cache
from typing import NamedTuple

from muster.hardware.hyperpod_types import ML
from muster.hardware.tables import read_table
from muster.hardware.type_names import nearest_type

EKS_DRAINS_MINUTES_BEFORE = 40
"""When EKS scales a managed node group on a Capacity Block down, and Karpenter drains its nodes, before the block ends
(EKS user guide, capacity-blocks-mng)."""

NVLINK = "NVLink"
"""The interconnect of UltraServers with NVIDIA's GPUs."""


class UltraServer(NamedTuple):
    """One type of UltraServer."""

    name: str
    """EC2's `UltraserverType`: ``u-p6e-gb200x72``."""
    instance: str
    """The type of its instances."""
    instances: int
    """The number of its instances."""
    interconnect: str
    """The network that connects the accelerators of all its instances: ``NVLink`` or ``NeuronLink``."""
    ends_minutes_before: int
    """How many minutes before the end of its Capacity Block the instances must be gone."""
    source: str

    def whole(self, instances: int) -> bool:
        """Whether this number of instances is a number of whole UltraServers."""
        return instances > 0 and instances % self.instances == 0


@cache
def ultraservers() -> dict[str, UltraServer]:
    """Every UltraServer type that Muster knows, by name."""
    return {
        row["ultraserver"]: UltraServer(
            name=row["ultraserver"],
            instance=row["instance_type"],
            instances=int(row["instances"]),
            interconnect=row["interconnect"],
            ends_minutes_before=int(row["ends_minutes_before"]),
            source=row["source"],
        )
        for row in read_table("ultraservers.csv")
    }


def ultraservers_of(instance: str) -> tuple[UltraServer, ...]:
    """The UltraServer types that consist of instances of this type, the smallest first; empty if there are none."""
    return tuple(each for each in ultraservers().values() if each.instance == instance)


def has_nvlink(instance: str) -> bool:
    """Whether NVLink connects the instances of this type in their UltraServers."""
    return any(each.interconnect == NVLINK for each in ultraservers_of(instance))


def ends_minutes_before(instance: str) -> int | None:
    """How many minutes before the end of a Capacity Block the instances of an UltraServer's type must be gone; None for
    a type that is in no UltraServer."""
    return next((each.ends_minutes_before for each in ultraservers_of(instance)), None)


def known_ultraserver(name: str) -> str:
    """The name of an UltraServer type.

    Raises:
        ValueError: no document that Muster knows has such an UltraServer type.
    """
    if name in ultraservers():
        return name
    if name.startswith(ML) and name.removeprefix(ML) in ultraservers():
        raise ValueError(f"'{name}' is SageMaker's name for {name.removeprefix(ML)}; write {name.removeprefix(ML)}")
    if of := ultraservers_of(name):
        raise ValueError(f"'{name}' is the type of an instance; write {' or '.join(each.name for each in of)}")
    near = nearest_type(name, list(ultraservers()))
    hint = f"Did you mean '{near}'?" if near else f"Muster knows {', '.join(ultraservers())}"
    raise ValueError(f"'{name}' is not an UltraServer type that Muster knows. {hint}")
