"""`muster hardware`: the hardware of an instance type, and the resulting resources of a node."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Annotated, Any

import typer

from muster import terminal
from muster.cli.options import Json
from muster.cli.tables import facts, table
from muster.finding import WrongInput
from muster.hardware import huge_pages
from muster.hardware.allocatable import max_pods
from muster.hardware.catalogue import Hardware, Incomplete, UnknownInstance, accelerated_types, instance_types
from muster.hardware.catalogue import hardware as row_of
from muster.hardware.interfaces import Layout, Slot, slots
from muster.hardware.offerings import OBSERVED, SOURCE, regions, zones_offering
from muster.message_text import did_you_mean


def hardware(
    instance: Annotated[
        str | None,
        typer.Argument(
            metavar="TYPE",
            help="EC2 instance type. Default: every type with GPUs or Neuron devices.",
            autocompletion=instance_types,
        ),
    ] = None,
    *,
    every: Annotated[
        bool, typer.Option("--all", help="Every EC2 instance type, including those without accelerators.")
    ] = False,
    region: Annotated[
        str | None,
        typer.Option(
            "--region",
            metavar="REGION",
            help="Show the zones of this Region that offer a type (indicative).",
            autocompletion=regions,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Show instance types: accelerators, network cards and interfaces, pods, allocatable resources, zones."""
    if region is not None and region not in regions():
        known = f"(Regions: {', '.join(regions())})"
        raise WrongInput(f"Muster has no zones for a Region '{region}'{did_you_mean(region, regions())} {known}")
    rows = _selected_types(instance, every=every)
    if as_json:
        from muster.cli.writers.json import dump

        documents = [described(row, region) for row in rows]
        terminal.write(dump(documents if instance is None else documents[0]))
        return
    if instance is not None:
        terminal.write(_sheet(rows[0], region))
    else:
        terminal.write(_list(rows) if region is None else _zones(rows, region))
    if region is not None:
        terminal.write_lines([f"zones: {_provenance()}; ask EC2 with `aws ec2 describe-instance-type-offerings`"])


def _selected_types(instance: str | None, *, every: bool) -> list[Hardware]:
    if instance is None:
        return list(map(row_of, instance_types() if every else accelerated_types()))
    if every:
        raise WrongInput(f"--all lists every type, but '{instance}' selects one; give only one of them")
    try:
        return [row_of(instance)]
    except UnknownInstance as fault:
        raise WrongInput(str(fault)) from None


def _provenance() -> str:
    return f"{SOURCE}, observed {OBSERVED}; indicative"


def _zones_of(instance: str, region: str | None) -> dict[str, list[str]] | None:
    """Region -> zone ids: for one Region, even if it has no zones; else for every Region with zones.

    None if the table does not have the type.
    """
    searched = regions() if region is None else (region,)
    known = {each: sorted(zones) for each in searched if (zones := zones_offering(instance, each)) is not None}
    return {each: zones for each, zones in known.items() if zones or region} if known else None


def _zones_in(instance: str, region: str) -> str:
    zones = _zones_of(instance, region)
    return "not known" if zones is None else " ".join(zones[region]) or "none seen"


def described(row: Hardware, region: str | None = None) -> dict[str, Any]:
    """One type, as `--json` prints it, with its zones in one Region or in all. Values without a source are null."""
    return {
        "instance": row.instance,
        "architecture": row.architecture,
        "vcpus": row.vcpus,
        "memoryMiB": row.memory_mib,
        "accelerator": row.accelerator.value,
        "acceleratorModel": row.accelerator_model,
        "accelerators": row.accelerators,
        "neuronCores": row.neuron_cores,
        "networkGbps": row.network_gbps,
        "networkCards": row.network_cards,
        "maxEfa": row.max_efa,
        "interfaces": {
            name: [{"card": each.card, "device": each.device, "type": each.type.value} for each in nics]
            for name, nics in _layouts(row).items()
        },
        "maxPods": _max_pods(row),
        "allocatable": _allocatable(row),
        "slurm": _slurm(row),
        "hyperpod": row.hyperpod,
        "capacityBlock": {"true": True, "false": False}.get(row.capacity_block, row.capacity_block),
        "zones": _zones_of(row.instance, region),
        "sources": {**row.sources, "zones": _provenance()},
    }


def _layouts(row: Hardware) -> dict[str, tuple[Slot, ...]]:
    return {layout.value: slots(row, layout) for layout in (Layout.AWS, Layout.CLASSIC)}


def _max_pods(row: Hardware) -> dict[str, int | None]:
    """The pods of a node by layout, or None if Muster's table lacks a value that they depend on."""
    try:
        return {name: max_pods(row, nics) for name, nics in _layouts(row).items()}
    except Incomplete:
        return dict.fromkeys(_layouts(row))


