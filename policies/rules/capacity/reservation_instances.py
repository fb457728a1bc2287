"""The instances of a reservation, compared with the nodes of the groups on it."""

from collections.abc import Iterator

from muster.edits import lower_to
from muster.fleet.backend_sets import IN_EC2
from muster.fleet.facts import ReservationState
from muster.fleet.resources import ComputeNodeGroup, ComputeResource, Fleet, NodeGroup
from muster.fleet.resources.fleet import Ec2Group
from muster.message_text import count_noun
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict, rule
from muster.policies.lookups.account_facts import facts_observed
from muster.policies.lookups.capacity_targets import Holding, Kind, Target, target_of
from muster.policies.lookups.reserved_capacity import (
    InstanceCount,
    Together,
    free_instances,
    groups_on_target,
    instances_for,
    instances_for_all,
    together,
)
from muster.unknown import NotKnown, if_known

_LARGER = {
    Kind.RESERVATION: "use a larger reservation",
    Kind.GROUP: "add reservations to the reservation group",
    Kind.BLOCK: "use a larger block",
}


@rule(
    "reservation-covers-nodes",
    title="A reservation or Capacity Block holds enough instances for all nodes that its groups may grow to",
    # Mandatory, as in ParallelCluster: a training job waits for the missing nodes (docs/facts/hardware.md#R13).
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="Nodes beyond the reservation never start: the group stays degraded, and a job of that size never starts.",
    source=(
        "https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeCapacityReservations.html",
        "https://github.com/aws/aws-parallelcluster/blob/v3.16.1/cli/src/pcluster/validators/ec2_validators.py",
    ),
    remedy="Lower the groups' maximum, or use a larger reservation.",
    facts=("rules.md#25", "hardware.md#R13", "pains.md#5"),
)
def reservation_covers_nodes(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = target_of(group, fleet)
    if target is None or target.empty:
        return
    what = f"the number of instances in {target.name}"
    if facts_observed(fleet) and any(map(_has_unknown_count, target.known)):
        raise NotKnown(fleet.missing(what))  # nothing confirms what the description states
    sharing = groups_on_target(target, fleet)
    own, shared = instances_for(target, group, fleet), instances_for_all(target, group, sharing, fleet)
    for wanted, held in ((Together.of(((group, target),)), own), (together(sharing), shared)):
        reserved = target.need(held, what, fleet)
        if wanted.wanted > reserved.count:
            yield _too_many(group, target, wanted, alone=reserved is own, reserved=reserved, rule=rule)
            return
    _ = [each.nodes_max for each, _ in sharing]  # those that are not known may be more


def _has_unknown_count(holding: Holding) -> bool:
    """Whether AWS should state how many instances it holds, and does not: for a block that waits it need not."""
    known = holding.known
    return holding.observed and known.total_instances is None and known.state in {None, ReservationState.ACTIVE}


def _too_many(
    group: Ec2Group, target: Target, wanted: Together, *, alone: bool, reserved: InstanceCount, rule: Rule
) -> Verdict:
    who = "the group" if alone else f"{wanted.names} together"
    source = " according to AWS" if reserved.observed else ""
    held = count_noun(reserved.count, "matching instance" if reserved.partly else "instance")
    got = f"{target.name} holds {held}{source}, but {who} {wanted.growth}"
    fewer = lower_to(reserved.count, at="nodes.max", words="" if alone else f"in total of {wanted.names}")
    return rule.finding(group, f"{target.at}.count", got=got, change=(fewer, _LARGER[target.kind]))


_RUNNING = (ReservationState.ACTIVE, None)


@rule(
    "reservation-free-for-nodes",
    title="A reservation has enough free instances for the nodes that its groups start with",
    judges=NodeGroup | ComputeResource | ComputeNodeGroup,
    backends=IN_EC2,
    why="Instances that others run in a reservation are not available to these nodes, which then fail with "
    "insufficient capacity although the reservation is large enough. EKS then does not create a managed node group at "
    "all.",
    source=("https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeCapacityReservations.html",),
    remedy="Start with fewer nodes, or have the others release their instances.",
    facts=("rules.md#25", "pains.md#5"),
)
def reservation_free_for_nodes(group: Ec2Group, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = target_of(group, fleet)
    if target is None or not _judged(target):
        return
    sharing = groups_on_target(target, fleet)
    if sharing[0][0].ref != group.ref:
        return  # reported once
    groups = [each for each, _ in sharing]
    starting = sum(if_known(lambda: each.nodes_start, 0) for each in groups)
    reserved, free = instances_for_all(target, group, sharing, fleet), free_instances(target, group, sharing, fleet)
    if reserved and together(sharing).wanted > reserved.count:
        return  # reservation-covers-nodes reports that it is too small
    if starting and facts_observed(fleet):
        free = fleet.need(free, f"the number of free instances in {target.name}")
    if free is not None and starting > free:
        names = [each.ref.name for each in groups]
        who = f"{and_list(names)} together start" if len(names) > 1 else "the group starts"
        until = "until others release instances"
        fewer = lower_to(free, at="nodes.start", words=until if len(names) == 1 else f"in total {until}")
        yield rule.finding(
            group,
            "nodes",
            got=f"{target.name} has {count_noun(free, 'free instance')} according to AWS (including those that this "
            f"stack runs), but {who} with {count_noun(starting, 'node')}",
            change=(fewer, "have its owner enlarge it"),
        )
    elif free is not None:
        _ = [each.nodes_start for each in groups]  # those that are not known may be more


def _judged(target: Target) -> bool:
    """Whether AWS stated all of its reservations, and one of them runs. A block that has not begun has no free
    instances; other rules report what is over, or not known (reservation-covers-nodes)."""
    running = (each.known.exists is not False and each.known.state in _RUNNING for each in target.holdings)
    return all(each.observed for each in target.holdings) and any(running)
