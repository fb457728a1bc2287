"""Writes `ec2_types.csv`, `offerings.csv` and `types_without_hardware.csv` in `muster/hardware`.

The sources are moto's copy of EC2's answers, and botocore's model of EC2's API.

    python -m tools.ec2_types

The maintainers of moto update the copy about once a month from DescribeInstanceTypes and DescribeInstanceTypeOfferings.
A newer moto gives newer tables. `tests/hardware/test_ec2_types.py` compares them. Values that EC2's API does not state,
or states wrongly, are in `muster/hardware/ec2_types_overlay.toml`, which people write.
"""

import csv
import gzip
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from botocore.loaders import Loader

HARDWARE = Path(__file__).resolve().parent.parent / "muster" / "hardware"
TYPES, OFFERINGS = HARDWARE / "ec2_types.csv", HARDWARE / "offerings.csv"
WITHOUT_HARDWARE = HARDWARE / "types_without_hardware.csv"

Json = Mapping[str, Any]


def _resource(name: str) -> Any:
    return json.loads(gzip.decompress((files("moto.ec2") / "resources" / name).read_bytes()))


def type_rows() -> Iterator[dict[str, object]]:
    """One row for each instance type: by family, the smallest first."""
    types = _resource("instance_types.json.gz")
    for name, each in sorted(types.items(), key=lambda named: _order(*named)):
        yield {"instance_type": name, **_machine(each), **_accelerators(each), **_network(each), **_disks(each)}


def _order(name: str, each: Json) -> tuple[object, ...]:
    return (
        name.partition(".")[0],
        each["BareMetal"],
        each["VCpuInfo"]["DefaultVCpus"],
        each["MemoryInfo"]["SizeInMiB"],
        name,
    )


def _machine(each: Json) -> dict[str, object]:
    usage = each["SupportedUsageClasses"]
    architectures = each["ProcessorInfo"]["SupportedArchitectures"]
    return {
        "architecture": "x86_64" if "x86_64" in architectures else architectures[0],
        "vcpus": each["VCpuInfo"]["DefaultVCpus"],
        "threads_per_core": each["VCpuInfo"]["DefaultThreadsPerCore"],
        "memory_mib": each["MemoryInfo"]["SizeInMiB"],
        "on_demand": _word("on-demand" in usage),
        "spot": _word("spot" in usage),
        "capacity_block": _word("capacity-block" in usage),
    }


def _accelerators(each: Json) -> dict[str, object]:
    gpus = each.get("GpuInfo", {}).get("Gpus", [])
    devices = each.get("NeuronInfo", {}).get("NeuronDevices", [])
    kind, parts = ("gpu", gpus) if gpus else ("neuron", devices) if devices else ("none", [])
    if len(parts) > 1:
        raise ValueError(f"{each['InstanceType']} has several kinds of accelerators, but the table supports one")
    for part in parts:
        # A fraction of a GPU (g6f) has count 0 and one logical GPU.
        count = part["Count"] or part["LogicalGpuCount"]
        return {
            "accelerator_kind": kind,
            "accelerator_model": part["Name"],
            "accelerators": count,
            "accelerator_memory_gib": round(part["MemoryInfo"]["SizeInMiB"] / 1024, 2),
            "gpu_fraction": f"{part.get('GpuPartitionSize', 1):g}",
            "neuron_cores": count * part["CoreInfo"]["Count"] if kind == "neuron" else 0,
        }
    return {"accelerator_kind": kind, "accelerator_model": "", "accelerators": 0, "neuron_cores": 0}


_GIGABITS = re.compile(r"(?P<burst>Up to )?((?P<cards>\d+)x )?(?P<each>[\d.]+) Gigabit")


