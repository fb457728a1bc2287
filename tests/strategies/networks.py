"""Networks of random clusters, with room for their groups."""

from collections.abc import Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

from muster.blueprint.derive.network import SPANNED_ZONES
from muster.config.description.node_group import Purpose
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import slots
from muster.hardware.subnet_plan import plan_subnets, usable_addresses
from muster.hardware.zones import CONTROL_PLANE_REFUSED, REGIONS_WITH_REFUSED_ZONES
from muster.plain_data import as_list
from tests.strategies.around import Around
from tests.strategies.described import REGIONS, made_up
from tests.strategies.readings import addresses_of, layout_of, zone_of


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


EKS_ADDONS: list[dict[str, Any]] = [
    {"vpc-cni": {"values": {"env": {"WARM_ENI_TARGET": "2"}}}, "coredns": {"values": {"replicaCount": 3}}},
    {"kube-proxy": {}, "snapshot-controller": {"version": "v8.2.0-eksbuild.1"}},
]


def more_subnets(
    draw: st.DrawFn, document: dict[str, Any], groups: Mapping[str, dict[str, Any]], *, joins: bool
) -> None:
    """Subnets that groups name, and on a new control plane, its own and those of pods, with values of EKS add-ons."""
    ((kind, network),) = document["network"].items()
    zones = list(network.get("zones") or network["private"])
    name_subnets(draw, document["network"], ((group, zone_of(group)) for group in groups.values()))
    if joins:
        return
    if kind == "existing" and draw(st.booleans()):
        network["control-plane"] = {zone: made_up("subnet", 200 + number) for number, zone in enumerate(zones[:2])}
    if all(map(_leaves_an_interface, groups.values())) and draw(st.booleans()):
        made = "6.0.0.0/16" if network.get("cidr", "").startswith("100.") else "100.64.0.0/16"
        existing = {zone: made_up("subnet", 300 + number) for number, zone in enumerate(zones)}
        network["pods"] = made if kind == "create" else existing
    if draw(st.booleans()):
        document["addons"]["eks-addons"] = draw(st.sampled_from(EKS_ADDONS))


def name_subnets(
    draw: st.DrawFn, network: Mapping[str, Any], groups: Iterable[tuple[dict[str, Any], str | None]]
) -> None:
    """Another private subnet in the zone of some groups or queues, which they name."""
    private = network.get("existing", {}).get("private", {})
    for number, (group, zone) in enumerate(groups):
        if zone in private and "subnets" not in group and draw(st.booleans()):
            named = made_up("subnet", 400 + number)
            private[zone] = [*as_list(private[zone]), named]
            group["subnets"] = [named]


def _leaves_an_interface(group: Mapping[str, Any]) -> bool:
    """Whether pods that have their own subnets get an interface on a group's nodes."""
    machine = hardware(group["instance"])
    others = sum(slot.card == 0 and not slot.is_primary for slot in slots(machine, layout_of(group)))
    by_cni = group.get("provisioned-by") != "auto-mode"
    return by_cni and machine.enis_card0 is not None and machine.enis_card0 > 1 + others


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
