"""Ways to break how the groups of random clusters are launched: images, room in subnets, how nodes get in."""

from collections.abc import Mapping
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st

from muster.blueprint.derive.network import SPANNED_ZONES
from tests.strategies.breakages.breakage import Break, Places
from tests.strategies.described import Described
from tests.strategies.readings import held_by, most_of, node_addresses

_WORKERS = "groups.workers"
_CONTROL_PLANE = 6


def by_parameter(*paths: str) -> Break:
    """The workers' image is named by an SSM parameter."""

    def break_(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
        at = f"{_WORKERS}.image"
        return legal.edit({at: {"custom": {"ssm": draw(st.sampled_from(paths))}}}), frozenset({at})

    return break_


def entries_off(_draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    """The cluster turns out to take no access entries: whoever would have one is named."""
    groups = legal.document["groups"].items()
    hit = {f"groups.{name}.self-managed" for name, group in groups if group.get("self-managed")}
    hit |= {"access"} & legal.document.keys()
    return legal.edit({"control-plane.existing.authentication": "config-map"}), frozenset(hit)


def without_room(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    """The workers' subnet is too small for the nodes that the groups in it start with."""
    inside = _in_the_workers_zone(legal)
    needed = _control_plane(legal)
    needed += sum(start_of(group) * node_addresses(group).working for group in inside.values())
    assume(all(start_of(group) for group in inside.values()))  # one that starts with none lacks room later: advice
    hit = {f"groups.{name}.nodes" for name in inside}
    return _with_room(legal, draw(st.integers(0, needed - 1))), frozenset(hit)


def without_room_for_all(draw: st.DrawFn, legal: Described) -> tuple[Described, Places]:
    """It holds those, but not all that the workers may become."""
    inside = _in_the_workers_zone(legal)
    assume(set(inside) == {"workers"})
    taken, own = node_addresses(legal.workers), _control_plane(legal)
    least = own + start_of(legal.workers) * taken.working
    most = own + most_of(legal.workers) * taken.most
    assume(least < most)
    return _with_room(legal, draw(st.integers(least, most - 1))), frozenset({f"{_WORKERS}.nodes"})


def _control_plane(legal: Described) -> int:
    """What the control plane takes of the workers' subnet: it is in the first two zones, where it is ours."""
    made = "existing" not in legal.document["control-plane"]
    return _CONTROL_PLANE * (made and legal.workers_zone in list(legal.network["private"])[:SPANNED_ZONES])


def _in_the_workers_zone(legal: Described) -> Mapping[str, Any]:
    """The groups that can be in no other subnet than the workers'."""
    zone, groups = legal.workers_zone, legal.document["groups"].items()
    return {name: group for name, group in groups if zone_of(group) == zone and group.get("subnets") != "public"}


def _with_room(legal: Described, free: int) -> Described:
    return legal.learn("subnets", legal.network["private"][legal.workers_zone], freeAddresses=free)


def zone_of(group: Mapping[str, Any]) -> str | None:
    """The one zone of a group: what it says, or where its capacity is held."""
    return group.get("zone") or (held_by(group) or {}).get("zone")


def start_of(group: Mapping[str, Any]) -> int:
    """Nodes at first; the groups here are on no Capacity Block that has not begun."""
    nodes = group["nodes"]
    return int(nodes["start"] if isinstance(nodes, dict) else nodes)