def _network(each: Json) -> dict[str, object]:
    network = each["NetworkInfo"]
    cards = network["NetworkCards"]
    efa = [card["NetworkCardIndex"] for card in cards if "efa" in card["InterfaceTypes"]]
    others = {card["MaximumNetworkInterfaces"] for card in cards[1:]}
    if len(others) > 1 or efa not in ([], list(range(min(efa, default=0), max(efa, default=0) + 1))):
        raise ValueError(f"{each['InstanceType']} has different network cards, but the table supports one kind")
    performance = _GIGABITS.fullmatch(network["NetworkPerformance"])
    # Older types have words such as "Moderate": EC2 states the peak bandwidth of their card.
    gbps = (
        float(performance["each"]) * int(performance["cards"] or 1) if performance else cards[0]["PeakBandwidthInGbps"]
    )
    burst = performance is None or performance["burst"]
    baseline = cards[0]["BaselineBandwidthInGbps"]
    return {
        "network_gbps": f"{gbps:g}",
        "network_note": f"burst; baseline {baseline:g}" if burst and baseline != gbps else "",
        "network_cards": network["MaximumNetworkCards"],
        "efa_cards": "" if not efa else str(efa[0]) if len(efa) == 1 else f"{efa[0]}-{efa[-1]}",
        "max_efa": network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0),
        "enis_card0": cards[0]["MaximumNetworkInterfaces"],
        "enis_other_cards": next(iter(others), ""),
        "ipv4_per_eni": network["Ipv4AddressesPerInterface"],
    }


def _disks(each: Json) -> dict[str, object]:
    storage = each.get("InstanceStorageInfo", {"NvmeSupport": "unsupported"})
    if storage["NvmeSupport"] == "unsupported":
        return {"nvme_gb": 0, "nvme_disks": ""}
    disks = [f"{disk['Count']}x{disk['SizeInGB']}" for disk in storage["Disks"]]
    return {"nvme_gb": storage["TotalSizeInGB"], "nvme_disks": " ".join(disks)}


def _word(value: bool) -> str:  # noqa: FBT001
    return "true" if value else "false"


def offering_rows() -> Iterator[dict[str, object]]:
    """One row for the types that the same zones offer: ``us-east-1:use1-az1;use1-az2 us-west-2:usw2-az1``."""
    folder = files("moto.ec2") / "resources" / "instance_type_offerings" / "availability-zone-id"
    zones: dict[str, dict[str, set[str]]] = {}
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        region = file.name.partition(".")[0]
        for offer in json.loads(gzip.decompress(file.read_bytes())):
            zones.setdefault(offer["InstanceType"], {}).setdefault(region, set()).add(offer["Location"])
    by_zones: dict[str, list[str]] = {}
    for name, by_region in sorted(zones.items()):
        offered = " ".join(f"{region}:{';'.join(sorted(ids))}" for region, ids in sorted(by_region.items()))
        by_zones.setdefault(offered, []).append(name)
    for offered, names in sorted(by_zones.items(), key=lambda each: each[1]):
        yield {"instance_types": " ".join(names), "zone_ids": offered}


def rows_without_hardware() -> Iterator[dict[str, object]]:
    """The types that EC2's API lists (`InstanceType` in botocore's model) but moto's copy does not: old types that AWS
    retired, and the newest."""
    model = Loader().load_service_model("ec2", "service-2")
    listed = _resource("instance_types.json.gz")
    for name in sorted(set(model["shapes"]["InstanceType"]["enum"]) - set(listed)):
        yield {"instance_type": name}


def as_csv(rows: Iterable[Mapping[str, object]]) -> str:
    """The text of a table."""
    rows = list(rows)
    text = io.StringIO()
    heads = list(dict.fromkeys(key for row in rows for key in row))
    writer = csv.DictWriter(text, heads, lineterminator="\n", restval="")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def main() -> None:
    """Writes the tables."""
    WITHOUT_HARDWARE.write_text(as_csv(rows_without_hardware()), encoding="utf-8")
    TYPES.write_text(as_csv(type_rows()), encoding="utf-8")
    OFFERINGS.write_text(as_csv(offering_rows()), encoding="utf-8")


if __name__ == "__main__":
    main()