def _allocatable(row: Hardware) -> dict[str, str | None]:
    """The allocatable resources of a node with EFA, with Muster's defaults, less its huge pages."""
    from muster.blueprint.node import HUGE_PAGES_RESOURCE, Node

    nics = slots(row, Layout.AWS)
    pages = huge_pages.default_for(sum(slot.is_efa for slot in nics))
    got = {"cpu": None, "memory": None, **Node.of(row, nics, pages).allocatable_resources}
    return {**got, HUGE_PAGES_RESOURCE: pages.kubernetes} if pages.mib else got


def _slurm(row: Hardware) -> dict[str, int]:
    """The resources of a ParallelCluster node for jobs, with hyper-threading. Slurm does not know Neuron devices."""
    from muster.blueprint.node import SlurmNode

    node = SlurmNode(row, ())
    return {"cpus": node.cpus, "memoryMiB": node.memory_mib, "gpus": node.gpus}


def folded(slots: Iterable[Slot]) -> Iterator[str]:
    """One line for each run of equal interfaces on adjacent cards: ``cards 1-31 / device 0: efa-only``."""
    numbered = enumerate(slots)
    # Cards that follow each other keep the same distance to their place in the row.
    runs = groupby(numbered, key=lambda each: (each[1].card - each[0], each[1].device, each[1].type))
    for (_, device, kind), run in runs:
        cards = [slot.card for _, slot in run]
        which = f"card {cards[0]}" if len(cards) == 1 else f"cards {cards[0]}-{cards[-1]}"
        yield f"{which} / device {device}: {kind.value}"


def _list(rows: Iterable[Hardware]) -> str:
    heads = ("type", "vCPUs", "memory", "accelerators", "cards", "EFA", "Gbps", "pods", "HyperPod", "Capacity Blocks")
    return table(heads, [_line(row) for row in rows])


def _zones(rows: Iterable[Hardware], region: str) -> str:
    """Fewer columns than the list: zones need the width of a narrow terminal."""
    lines = [(row.instance, _accelerators(row), str(row.max_efa), _zones_in(row.instance, region)) for row in rows]
    return table(("type", "accelerators", "EFA", "zones"), lines)


def _line(row: Hardware) -> tuple[str, ...]:
    return (
        row.instance,
        str(row.vcpus),
        f"{row.memory_mib // 1024} GiB",
        _accelerators(row),
        str(row.network_cards),
        str(row.max_efa),
        f"{row.network_gbps:g}",
        _pods(_max_pods(row)),
        "yes" if row.hyperpod else "no",
        _block(row),
    )


def _accelerators(row: Hardware) -> str:
    return f"{row.accelerators} x {row.accelerator_model}" if row.accelerators else "none"


def _block(row: Hardware) -> str:
    return {"true": "yes", "false": "no"}.get(row.capacity_block, row.capacity_block)


def _pods(pods: dict[str, int | None]) -> str:
    known = [str(number) if number is not None else "unknown" for number in pods.values()]
    return known[0] if known[0] == known[1] else " / ".join(known)


def _sheet(row: Hardware, region: str | None) -> str:
    allocatable = [f"{name} {amount or 'unknown'}" for name, amount in _allocatable(row).items()]
    memory = f" with {row.accelerator_memory_gib:g} GiB each" if row.accelerator_memory_gib else ""
    cores = [("NeuronCores", str(row.neuron_cores))] if row.neuron_cores else []
    note = f" ({row.network_note})" if row.network_note else ""
    laid_out = [(f"interfaces, {name}", _interfaces(nics)) for name, nics in _layouts(row).items()]
    slurm = _slurm(row)
    return facts(
        [
            ("vCPUs", f"{row.vcpus} ({row.architecture})"),
            ("memory", f"{row.memory_mib} MiB"),
            ("accelerators", f"{_accelerators(row)}{memory}"),
            *cores,
            (
                "network",
                f"{row.network_gbps:g} Gbps{note}, {row.network_cards} cards, at most {row.max_efa} EFA interfaces",
            ),
            *laid_out,
            ("pods, aws / classic", _pods(_max_pods(row))),
            ("allocatable", ", ".join(allocatable)),
            ("Slurm", f"{slurm['cpus']} CPUs, {slurm['memoryMiB']} MiB, {slurm['gpus']} GPUs"),
            ("HyperPod", "yes" if row.hyperpod else "no"),
            ("Capacity Blocks", _block(row)),
            *([(f"zones, {region}", _zones_in(row.instance, region))] if region else []),
            *((f"source, {name.replace('_', ' ')}", source) for name, source in row.sources.items()),
        ],
        title=row.instance,
    )


def _interfaces(slots: tuple[Slot, ...]) -> str:
    efa = sum(slot.is_efa for slot in slots)
    return "; ".join((f"{len(slots)} in all, {efa} with EFA", *folded(slots)))
