"""What a group of a description says, and what follows from that: its nodes, interfaces, image, addresses."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from muster.blueprint.node import EFA_RESOURCE, Node
from muster.config.description.node_group import Purpose
from muster.hardware.ami import Family, plugin_in_image
from muster.hardware.catalogue import hardware
from muster.hardware.interfaces import Addresses, Layout, slots
from muster.size import Size


class Kind(StrEnum):
    """A kind of capacity, by its key."""

    ON_DEMAND = "on-demand"
    SPOT = "spot"
    RESERVATION = "reservation"
    RESERVATION_GROUP = "reservation-group"
    CAPACITY_BLOCK = "capacity-block"


NOT_HELD = (Kind.ON_DEMAND, Kind.SPOT)
"""The kinds that are in no zone of their own."""


def kind_of(group: Mapping[str, Any]) -> Kind:
    """The kind of a group's capacity."""
    said = group.get("capacity", Kind.ON_DEMAND)
    return Kind(said if isinstance(said, str) else next(iter(said)))


def held_by(group: Mapping[str, Any]) -> dict[str, Any] | None:
    """What holds a group's instances, in a zone of its own; None where nothing does."""
    kind = kind_of(group)
    return None if kind in NOT_HELD else group["capacity"][kind]


def zone_of(group: Mapping[str, Any]) -> str | None:
    """The one zone of a group, its own or its capacity's; None if it spans zones."""
    capacity = group.get("capacity")
    held = next(iter(capacity.values())) if isinstance(capacity, dict) else {}
    zone: str | None = group.get("zone") or held.get("zone")
    return zone


def node_addresses(group: Mapping[str, Any]) -> Addresses:
    """What one node of a group takes of its subnet."""
    machine = hardware(group["instance"])
    return Node.of(machine, slots(machine, layout_of(group)), Size(0)).addresses


def addresses_of(group: Mapping[str, Any]) -> int:
    """The most addresses that a group may ever take, the nodes of an update included."""
    return node_addresses(group).most * (most_of(group) + MOST_AT_ONCE)


MOST_AT_ONCE = 2


def most_of(group: Mapping[str, Any]) -> int:
    """The most nodes of a group."""
    nodes = group["nodes"]
    return int(nodes["max"] if isinstance(nodes, dict) else nodes)


def layout_of(group: Mapping[str, Any]) -> Layout:
    """The layout of a group's interfaces."""
    return Layout(group.get("interfaces", "aws" if group["for"] == Purpose.TRAINING else "plain"))


def efa_of(group: Mapping[str, Any]) -> int:
    """How many EFA interfaces a group's nodes have."""
    return sum(slot.is_efa for slot in slots(hardware(group["instance"]), layout_of(group)))


def family_of(group: Mapping[str, Any]) -> Family:
    """The operating system of a group's image."""
    said = group.get("image", "al2023")
    (kind,) = [said] if isinstance(said, str) else said
    return Family(said["custom"].get("family", "al2023") if kind == "custom" else kind)


def lacked_by(group: Mapping[str, Any]) -> frozenset[str]:
    """The resources of a group's devices that its nodes offer only with a plugin of ours."""
    resource = hardware(group["instance"]).resource_name
    offers = frozenset({resource} if resource else ()) | frozenset({EFA_RESOURCE} if efa_of(group) else ())
    return offers - plugin_in_image(family_of(group), offers)
