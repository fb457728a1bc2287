"""The hardware catalogue: what each EC2 instance type has. One table, `catalogue.csv`; no number of it is repeated.

To add a type: add its row (every column; an unknown number stays empty) with the sources, then run ``make verify``:
the laws in ``tests/fleet/test_hardware.py`` judge the row.

Tables beside it cover other or more types: `offerings.csv` (the zones that may offer a type, indicative),
`hyperpod_types.csv`, `vcpu_quotas.csv` and `other_types.csv`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache

from muster.hardware.tables import read_table
from muster.hardware.type_names import architecture_of as _architecture_by_name
from muster.hardware.type_names import nearest_type


class UnknownInstance(ValueError):
    """An instance type the catalogue does not have. Unknown hardware is an error, never a zero."""


class Incomplete(ValueError):
    """A number that this type's sources do not give and that the caller cannot do without."""


class Accelerator(StrEnum):
    """What computes."""

    GPU = "gpu"
    NEURON = "neuron"
    NONE = "none"


Version = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ImageNeeds:
    """The oldest software that an image for a type may have in it."""

    line: str
    """The type as the sources name it: ``p5`` for p5, p5e and p5en."""
    stated_by_aws: bool
    """False where AWS states no least versions; then they are the first releases whose notes name the GPU or type."""
    cuda: Version
    nccl: Version
    ofi_nccl: Version


@dataclass(frozen=True, slots=True)
class Hardware:
    """One instance type. ``None`` means that no source states the number, never zero."""

    instance: str
    architecture: str
    """``x86_64`` or ``arm64``."""
    vcpus: int
    memory_mib: int
    """Nominal memory in MiB; what the operating system sees is less (see `muster.hardware.allocatable`)."""
    accelerator: Accelerator
    accelerator_model: str
    accelerators: int
    """GPUs, or Neuron devices."""
    accelerator_memory_gib: float | None
    neuron_cores: int
    neuron_cores_lnc2: int | None
    """Logical NeuronCores at LNC=2, Trainium2's default."""
    network_gbps: float
    """Total. Never a sum over cards: the API repeats the total on some types."""
    network_note: str
    network_cards: int
    efa_cards: tuple[int, ...]
    """Indices of the network cards that take an EFA or efa-only interface."""
    max_efa: int
    """EC2's `EfaInfo.MaximumEfaInterfaces`; not the number of cards (p6-b300: 17 cards, 16 EFA)."""
    enis_card0: int | None
    enis_other_cards: int | None
    ipv4_per_eni: int | None
    max_pods: int | None
    """As nodeadm ships it: card 0's interfaces x (addresses - 1) + 2."""
    nvme_gb: int | None
    nvme_disks: str
    threads_per_core: int
    capacity_block: str
    """``true``, ``false`` or ``ultraserver-only``."""
    hyperpod: bool
    training_plan: bool
    network_node_layers: int
    """The number of layers of EC2's network topology that the instance is in; 0 where EC2 does not state them."""
    neuron_parts: tuple[int, ...]
    """How many of its Neuron devices a pod can have, ascending, the last is all of them; empty where any number will
    do. The devices of these types are a 2D torus, of which only some parts are connected in themselves."""
    efa_lookalikes: int
    """Devices that the EFA device plugin before 0.5.10 takes for EFA interfaces (p6-b200: two for NVLink)."""
    nccl_copies_by_cuda: bool
    """Whether NCCL copies within a node faster with `NCCL_SHM_USE_CUDA_MEMCPY`."""
    image_needs: ImageNeeds | None
    """None where no source states versions."""
    parallelcluster_refuses: tuple[str, ...]
    """Operating systems that ParallelCluster does not run on it."""
    sources: Mapping[str, str]
    """Group of columns -> where its numbers come from; of the columns that `muster hardware` shows. The columns
    `source_topology` (layers, Neuron parts) and `source_software` (what follows them) have those of the others."""

    @property
    def family(self) -> str:
        """``p5`` of p5.48xlarge."""
        return self.instance.partition(".")[0]

    @property
    def resource_name(self) -> str | None:
        """The extended resource its device plugin offers: ``nvidia.com/gpu``, ``aws.amazon.com/neuron`` or none."""
        return {Accelerator.GPU: "nvidia.com/gpu", Accelerator.NEURON: "aws.amazon.com/neuron"}.get(self.accelerator)

    def with_threads(self, threads_per_core: int) -> "Hardware":
        """The same machine with so many threads on each core: p5.48xlarge has 192 vCPUs with 2, 96 with 1. A type that
        has one thread on each is itself."""
        if threads_per_core >= self.threads_per_core:
            return self
        vcpus = self.vcpus * threads_per_core // self.threads_per_core
        return replace(self, vcpus=vcpus, threads_per_core=threads_per_core)

    def need(self, field: str) -> int:
        """A number that must be known.

        Raises:
            Incomplete: the catalogue's sources do not state it.
        """
        value = getattr(self, field)
        if value is None:
            raise Incomplete(f"{field} of {self.instance}, which no source states")
        return int(value)


