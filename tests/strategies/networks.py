"""Networks of random clusters, with room for their groups."""

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

from muster.blueprint.derive.network import SPANNED_ZONES
from muster.config.description.node_group import Purpose
from muster.hardware.subnet_plan import plan_subnets, usable_addresses
from muster.hardware.zones import CONTROL_PLANE_REFUSED, REGIONS_WITH_REFUSED_ZONES
from tests.strategies.around import Around
from tests.strategies.described import REGIONS, made_up
from tests.strategies.readings import addresses_of, zone_of


def training_zones(groups: Iterable[Mapping[str, Any]], zones: Iterable[str]) -> set[str]:
    """The zones that a file system may be in: those of the groups that train, all if no group does."""
    named, every = [zone_of(group) for group in groups if group["for"] == Purpose.TRAINING], list(zones)
    spanned = every[:SPANNED_ZONES] if None in named else []
    return {*spanned, *(zone for zone in named if zone)} if named else set(every)


def a_network(draw: st.DrawFn, around: Around, groups: Mapping[str, Any]) -> dict[str, Any]:
    """A network with room for the groups."""
    zones = around.zones
    if around.created:
        fitting = [each for each in range(16, 23) if _fits(each, groups)]
        base = draw(st.sampled_from(["10.0.0.0", "192.168.0.0", "100.64.0.0", "198.18.0.0"]))
        network: dict[str, Any] = {
            "zones": zones,
            "cidr": f"{base}/{draw(st.sampled_from(fitting))}",
            "nat": draw(st.sampled_from(["one", "per-zone"])),
            "registry-endpoints": draw(st.booleans()),
        }
    else:
        ids = [made_up("subnet", number) for number in range(2 * len(zones))]
        network = {
            "vpc": made_up("vpc", 0),
            "private": dict(zip(zones, ids, strict=False)),
            "public": dict(zip(zones, ids[len(zones) :], strict=False)) if around.public else {},
        }
    if around.region in REGIONS_WITH_REFUSED_ZONES or draw(st.booleans()):
        ids = draw(st.permutations(zone_ids(around.region)))
        network["zone-ids"] = dict(zip(zones, ids, strict=False))
    return network


def zone_ids(region: str) -> list[str]:
    """Zone ids of a Region, but for those where EKS takes no control plane."""
    every = (f"{REGIONS[region]}-az{number}" for number in range(1, 9))
    return [each for each in every if each not in CONTROL_PLANE_REFUSED]


BESIDE_NODES = 60
"""Addresses of a subnet that are not the nodes': control plane, endpoints, NAT, file systems."""

PUBLIC_SHARE = 180
"""Addresses that one group may want of a public subnet that Muster makes, five groups of the largest one."""


def _fits(prefix: int, groups: Mapping[str, Any]) -> bool:
    """Whether all groups, each at its largest, fit into one zone of a VPC of that size."""
    plan = plan_subnets(f"10.0.0.0/{prefix}", ("us-west-2a",))["us-west-2a"]
    rooms = {"private": usable_addresses(plan.private), "public": usable_addresses(plan.public)}
    for group in groups.values():
        rooms[group.get("subnets", "private")] -= addresses_of(group)
    return min(rooms.values()) >= BESIDE_NODES
