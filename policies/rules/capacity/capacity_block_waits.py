"""Nodes that are wanted before their Capacity Block begins."""

from collections.abc import Iterator

from muster.fleet.facts import ReservationFacts, ReservationState
from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN
from policies.reading.targets import Kind, ahead, block_of, over, target_of
from policies.rule import Rule, Verdict, rule
from policies.words import number


@rule(
    "capacity-block-waits",
    title="A group has no nodes until its Capacity Block begins",
    # A managed group whose first nodes do not come is never created, and `up` waits (docs/facts/hardware.md#R17).
    judges=NodeGroup,
    why="Nothing launches into a scheduled block. A managed node group is not created without its first nodes, an Auto "
    "Scaling group logs failures until the block begins.",
    source="EKS user guide, Create a managed node group with Capacity Blocks (desired size 0 until it is active)",
    remedy="Start with 0 nodes and scale up when the block is active.",
    facts=("rules.md#22", "rules.md#26", "hardware.md#R17", "pains.md#5"),
)
def capacity_block_waits(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, _ = target_of(group, fleet)
    said = block_of(group)
    if target is None or target.empty or target.kind is not Kind.BLOCK or group.nodes_start == 0:
        return
    if ahead(group, target, fleet.as_of) or over(group, target, fleet.as_of):
        return  # capacity-block-dates names it
    known = target.holdings[0].known
    if target.bought and said is None:
        yield rule.unjudged(group.place, target.unknown(f"when {target.name} begins", fleet))
    elif waiting := _waiting(known, fleet):
        if group.nodes_start is UNKNOWN:
            yield rule.unjudged(group.place, "how many nodes it starts with, not known before creation")
            return
        yield rule.finding(
            group.place,
            at="capacity.capacity-block.active",
            got=f"{target.name} {waiting} (AWS says so), and the group starts with {number(group.nodes_start, 'node')}",
            remedy="write active: false until it has begun"
            if said
            else "start with 0 nodes, and scale up when it has begun",
        )


def _waiting(known: ReservationFacts, fleet: Fleet) -> str:
    if known.start and known.start.date() > fleet.as_of:
        return f"starts on {known.start.date()}"
    return f"is {known.state}" if known.state in (ReservationState.SCHEDULED, ReservationState.PAYMENT_PENDING) else ""
