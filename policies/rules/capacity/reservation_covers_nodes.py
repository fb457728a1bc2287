"""A reservation's size against the groups on it."""

from collections.abc import Iterable, Iterator

from muster.fleet.facts import ReservationState
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.reading.asked import was_asked
from policies.reading.holds import Held, held_by, held_together, on_the_same, wanted_by
from policies.reading.targets import Holding, Kind, Target, target_of
from policies.rule import Rule, Verdict, rule
from policies.words import number, some

_LARGER = {
    Kind.RESERVATION: "name a larger reservation",
    Kind.GROUP: "add reservations to the group",
    Kind.BLOCK: "name a larger block",
}


@rule(
    "reservation-covers-nodes",
    title="A reservation or Capacity Block holds as many instances as the groups on it may grow to",
    # ParallelCluster refuses, and so do we: a training job waits for the missing nodes (docs/facts/hardware.md#R13).
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="Nodes beyond the reservation never start: the group stays degraded and a job of that size waits for ever.",
    source="EC2 API, DescribeCapacityReservations TotalInstanceCount; ParallelCluster ec2_validators.py",
    remedy="Lower the groups' maximum, or name a larger reservation.",
    facts=("rules.md#25", "hardware.md#R13", "pains.md#5"),
)
def reservation_covers_nodes(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, missing = target_of(group, fleet)
    if missing:
        yield rule.unjudged(group.place, missing)
    if target is None or target.empty:
        return
    if was_asked(fleet) and any(map(_untold, target.holdings)):
        # What the description says of it nobody has confirmed.
        yield rule.unjudged(group.place, fleet.missing(f"how many instances {target.name} holds"))
        return
    sharing = on_the_same(target, fleet)
    own, together = held_by(target, group, fleet), held_together(target, group, sharing, fleet)
    for groups, held in (((group,), own), ([each for each, _ in sharing], together)):
        if held is None:
            what = f"how many instances {target.name} holds"
            yield rule.unjudged(group.place, target.missing or target.unknown(what, fleet))
            return
        if wanted_by(groups) > held.count:
            yield _too_many(group, target, groups, held, rule)
            return
    unknown = [each.ref.name for each, _ in sharing if each.nodes_max is UNKNOWN]
    if unknown:
        yield rule.unjudged(group.place, f"the most nodes of {some(unknown)}, not known before creation")


def _untold(holding: Holding) -> bool:
    """Whether AWS does not say how many it holds: of a block that waits it need not."""
    known = holding.known
    return holding.observed and known.total_instances is None and known.state in {None, ReservationState.ACTIVE}


def _too_many(group: Ec2Group, target: Target, groups: Iterable[Ec2Group], held: Held, rule: Rule) -> Verdict:
    names = [each.ref.name for each in groups]
    who = f"{some(names)} together" if len(names) > 1 else "the group"
    says = " (AWS says so)" if held.observed else ""
    fitting = " that its instances match" if held.partly else ""
    return rule.finding(
        group.place,
        at=f"{target.at}.count",
        got=f"{target.name} holds {held.count}{fitting}{says}; {who} may grow to {wanted_by(groups)}",
        remedy=f"let {who} grow to {number(held.count, 'node')} at most, or {_LARGER[target.kind]}",
    )
