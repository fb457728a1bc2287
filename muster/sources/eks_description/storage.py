"""The file systems of FSx for Lustre that a file creates, as `storage` of a description."""

import re
from typing import Any

from muster.fleet.resources import LustreFileSystem
from muster.sources.eks_description.network import DescribedNetwork
from muster.sources.eks_description.parts import Parts, distinct_names
from muster.unknown import UNKNOWN

_SMALLEST = 1200
"""GiB: FSx's smallest size, as a placeholder."""
_KEY = re.compile(r"arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:key/[0-9a-f-]{36}")


def describe_storage(parts: Parts, network: DescribedNetwork) -> dict[str, Any]:
    """The value of `storage`."""
    found: dict[str, Any] = {}
    listed = sorted(parts.fleet.of(LustreFileSystem), key=lambda one: one.place.resource)
    for name, each in zip(distinct_names([one.ref for one in listed], 20, "lustre"), listed, strict=True):
        found[name] = {"lustre": _lustre(parts, network, each, f"storage.{name}.lustre")}
    return found


def _lustre(parts: Parts, network: DescribedNetwork, each: LustreFileSystem, path: str) -> dict[str, Any]:
    urn = each.place.resource
    size = each.size if isinstance(each.size, int) else parts.placeholder(f"{path}.size", _SMALLEST)
    found: dict[str, Any] = {
        "size": f"{size}GiB",
        "type": _word(each.deployment, "persistent-2"),
        "disk": _word(each.disk, "ssd"),
        "compression": "lz4" if each.compression == "LZ4" else "none",
    }
    if each.drive_cache is not None and each.drive_cache is not UNKNOWN:
        found["drive-cache"] = each.drive_cache.lower()
    if isinstance(each.throughput, int):
        found["throughput"] = each.throughput
    if each.metadata_mode == "USER_PROVISIONED" and isinstance(each.metadata_iops, int):
        found["metadata"] = {"iops": each.metadata_iops}
    if each.efa is True:
        found["efa"] = True
    if isinstance(each.key, str) and _KEY.fullmatch(each.key):
        found["key"] = each.key
    if isinstance(each.backup_days, int) and each.backup_days:
        found["backup-days"] = each.backup_days
    zones = network.zones_of(() if each.subnets is UNKNOWN else each.subnets)
    if len(zones) == 1:
        found["zone"] = zones[0]
    if each.associations:
        parts.leave_out(urn, "", "links to S3: add them under data of the file system")
    if each.import_path is not None:
        parts.leave_out(urn, "importPath", "links to S3: add them under data of the file system")
    defaults = {"type": "persistent-2", "disk": "ssd", "compression": "lz4"}
    return {key: value for key, value in found.items() if defaults.get(key) != value}


def _word(value: Any, otherwise: str) -> str:
    """FSx's value as a word of the description: ``PERSISTENT_2`` -> ``persistent-2``."""
    return value.lower().replace("_", "-") if isinstance(value, str) else otherwise
