"""What AWS says of random clusters."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from muster.fleet.resources.ec2 import GENERIC, POOL
from muster.hardware.quotas import VCPUS
from muster.plain_data import as_list
from muster.versions import EKS_ADDONS
from tests.strategies import file_systems
from tests.strategies.around import Around
from tests.strategies.described import made_up
from tests.strategies.networks import training_zones, zone_ids
from tests.strategies.readings import Kind, held_by, kind_of

FREE_ADDRESSES = 60_000
"""Of every subnet that exists: as good as a whole /16."""

QUOTAS = dict.fromkeys([each.code for each in VCPUS], 1_000_000)
"""Room for every cluster."""


def observed(document: Mapping[str, Any], around: Around) -> dict[str, Any]:
    """What AWS would say if everything were as described."""
    groups = document["groups"].values()
    (network,) = document["network"].values()
    plane = document["control-plane"]
    existing = plane.get("existing") if isinstance(plane, dict) else None
    carried = [id_ for group in groups for id_ in group.get("security-groups", ())]
    return {
        "reservations": {id_: said for group in groups for id_, said in reserved_by(group)},
        "reservationGroups": {
            held["arn"]: {"configurations": [POOL, GENERIC], "reservations": [id_ for id_, _ in reserved_by(group)]}
            for group in groups
            if kind_of(group) is Kind.RESERVATION_GROUP and "arn" in (held := group["capacity"][kind_of(group)])
        },
        "subnets": subnets_of(network),
        "securityGroups": open_groups(network, [*carried, *([existing["security-group"]] if existing else ())]),
        "clusters": {existing["name"]: {"eksAddons": EKS_ADDONS[document["kubernetes"]]}} if existing else {},
        "fileSystems": file_systems.file_system_facts(
            document.get("storage", {}),
            network.get("vpc"),
            training_zones(groups, network.get("zones") or network["private"]),
        ),
        "zones": network.get("zone-ids") or dict(zip(around.zones, zone_ids(around.region), strict=False)),
        "quotas": {**QUOTAS},
    }


def open_groups(network: Mapping[str, Any], ids: Iterable[str]) -> dict[str, Any]:
    """What AWS says of security groups that allow all traffic of their own."""
    return {id_: {"vpc": network.get("vpc"), "selfIngress": True, "selfEgress": True} for id_ in sorted(set(ids))}


def subnets_of(network: Mapping[str, Any]) -> dict[str, Any]:
    """What AWS says of the subnets of a network that exists; nothing of one that is made."""
    return {
        subnet: {
            "vpc": network["vpc"],
            "zone": zone,
            "mapPublicIpOnLaunch": tier == "public",
            "freeAddresses": FREE_ADDRESSES,
        }
        for tier in (("private", "public", "control-plane", "pods") if "private" in network else ())
        for zone, subnets in network.get(tier, {}).items()
        for subnet in as_list(subnets)
    }


def reserved_by(group: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What AWS says of the reservations that a group is on; of a block that is still to be bought, nothing."""
    kind, held = kind_of(group), held_by(group)
    if held is None or "buy" in held:
        return
    waits = kind is Kind.CAPACITY_BLOCK and not held.get("active")
    usable_now = reservation_of(group, waits=waits)
    if kind is not Kind.RESERVATION_GROUP:
        yield held["id"], usable_now
        return
    first = held["count"] // 2
    members = [arn.rpartition("/")[2] for arn in held.get("create", ())] or [
        made_up("cr", 1000 + int(held["arn"].rpartition("-")[2]) * 10 + index) for index in range(2)
    ]
    for id_, count in zip(members, (first, held["count"] - first), strict=True):
        yield id_, {**usable_now, "totalInstances": count}


def reservation_of(group: Mapping[str, Any], *, waits: bool, platform: str = "Linux/UNIX") -> dict[str, Any]:
    """What AWS says of what holds a group's instances: a block that waits, or what can be used now."""
    held = held_by(group)
    assert held is not None
    block = kind_of(group) is Kind.CAPACITY_BLOCK
    dates = {"start": f"{held['starts']}T11:30:00Z", "end": f"{held['ends']}T11:30:00Z"} if block else {}
    return {
        "instanceType": group["instance"],
        "zone": held["zone"],
        "totalInstances": held["count"],
        "state": "scheduled" if waits else "active",
        "platform": platform,
        "tenancy": "default",
        "reservationType": "capacity-block" if block else "default",
        **dates,
    }