def _cards(text: str) -> tuple[int, ...]:
    """``"0-3"`` -> (0, 1, 2, 3); ``"0"`` -> (0,); ``""`` -> ()."""
    if not text:
        return ()
    first, _, last = text.partition("-")
    return tuple(range(int(first), int(last or first) + 1))


def _optional_int(text: str) -> int | None:
    return int(text) if text else None


def _version(text: str) -> Version:
    return tuple(map(int, text.split(".")))


def _image_needs(row: dict[str, str]) -> ImageNeeds | None:
    if not row["image_line"]:
        return None
    return ImageNeeds(
        line=row["image_line"],
        stated_by_aws=row["image_stated_by_aws"] == "true",
        cuda=_version(row["image_least_cuda"]),
        nccl=_version(row["image_least_nccl"]),
        ofi_nccl=_version(row["image_least_ofi_nccl"]),
    )


def _row(row: dict[str, str]) -> Hardware:
    return Hardware(
        instance=row["instance_type"],
        architecture=row["architecture"],
        vcpus=int(row["vcpus"]),
        memory_mib=int(row["memory_mib"]),
        accelerator=Accelerator(row["accelerator_kind"]),
        accelerator_model=row["accelerator_model"],
        accelerators=int(row["accelerators"]),
        accelerator_memory_gib=float(row["accelerator_memory_gib"]) if row["accelerator_memory_gib"] else None,
        neuron_cores=int(row["neuron_cores"]),
        neuron_cores_lnc2=_optional_int(row["neuron_cores_lnc2"]),
        network_gbps=float(row["network_gbps"]),
        network_note=row["network_note"],
        network_cards=int(row["network_cards"]),
        efa_cards=_cards(row["efa_cards"]),
        max_efa=int(row["max_efa"]),
        enis_card0=_optional_int(row["enis_card0"]),
        enis_other_cards=_optional_int(row["enis_other_cards"]),
        ipv4_per_eni=_optional_int(row["ipv4_per_eni"]),
        max_pods=_optional_int(row["max_pods"]),
        nvme_gb=_optional_int(row["nvme_gb"]),
        nvme_disks=row["nvme_disks"],
        threads_per_core=int(row["threads_per_core"]),
        capacity_block=row["capacity_block"],
        hyperpod=row["hyperpod"] == "true",
        training_plan=row["training_plan"] == "true",
        network_node_layers=int(row["network_node_layers"]),
        neuron_parts=tuple(map(int, row["neuron_parts"].split())),
        efa_lookalikes=int(row["efa_lookalikes"]),
        nccl_copies_by_cuda=row["nccl_copies_by_cuda"] == "true",
        image_needs=_image_needs(row),
        parallelcluster_refuses=tuple(row["parallelcluster_refuses"].split()),
        sources={
            group: row[f"source_{group}"] for group in ("core", "accelerator", "network", "pods", "capacity_block")
        },
    )


@cache
def _catalogue() -> Mapping[str, Hardware]:
    return {row["instance_type"]: _row(row) for row in read_table("catalogue.csv")}


def instance_types() -> tuple[str, ...]:
    """Every catalogued type, in the table's order."""
    return tuple(_catalogue())


def _sizes_of_family(instance: str) -> str:
    """The types of a family that is written without a size: ``p5`` is near no type's name, but names a family."""
    family, dot, _ = instance.lower().partition(".")
    sizes = [] if dot else [f"'{each}'" for each in _catalogue() if each.startswith((f"{family}.", f"{family}-"))]
    return f"; did you mean {' or '.join(sizes)}?" if sizes else ""


def hardware(instance: str) -> Hardware:
    """The row of one type.

    Raises:
        UnknownInstance: not catalogued; the message names the nearest type and how to add one.
    """
    try:
        return _catalogue()[instance]
    except KeyError:
        near = nearest_type(instance, _catalogue())
        hint = f"; did you mean '{near}'?" if near else _sizes_of_family(instance)
        raise UnknownInstance(
            f"'{instance}' is not in the hardware catalogue{hint or ';'} "
            "`muster hardware` lists the types, a new one is a row of muster/hardware/catalogue.csv"
        ) from None


def architecture_of(instance: str) -> str | None:
    """``arm64`` or ``x86_64``: from the catalogue, else from the type's name. None where neither has it."""
    row = _catalogue().get(instance)
    return row.architecture if row else _architecture_by_name(instance)


def partial_neuron_parts() -> frozenset[tuple[int, ...]]:
    """The `neuron_parts` of the types that have such."""
    return frozenset(each.neuron_parts for each in _catalogue().values() if each.neuron_parts)


__all__ = [
    "Accelerator",
    "Hardware",
    "ImageNeeds",
    "Incomplete",
    "UnknownInstance",
    "architecture_of",
    "hardware",
    "instance_types",
    "partial_neuron_parts",
]
