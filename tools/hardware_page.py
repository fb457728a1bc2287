"""`docs/reference/hardware.md`: the instance types with accelerators or EFA."""

from collections.abc import Callable, Iterator

from muster.hardware import huge_pages
from muster.hardware.allocatable import max_pods
from muster.hardware.catalogue import Accelerator, Hardware, Incomplete, accelerated_types, hardware, instance_types
from muster.hardware.interfaces import Layout, slots

_HEAD = """\
# Hardware

Generated from Muster's catalog of EC2 instance types (`muster/hardware/`). `muster hardware TYPE` prints everything
about one type with its sources, `muster hardware --all` lists every EC2 type. A dash means that no source
states the number.

- *Interfaces*: the network interfaces that Muster plans for a node with EFA, in the order that AWS documents.
- *Pods*: how many pods such a node can run with the VPC CNI, without prefix delegation.
- *Huge pages*: what Muster reserves for EFA by default.
- *Capacity Block*: whether EC2 sells the type in Capacity Blocks for ML.

"""
_COLUMNS = (
    "instance type",
    "accelerators",
    "memory of each, GiB",
    "vCPUs",
    "memory, GiB",
    "network, Gbps",
    "network cards",
    "EFA interfaces",
    "interfaces",
    "pods",
    "huge pages, MiB",
    "local NVMe",
    "Capacity Block",
)


def page() -> str:
    """The whole page. The script of the site adds a search field, and sorts by a column."""
    return _HEAD + "\n".join(
        ["## Types with accelerators", "", *_table(_accelerated()), "## Other types with EFA", "", *_table(_with_efa())]
    )


def _accelerated() -> Iterator[Hardware]:
    return map(hardware, accelerated_types())


def _with_efa() -> Iterator[Hardware]:
    return (row for row in map(hardware, instance_types()) if row.max_efa and row.accelerator is Accelerator.NONE)


def _table(rows: Iterator[Hardware]) -> Iterator[str]:
    yield "| " + " | ".join(_COLUMNS) + " |"
    yield "|" + "---|" * len(_COLUMNS)
    yield from ("| " + " | ".join(_cells(row)) + " |" for row in rows)
    yield ""


def _cells(row: Hardware) -> Iterator[str]:
    nics = slots(row, Layout.AWS)
    yield f"`{row.instance}`"
    yield f"{row.accelerators} {row.accelerator_model}" if row.accelerators else "-"
    yield _number(row.accelerator_memory_gib)
    yield str(row.vcpus)
    yield _number(row.memory_mib / 1024)
    yield _number(row.network_gbps)
    yield str(row.network_cards)
    yield str(row.max_efa) if row.max_efa else "-"
    yield str(len(nics))
    yield _known(lambda: max_pods(row, nics))
    yield str(huge_pages.default_for(row.max_efa).mib) if row.max_efa else "-"
    yield f"{row.nvme_disks or f'{row.nvme_gb} GB'}" if row.nvme_gb else "-"
    yield {"true": "yes", "false": "no", "ultraserver-only": "as UltraServer"}[row.capacity_block]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:g}"


def _known(number: Callable[[], int]) -> str:
    try:
        return str(number())
    except Incomplete:
        return "-"
