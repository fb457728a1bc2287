"""The instances of a reservation, against the nodes of the groups on it."""

from collections.abc import Iterable, Iterator

from muster.fleet.facts import ReservationState
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.unknown import UNKNOWN
from policies.engine.finding_text import and_list, quantity_text
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.account_facts import facts_observed
from policies.lookups.capacity_targets import Holding, Kind, Target, target_of
from policies.lookups.reserved_capacity import (
    InstanceCount,
    free_instances,
    groups_on_target,
    instances_for,
    instances_for_all,
    instances_wanted,
)

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
    if facts_observed(fleet) and any(map(_untold, target.holdings)):
        # Nothing confirms what the description states.
        yield rule.unjudged(group.place, fleet.missing(f"how many instances {target.name} holds"))
        return
    sharing = groups_on_target(target, fleet)
    own, together = instances_for(target, group, fleet), instances_for_all(target, group, sharing, fleet)
    for groups, reserved in (((group,), own), ([each for each, _ in sharing], together)):
        if reserved is None:
            what = f"how many instances {target.name} holds"
            yield rule.unjudged(group.place, target.missing or target.unknown(what, fleet))
            return
        if instances_wanted(groups) > reserved.count:
            yield _too_many(group, target, groups, reserved, rule)
            return
    unknown = [each.ref.name for each, _ in sharing if each.nodes_max is UNKNOWN]
    if unknown:
        yield rule.unjudged(group.place, f"the most nodes of {and_list(unknown)}, not known before creation")


def _untold(holding: Holding) -> bool:
    """Whether AWS does not say how many it holds: of a block that waits it need not."""
    known = holding.known
    return holding.observed and known.total_instances is None and known.state in {None, ReservationState.ACTIVE}


def _too_many(
    group: Ec2Group, target: Target, groups: Iterable[Ec2Group], reserved: InstanceCount, rule: Rule
) -> Verdict:
    names = [each.ref.name for each in groups]
    who = f"{and_list(names)} together" if len(names) > 1 else "the group"
    says = " (AWS says so)" if reserved.observed else ""
    fitting = " that its instances match" if reserved.partly else ""
    return rule.finding(
        group.place,
        at=f"{target.at}.count",
        got=f"{target.name} holds {reserved.count}{fitting}{says}; {who} may grow to {instances_wanted(groups)}",
        remedy=f"let {who} grow to {quantity_text(reserved.count, 'node')} at most, or {_LARGER[target.kind]}",
    )


_RUNNING = (ReservationState.ACTIVE, None)


@rule(
    "reservation-free-for-nodes",
    title="As many instances of a reservation are free as the groups on it start with",
    judges=NodeGroup | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="What others run in a reservation is not there for these nodes: they fail for lack of capacity, though it "
    "holds enough. A managed node group is then not created at all.",
    source="EC2 API, DescribeCapacityReservations AvailableInstanceCount",
    remedy="Start with fewer nodes, or have the others leave.",
    facts=("rules.md#25", "pains.md#5"),
)
def reservation_free_for_nodes(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target, _ = target_of(group, fleet)
    if target is None or not _judged(target):
        return
    sharing = groups_on_target(target, fleet)
    first, groups = sharing[0][0], [each for each, _ in sharing]
    starting = sum(each.nodes_start for each in groups if each.nodes_start is not UNKNOWN)
    reserved, free = instances_for_all(target, group, sharing, fleet), free_instances(target, group, sharing, fleet)
    if first.ref != group.ref or not starting or (reserved and instances_wanted(groups) > reserved.count):
        return  # reported once, and not where reservation-covers-nodes says that it is too small
    if free is None:
        if facts_observed(fleet):
            yield rule.unjudged(group.place, fleet.missing(f"how many instances of {target.name} are free"))
    elif starting > free:
        names = [each.ref.name for each in groups]
        who = f"{and_list(names)} together start" if len(names) > 1 else "the group starts"
        fewer = f"start with {quantity_text(free, 'node')} at most" if free else "start with none"
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{target.name} has {quantity_text(free, 'instance')} free (AWS says so; what this stack runs in it "
            "counts as "
            f"free); {who} with {quantity_text(starting, 'node')}",
            remedy=f"{fewer} until others leave it, or have its owner raise it",
        )


def _judged(target: Target) -> bool:
    """Whether it is AWS that says of all of it how much is free, and some of it runs: a block that has not begun has
    nothing free, and what is over other rules say, as they do where none is known (reservation-covers-nodes)."""
    running = (each.known.exists is not False and each.known.state in _RUNNING for each in target.holdings)
    return all(each.observed for each in target.holdings) and any(running)
