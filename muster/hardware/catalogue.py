"""The hardware catalog: what each EC2 instance type has.

`ec2_types.csv` has a row for every type that EC2 lists; `python -m tools.ec2_types` makes it from moto's copy of EC2's
DescribeInstanceTypes. `ec2_types_overlay.toml` has what EC2's API does not state, or states wrongly, with sources.
A type is a row of the first and, where something is to be added, a table of the second. The laws in
``tests/hardware/test_hardware.py`` judge all of them.

Tables beside them cover other facts: `offerings.csv` (the zones that may offer a type, indicative),
`hyperpod_types.csv`, `vcpu_quotas.csv`, `types_without_hardware.csv` and `without_open_driver.csv`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Any, NamedTuple

from muster.hardware.other_types import types_without_hardware
from muster.hardware.tables import read_table, read_text
from muster.hardware.type_names import architecture_of as _architecture_by_name
from muster.hardware.type_names import nearest_type
from muster.message_text import LONGEST_NAME


class UnknownInstance(ValueError):
    """An instance type that the catalog does not have. Unknown hardware is an error, never a zero.

    The message has the nearest type or the family's sizes. Few callers print it, so only then are they searched for.
    """

    def __str__(self) -> str:
        instance = super().__str__()
        return f"'{instance}' {_unknown(instance)}"


class Incomplete(ValueError):
    """A number that the sources of this type do not state, and that the caller needs."""


class Accelerator(StrEnum):
    """What computes."""

    GPU = "gpu"
    NEURON = "neuron"
    NONE = "none"


Version = tuple[int, ...]


class ImageNeeds(NamedTuple):
    """The oldest software that an image for a type may have in it."""

    line: str
    """The type as the sources name it: ``p5`` for p5, p5e and p5en."""
    stated_by_aws: bool
    """False where AWS states no least versions; then they are the first releases whose notes name the GPU or type."""
    cuda: Version
    nccl: Version
    ofi_nccl: Version


_EC2 = "EC2 DescribeInstanceTypes (moto 5.2.5)"
_SOURCES = {
    "core": _EC2,
    "accelerator": _EC2,
    "network": _EC2,
    "pods": "nodeadm's formula (awslabs/amazon-eks-ami, instance-info.jsonl); EC2 DescribeInstanceTypes",
    "capacity_block": f"{_EC2}, SupportedUsageClasses",
}


@dataclass(frozen=True, slots=True)
class Hardware:
    """One instance type. ``None`` means that no source states the number, never zero."""

    instance: str
    architecture: str
    """``x86_64`` or ``arm64``; ``arm64_mac`` or ``x86_64_mac`` of Macs."""
    vcpus: int
    memory_mib: int
    """Nominal memory in MiB; what the operating system sees is less (see `muster.hardware.allocatable`)."""
    accelerator: Accelerator
    accelerator_model: str
    accelerators: int
    """GPUs, or Neuron devices. A part of a GPU (g6f) counts as one."""
    accelerator_memory_gib: float | None
    network_gbps: float
    """Total. Never a sum over cards: the API repeats the total on some types."""
    network_note: str
    network_cards: int
    efa_cards: tuple[int, ...]
    """Indices of the network cards that take an EFA or efa-only interface."""
    max_efa: int
    """EC2's `EfaInfo.MaximumEfaInterfaces`; not the number of cards (p6-b300: 17 cards, 16 EFA)."""
    ipv4_per_eni: int | None
    threads_per_core: int
    capacity_block: str
    """``true``, ``false`` or ``ultraserver-only``."""
    gpu_fraction: float = 1.0
    """The part of a GPU that a "GPU" of this type is: 0.125 on g6f.large."""
    on_demand: bool = True
    """Whether EC2 launches it on demand; UltraServers come in Capacity Blocks only."""
    spot: bool = False
    """Whether EC2 sells it as Spot Instances."""
    neuron_cores: int = 0
    neuron_cores_lnc2: int | None = None
    """Logical NeuronCores at LNC=2, Trainium2's default."""
    enis_card0: int | None = None
    enis_other_cards: int | None = None
    nvme_gb: int | None = None
    nvme_disks: str = ""
    network_node_layers: int = 0
    """The number of layers of EC2's network topology that the instance is in; 0 where EC2 does not state them."""
    efa_layout_cards: tuple[int, ...] = ()
    """The cards on which AWS's page puts EFA, if fewer than all EFA cards reach the whole EFA bandwidth of the type."""
    neuron_parts: tuple[int, ...] = ()
    """How many of its Neuron devices a pod can have, ascending, the last is all of them; empty where any number will
    do. The devices of these types are a 2D torus, of which only some parts are connected in themselves."""
    efa_lookalikes: int = 0
    """Devices that the EFA device plugin before 0.5.10 takes for EFA interfaces (p6-b200: two for NVLink)."""
    efa_without_rdma: bool = False
    """Whether its EFA interfaces have no RDMA read."""
    nccl_copies_by_cuda: bool = False
    """Whether NCCL copies within a node faster with `NCCL_SHM_USE_CUDA_MEMCPY`."""
    image_needs: ImageNeeds | None = None
    """None where no source states versions."""
    sources: Mapping[str, str] = field(default_factory=lambda: _SOURCES)
    """What fields are about -> where their values come from."""

    @property
    def max_pods(self) -> int | None:
        """Pods with an address each, as nodeadm counts: card 0's interfaces x (addresses - 1) + 2. None where no source
        states the interfaces or addresses.

        CNI's own table (`misc/eni-max-pods.txt`) adds the interfaces of both cards on i7ie and i8ge of 48xlarge;
        nodeadm, which sets the kubelet's number, does not (`instance-info.jsonl`)."""
        if self.enis_card0 is None or self.ipv4_per_eni is None:
            return None
        return self.enis_card0 * (self.ipv4_per_eni - 1) + 2

    @property
    def enough_efa(self) -> int:
        """The least number of EFA interfaces that reach the whole EFA bandwidth of the type."""
        return len(self.efa_layout_cards) or self.max_efa

    @property
    def hyperpod(self) -> bool:
        """Whether SageMaker HyperPod takes the type."""
        return f"ml.{self.instance}" in _hyperpod_types()

    @property
    def family(self) -> str:
        """``p5`` of p5.48xlarge."""
        return self.instance.partition(".")[0]

    @property
    def resource_name(self) -> str | None:
        """The extended resource its device plugin offers: ``nvidia.com/gpu``, ``aws.amazon.com/neuron`` or none."""
        return {Accelerator.GPU: "nvidia.com/gpu", Accelerator.NEURON: "aws.amazon.com/neuron"}.get(self.accelerator)

    def with_threads(self, threads_per_core: int) -> "Hardware":
        """The same machine with this number of threads for each core: p5.48xlarge has 192 vCPUs with 2, 96 with 1. A
        type with one thread for each core is unchanged."""
        if threads_per_core >= self.threads_per_core:
            return self
        vcpus = self.vcpus * threads_per_core // self.threads_per_core
        return replace(self, vcpus=vcpus, threads_per_core=threads_per_core)

    def need(self, field: str) -> int:
        """A number that must be known.

        Raises:
            Incomplete: the sources of the catalog do not state it.
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


def _version(text: str) -> Version:
    return tuple(map(int, text.split(".")))


_TEXTS = ("architecture", "accelerator_model", "network_note", "efa_cards", "nvme_disks", "capacity_block")
_FRACTIONS = ("accelerator_memory_gib", "gpu_fraction", "network_gbps")
_FLAGS = ("on_demand", "spot")


def _of_row(row: dict[str, str]) -> dict[str, Any]:
    """The fields of `Hardware` that a row of `ec2_types.csv` has: those that are not listed above are whole numbers."""
    numbers = row.keys() - {"instance_type", "accelerator_kind", *_TEXTS, *_FRACTIONS, *_FLAGS}
    return {
        "accelerator": row["accelerator_kind"],
        "accelerator_memory_gib": None,
        **{each: row[each] for each in _TEXTS},
        **{each: row[each] == "true" for each in _FLAGS},
        **{each: float(row[each]) for each in _FRACTIONS if row[each]},
        **{each: int(row[each]) if row[each] else None for each in numbers},
    }


@cache
def _overlay() -> Mapping[str, dict[str, Any]]:
    """Family or type -> the fields that are added, or replace EC2's."""
    import tomllib  # noqa: PLC0415  (only where a type is looked up)

    return tomllib.loads(read_text("ec2_types_overlay.toml"))


