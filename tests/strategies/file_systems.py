"""File systems of random clusters."""

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

SSD_SIZES = (1200, 2400, 4800, 7200, 96000)
KEY = "arn:aws:kms:us-west-2:000000000000:key/00000000-0000-4000-8000-000000000000"
EFA_SIZES = {125: 38400, 250: 19200, 500: 9600, 1000: 4800}
"""Throughput -> what sizes are multiples of."""

EXISTING_ID = "fs-0123456789abcdef0"
EXISTING_EFS = "fs-0123456789abcdef1"


def storages(draw: st.DrawFn, zones: Iterable[str], vpc: str | None) -> dict[str, Any]:
    """Perhaps one that Muster makes, and perhaps one that exists, where the VPC does.

    Args:
        draw: hypothesis' own.
        zones: where they may be.
        vpc: the network's VPC, None where it is made new.
    """
    made: dict[str, Any] = {}
    places = sorted(zones)
    if draw(st.booleans()):
        made["scratch"] = {"lustre": lustre(draw, places)}
    if vpc and draw(st.booleans()):
        made["old"] = {"existing-lustre": _existing(draw, places)}
    if draw(st.booleans()):
        made["code"] = {"openzfs": _openzfs(draw, places)}
    return made


def efs(draw: st.DrawFn, vpc: str | None) -> dict[str, Any]:
    """Perhaps one of EFS that Muster makes, and perhaps one that exists, where the VPC does."""
    made: dict[str, Any] = {}
    if draw(st.booleans()):
        made["shared"] = {"efs": {"key": KEY} if draw(st.booleans()) else {}}
    if vpc and draw(st.booleans()):
        made["old-shared"] = {"existing-efs": {"id": EXISTING_EFS}}
    return made


def buckets(draw: st.DrawFn) -> dict[str, Any]:
    """Perhaps a bucket that pods mount."""
    location = draw(st.sampled_from(["s3://training-data", "s3://training-data/images"]))
    return {"images": {"s3": {"location": location, "write": draw(st.booleans())}}} if draw(st.booleans()) else {}


def _openzfs(draw: st.DrawFn, zones: list[str]) -> dict[str, Any]:
    kind = draw(st.sampled_from(["single-az-1", "single-az-ha-1", "single-az-2", "single-az-ha-2"]))
    throughput = draw(st.sampled_from([64, 4096] if kind.endswith("1") else [160, 10240]))
    made = {"type": kind, "throughput": throughput, "size": draw(st.sampled_from(["64GiB", "1024GiB", "524288GiB"]))}
    if zones and draw(st.booleans()):
        made["zone"] = draw(st.sampled_from(zones))
    if draw(st.booleans()):
        made |= {"compression": draw(st.sampled_from(["lz4", "zstd", "none"])), "backup-days": draw(st.integers(0, 90))}
    return made


def lustre(draw: st.DrawFn, zones: list[str]) -> dict[str, Any]:
    """One that FSx would make."""
    made = draw(st.sampled_from([_persistent_2, _persistent_1, _scratch]))(draw)
    if zones and draw(st.booleans()):
        made["zone"] = draw(st.sampled_from(zones))
    if draw(st.booleans()):
        made["compression"] = draw(st.sampled_from(["lz4", "none"]))
    if draw(st.booleans()):
        made["on-destroy"] = draw(st.sampled_from(["keep", "delete"]))
    return made


def _persistent_2(draw: st.DrawFn) -> dict[str, Any]:
    throughput = draw(st.sampled_from(sorted(EFA_SIZES)))
    efa = draw(st.booleans())
    size = EFA_SIZES[throughput] * draw(st.integers(1, 3)) if efa else draw(st.sampled_from(SSD_SIZES))
    made = {"size": f"{size}GiB", "throughput": throughput, **({"efa": True} if efa else {})}
    if draw(st.booleans()):
        made["metadata"] = draw(st.sampled_from(["automatic", {"iops": 1500}, {"iops": 12000}, {"iops": 192000}]))
    return {**made, **_kept(draw)}


def _persistent_1(draw: st.DrawFn) -> dict[str, Any]:
    kind = {"type": "persistent-1"}
    if draw(st.booleans()):
        size = draw(st.sampled_from(SSD_SIZES))
        return {**kind, "size": f"{size}GiB", "throughput": draw(st.sampled_from([50, 100, 200])), **_kept(draw)}
    throughput, step = draw(st.sampled_from([(12, 6000), (40, 1800)]))
    cache = {"drive-cache": draw(st.sampled_from(["read", "none"]))} if draw(st.booleans()) else {}
    size = step * draw(st.integers(1, 4))
    return {**kind, "disk": "hdd", "size": f"{size}GiB", "throughput": throughput, **cache, **_kept(draw)}


def _scratch(draw: st.DrawFn) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"type": "scratch-1", "size": f"{draw(st.sampled_from([1200, 2400, 3600, 36000]))}GiB"}
    data = _data(draw) if draw(st.booleans()) else {}
    return {"type": "scratch-2", "size": f"{draw(st.sampled_from(SSD_SIZES))}GiB", **data}


def _kept(draw: st.DrawFn) -> dict[str, Any]:
    """What persistent file systems have: a key, and backups or links to S3, not both."""
    key = {"key": KEY} if draw(st.booleans()) else {}
    if draw(st.booleans()):
        return {**key, **_data(draw)}
    return {**key, "backup-days": draw(st.integers(0, 90))}


def _data(draw: st.DrawFn) -> dict[str, Any]:
    """Links beside each other, or the root alone."""
    events = st.lists(st.sampled_from(["new", "changed", "deleted"]), unique=True)
    paths = draw(st.sampled_from([["/"], ["/imagenet"], ["/a", "/ab", "/b/c"], [f"/{index}" for index in range(8)]]))
    links = {
        path: {"s3": f"s3://training-data/{index}", **({"export": draw(events)} if draw(st.booleans()) else {})}
        for index, path in enumerate(paths)
    }
    return {"data": links}


def _existing(draw: st.DrawFn, zones: list[str]) -> dict[str, Any]:
    zone = {"zone": draw(st.sampled_from(zones))} if zones and draw(st.booleans()) else {}
    dns = {"dns-name": f"{EXISTING_ID}.fsx.example.com"} if draw(st.booleans()) else {}
    return {"id": EXISTING_ID, "mount-name": draw(st.sampled_from(["fsx", "a1b2cdef"])), **zone, **dns}


def file_system_facts(storage: Mapping[str, Any], vpc: str | None, zones: Iterable[str]) -> dict[str, Any]:
    """What AWS would say of the one that exists if it were as described, and reachable."""
    places = sorted(zones)
    targets = sorted({f"{place[:-1]}{letter}" for place in places for letter in "abcdef"})
    efs_facts = {
        said["existing-efs"]["id"]: {"vpc": vpc, "zones": targets, "portsOpenToVpc": True}
        for said in storage.values()
        if "existing-efs" in said
    }
    return efs_facts | {
        said["existing-lustre"]["id"]: {
            "vpc": vpc,
            "zone": said["existing-lustre"].get("zone", next(iter(places), None)),
            "mountName": said["existing-lustre"]["mount-name"],
            "version": "2.15",
            "portsOpenToVpc": True,
        }
        for said in storage.values()
        if "existing-lustre" in said
    }
