"""What is free of a reservation against the nodes that start now."""

from collections.abc import Iterator

from muster.fleet.facts import ReservationState
from muster.fleet.resources import ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.fleet.unknown import UNKNOWN
from policies.reading.asked import was_asked
from policies.reading.holds import free_together, held_together, on_the_same, wanted_by
from policies.reading.targets import Target, target_of
from policies.rule import Rule, Verdict, rule
from policies.words import number, some

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
    sharing = on_the_same(target, fleet)
    first, groups = sharing[0][0], [each for each, _ in sharing]
    starting = sum(each.nodes_start for each in groups if each.nodes_start is not UNKNOWN)
    held, free = held_together(target, group, sharing, fleet), free_together(target, group, sharing, fleet)
    if first.ref != group.ref or not starting or (held and wanted_by(groups) > held.count):
        return  # said once, and not where reservation-covers-nodes says that it is too small
    if free is None:
        if was_asked(fleet):
            yield rule.unjudged(group.place, fleet.missing(f"how many instances of {target.name} are free"))
    elif starting > free:
        names = [each.ref.name for each in groups]
        who = f"{some(names)} together start" if len(names) > 1 else "the group starts"
        fewer = f"start with {number(free, 'node')} at most" if free else "start with none"
        yield rule.finding(
            group.place,
            at="nodes",
            got=f"{target.name} has {number(free, 'instance')} free (AWS says so; what this stack runs in it counts as "
            f"free); {who} with {number(starting, 'node')}",
            remedy=f"{fewer} until others leave it, or have its owner raise it",
        )


def _judged(target: Target) -> bool:
    """Whether it is AWS that says of all of it how much is free, and some of it runs: a block that has not begun has
    nothing free, and what is over other rules say, as they do where none is known (reservation-covers-nodes)."""
    running = (each.known.exists is not False and each.known.state in _RUNNING for each in target.holdings)
    return all(each.observed for each in target.holdings) and any(running)