@cache
def _table() -> str:
    return read_text("ec2_types.csv")


def _row(instance: str) -> dict[str, str] | None:
    """A type's row. The table is searched, not parsed: it has 1,400 rows, and a command needs two or three."""
    table = _table()
    start = table.find(f"\n{instance},")
    if start < 0 or not instance or set(instance) & set(",\n"):
        return None
    heads = table[: table.index("\n")].split(",")
    return dict(zip(heads, table[start + 1 : table.index("\n", start + 1)].split(","), strict=True))


@cache
def _hardware(instance: str) -> Hardware | None:
    row, overlay = _row(instance), _overlay()
    added = overlay.get(instance, {}) if "." in instance else {}
    if row is None and not added:
        return None
    families = overlay.get(instance.partition(".")[0], {})
    fields = {**(_of_row(row) if row else {}), **families, **added}
    needs = fields.get("image_needs")
    if needs:
        fields["image_needs"] = ImageNeeds(
            **{**needs, **{each: _version(needs[each]) for each in ("cuda", "nccl", "ofi_nccl")}}
        )
    return Hardware(
        **{
            **fields,
            "instance": instance,
            "accelerator": Accelerator(fields["accelerator"]),
            "efa_cards": _cards(fields["efa_cards"]),
            "efa_layout_cards": tuple(fields.get("efa_layout_cards", ())),
            "neuron_parts": tuple(fields.get("neuron_parts", ())),
            "sources": {**_SOURCES, **families.get("sources", {}), **added.get("sources", {})},
        }
    )


