"""The quota of one team in HyperPod's task governance (`AWS::SageMaker::ComputeQuota`)."""

from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple

from muster.fleet.resources.ref import Place, Ref, Reference
from muster.hardware.catalogue import Hardware
from muster.unknown import Observed, U
from muster.whole_number import whole_number


@dataclass(frozen=True, slots=True)
class QuotaAmount(Observed, Generic[U]):
    """An amount of one instance type (`ComputeQuotaResourceConfig`). A number that is None is not set."""

    instance_type: str | None | U
    """SageMaker's name: ``ml.p5.48xlarge``."""
    instances: int | None | U = None
    accelerators: int | None | U = None
    vcpus: int | float | None | U = None
    memory_gib: int | float | None | U = None
    partition: str | None | U = None
    """A MIG profile: ``mig-1g.10gb``."""
    partitions: int | None | U = None


MIB_PER_GIB = 1024
SLICES_OF_A_GPU = 7
"""Compute slices of a GPU with MIG (NVIDIA MIG user guide, "Supported MIG Profiles": 7g is the whole GPU)."""


def _slices(profile: str) -> int:
    """``mig-3g.40gb`` -> 3."""
    number = profile.removeprefix("mig-").partition("g.")[0]
    return whole_number(number) or 0


class QuotaResources(NamedTuple):
    """An amount in individual resources."""

    accelerators: float
    """GPUs or Neuron devices; parts of GPUs as fractions."""
    vcpus: float
    memory_gib: float

    def __add__(self, other: "QuotaResources") -> "QuotaResources":  # type: ignore[override]
        return QuotaResources(*(one + more for one, more in zip(self, other, strict=True)))

    def __mul__(self, number: float) -> "QuotaResources":  # type: ignore[override]
        return QuotaResources(*(one * number for one in self))


def quota_resources(amount: QuotaAmount[Any], machine: Hardware) -> QuotaResources:
    """The amount in each resource, for an amount that is known.

    Whole instances count with all their vCPUs, memory and accelerators. For individual resources, SageMaker fills
    in what is not set: by the share of the accelerators (or partitions), else of the vCPUs, else of the memory
    (SageMaker guide, "Allocating compute quota in Amazon SageMaker HyperPod task governance").

    Args:
        amount: of one instance type.
        machine: the instance type.
    """
    gib = machine.memory_mib / MIB_PER_GIB
    if amount.instances:
        every = amount.instances
        return QuotaResources(machine.accelerators * every, machine.vcpus * every, gib * every)
    devices: float = amount.accelerators or 0
    if amount.partition and amount.partitions:
        devices = amount.partitions * _slices(amount.partition) / SLICES_OF_A_GPU
    share = devices / machine.accelerators if machine.accelerators else 0.0
    if not share:
        share = (amount.vcpus or 0) / machine.vcpus or (amount.memory_gib or 0) / gib
    vcpus = share * machine.vcpus if amount.vcpus is None else amount.vcpus
    return QuotaResources(devices, vcpus, share * gib if amount.memory_gib is None else amount.memory_gib)


@dataclass(frozen=True, slots=True)
class ComputeQuota(Observed, Generic[U]):
    """What one team always gets of a HyperPod cluster, and what it may borrow."""

    ref: Ref
    name: str | None | U
    team: str | None | U
    cluster: Reference | None | U
    """The HyperPod cluster: one of this program, or an ARN."""
    amounts: tuple[QuotaAmount[U], ...] | U
    """Sorted by instance type where all are known, else in the order they are given in."""
    place: Place = field(compare=False)
    strategy: str | None | U = None
    """``LendAndBorrow``, ``Lend`` or ``DontLend``; None where it is left to SageMaker."""
    borrow_percent: int | None | U = None
    borrow_limits: tuple[QuotaAmount[U], ...] | U = ()
    """As `amounts`."""
    weight: int | None | U = None
    preemption: str | None | U = None
    """``Never`` or ``LowerPriority``; None where it is left to SageMaker."""
    enabled: bool | U = True
    after: frozenset[Ref] = field(default=frozenset(), compare=False)
    """What the program makes before it."""
