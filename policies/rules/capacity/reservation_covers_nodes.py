"""A reservation's size against the groups on it."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, NodeGroup
from muster.fleet.unknown import UNKNOWN, UnknownType
from policies.rule import Rule, Verdict, rule
from policies.rules.reading import reservation_of
from policies.words import number, some


@rule(
    "reservation-covers-nodes",
    title="A reservation holds as many instances as the groups on it may grow to",
    # R13 would only warn; ParallelCluster refuses, and so do we: the missing nodes are what a training job waits for.
    judges=NodeGroup,
    why="Nodes beyond the reservation never start: the group stays degraded and a job of that size waits for ever.",
    source="EC2 API, DescribeCapacityReservations TotalInstanceCount; ParallelCluster ec2_validators.py",
    remedy="Lower the groups' maximum, or name a larger reservation.",
    facts=("rules.md#25", "hardware.md#R13", "pains.md#5"),
)
def reservation_covers_nodes(group: NodeGroup, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, missing = reservation_of(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    if target is None:
        return
    known = fleet.reservation_facts(target)
    observed = known.total_instances if known else None
    holds = observed if observed is not None else group.reservation.count if group.reservation else None
    least, sharing = asked_of(target, fleet)
    if holds is None:
        yield rule.unjudged(group.place, fleet.missing(f"how many instances reservation {target} holds"))
    elif least > holds:
        says = " (AWS says so)" if observed is not None else ""
        who = f"{some(sharing)} together" if len(sharing) > 1 else "the group"
        yield rule.finding(
            group.place,
            at="capacity.reservation.count",
            got=f"reservation {target} holds {holds}{says}; {who} may grow to {least}",
            remedy=f"let {who} grow to {number(holds, 'node')} at most, or name a larger reservation",
        )
    elif any(nodes is UNKNOWN for nodes in sharing.values()):
        yield rule.unjudged(group.place, f"the most nodes of {some(sharing)}, not known before creation")


def asked_of(reservation: str, fleet: Fleet) -> tuple[int, dict[str, int | UnknownType]]:
    """The instances that groups want of a reservation, as far as known, and each group's most nodes."""
    sharing = {
        each.ref.name: each.nodes_max for each in fleet.of(NodeGroup) if reservation_of(each, fleet)[0] == reservation
    }
    return sum(nodes for nodes in sharing.values() if nodes is not UNKNOWN), sharing