@cache
def _hyperpod_types() -> frozenset[str]:
    return frozenset(row["instance_type"] for row in read_table("hyperpod_types.csv"))


@cache
def instance_types() -> tuple[str, ...]:
    """Every known type: by family, the smallest first."""
    listed = [line.partition(",")[0] for line in _table().splitlines()[1:]]
    return (*listed, *(each for each in _overlay() if "." in each and each not in set(listed)))


@cache
def accelerated_types() -> tuple[str, ...]:
    """The types with GPUs or Neuron devices, in the order of `instance_types`."""
    heads, *rows = (line.split(",") for line in _table().splitlines())
    accelerator = heads.index("accelerator_kind")
    listed = {row[0] for row in rows if row[accelerator] != "none"}
    added = {each for each, fields in _overlay().items() if fields.get("accelerator", "none") != "none"}
    return tuple(each for each in instance_types() if each in listed or each in added)


def sizes_of(family: str) -> tuple[str, ...]:
    """The sizes of a family, the smallest first: ``("4xlarge", "48xlarge")`` of ``p5``."""
    return tuple(each.partition(".")[2] for each in instance_types() if each.startswith(f"{family}."))


def hardware(instance: str) -> Hardware:
    """What one type has.

    Raises:
        UnknownInstance: no table has it.
    """
    found = _hardware(instance)
    if found is None:
        raise UnknownInstance(instance)
    return found


def _unknown(instance: str) -> str:
    instance = instance.removeprefix("ml.")[: LONGEST_NAME + 1]
    if instance in types_without_hardware():
        return "is an EC2 instance type, but Muster has no source for its vCPUs, memory and network; use another type"
    family, dot, _ = instance.lower().partition(".")
    known, sizes = instance_types(), sizes_of(family)
    near = nearest_type(instance, [f"{family}.{size}" for size in sizes] if sizes and dot else known)
    if instance in known:
        near = instance  # SageMaker's name of it
    if near:
        hint = f"did you mean '{near}'?"
    elif sizes and dot:
        hint = f"{family} has {', '.join(sizes)}"
    elif longer := [each for each in known if family and each.startswith(f"{family}-")]:
        hint = f"did you mean {' or '.join(repr(each) for each in longer)}?"
    elif sizes:
        hint = f"{family} is a family: add a size, one of {', '.join(sizes)}"
    else:
        hint = "`muster hardware --all` lists the types"
    return f"is not an instance type that Muster knows; {hint}"


def architecture_of(instance: str) -> str | None:
    """``arm64`` or ``x86_64``: from the catalog, otherwise from the type's name; None if neither has it."""
    row = _hardware(instance)
    return row.architecture if row else _architecture_by_name(instance)


def partial_neuron_parts() -> frozenset[tuple[int, ...]]:
    """The `neuron_parts` of the types that have such."""
    types = (each for each, added in _overlay().items() if "neuron_parts" in added)
    return frozenset(hardware(each).neuron_parts for each in types)
