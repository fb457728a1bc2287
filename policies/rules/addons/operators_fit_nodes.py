"""The operators of the add-ons against the nodes that they may be on."""

from collections.abc import Iterator

from muster.fleet.resources import ControlPlane, Fleet
from policies.reading.landing import Lands, Spot, lands
from policies.reading.load import (
    Load,
    added,
    daemons_on,
    groups_for,
    loads,
    nodes_now,
    room_on,
    short_of,
    times,
)
from policies.reading.plugins import labelled_spots
from policies.rule import Rule, Verdict, rule
from policies.words import number, some


@rule(
    "operators-fit-nodes",
    title="The nodes for operators have room for all of them, beside CoreDNS and the daemons",
    judges=ControlPlane,
    backends=("eks", "hyperpod"),
    why="On too small a type addresses end first: max pods 14, and the last operator waits for ever, with the webhook "
    "that every job needs.",
    source="awslabs/ai-on-sagemaker-hyperpod#142; addons/ and addons/eks_daemons.py",
    remedy="Take more nodes, or a larger type, for the system group.",
    facts=("pains.md#19", "hardware.md#R10"),
)
def operators_fit_nodes(plane: ControlPlane, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    groups = {group.ref.name: group for group in fleet.kubernetes_groups}
    if plane.existing or not groups or any(group.purpose is None for group in groups.values()):
        return  # it has other nodes, which are not seen here
    places = {load: groups_for(load, fleet) for load in loads(fleet) if load.workload.kind == "Deployment"}
    operators = [load for load, names in places.items() if names]
    chosen = {name for names in places.values() for name in names}
    spots = [spot for spot in labelled_spots(fleet) if spot.name in chosen]
    rooms = {spot: _left(spot, fleet) for spot in spots}
    if None in rooms.values():
        yield rule.unjudged(plane.place, "what the nodes for operators have for pods")
        return
    if not spots or not operators:
        return  # untainted-group says that there is no node for them
    there = added(*(room for room in rooms.values() if room))
    lacking = short_of(added(*(load.total for load in operators)), there)
    if lacking:
        nodes = sum(nodes_now(groups[name]) or 0 for name in chosen)
        at = f"groups.{min(chosen)}"
        yield rule.finding(
            plane.place,
            at=at,
            got=f"{some(load.name for load in operators)} take {', '.join(lacking)} that the daemons leave on "
            f"{number(nodes, 'node')} of {some(chosen)}",
            remedy=f"take more nodes, or a larger instance type, for {min(chosen)}",
        )
        return
    yield from _too_large(plane, operators, spots, fleet, rule)


def _left(spot: Spot, fleet: Fleet) -> dict[str, int] | None:
    """What the daemons leave on all nodes of a kind."""
    room, nodes = _left_on_one(spot, fleet), nodes_now(spot.group) if spot.group else None
    return None if room is None or nodes is None else times(nodes, room)


def _left_on_one(spot: Spot, fleet: Fleet) -> dict[str, int] | None:
    room = room_on(spot, fleet)
    taken = added(*(asked for _, asked in daemons_on(spot, fleet)))
    return None if room is None else {resource: amount - taken[resource] for resource, amount in room.items()}


def _too_large(
    plane: ControlPlane, operators: list[Load], spots: list[Spot], fleet: Fleet, rule: Rule
) -> Iterator[Verdict]:
    """Operators that no single node has room for."""
    for load in operators:
        here = [spot for spot in spots if lands(load.workload.placement.pod_spec, spot) is not Lands.NO]
        left = {spot.name: _left_on_one(spot, fleet) for spot in here}
        short = {name: short_of(load.each, room) for name, room in left.items() if room is not None}
        if short and all(short.values()):
            name, lacking = min(short.items())
            yield rule.finding(
                plane.place,
                at=f"groups.{name}",
                got=f"{load.name} takes {', '.join(lacking)} that the daemons leave on a node of {name}",
                remedy=f"take a larger instance type for {name}",
            )
