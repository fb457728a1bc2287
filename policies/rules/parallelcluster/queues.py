"""Queues and compute resources: capacity, EFA, placement, subnets."""

from collections import Counter
from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, LoginPool, Queue
from muster.fleet.resources.fleet import machine
from muster.hardware.catalogue import Accelerator
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import (
    BLOCK,
    ON_DEMAND,
    SPOT,
    cluster_of,
    display_name,
    head_of,
    resources_of,
)
from muster.policies.lookups.security_groups import NFS, SLURMD, both_ways, shut_way
from muster.unknown import NotKnown, all_of, if_known, stored

_TAKEN = {
    ON_DEMAND: ("lowest-price", "prioritized"),
    SPOT: ("lowest-price", "capacity-optimized", "price-capacity-optimized", "capacity-optimized-prioritized"),
    BLOCK: (),
}
"""Capacity type -> the allocation strategies that it allows."""


def parallelcluster_allocation_strategy_fits(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    several = any(each.flexible for each in resources_of(queue, fleet))
    if stored(queue, "allocation") is None or not (several or queue.capacity_type == BLOCK):
        return  # with one type there is nothing to choose
    kind = queue.capacity_type or ON_DEMAND
    taken = _TAKEN.get(kind)
    if taken is not None and queue.allocation not in taken:
        got = f"{display_name(queue)} has strategy '{queue.allocation}', which capacity type {kind} does not allow"
        change = set_to(*taken) if taken else remove()
        yield rule.finding(queue, "allocation", got=got, change=change)


def parallelcluster_block_fixed(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if resource.capacity_type == BLOCK:
        yield from rule.each((_fixed, _named), lambda judge: judge(resource, rule), resource.place)


def _fixed(resource: ComputeResource, rule: Rule) -> Iterator[Verdict]:
    least, most = resource.nodes_min, resource.nodes_max
    if not 0 < least == most:
        got = f"{display_name(resource)} is on a Capacity Block, but may have {least} to {most} nodes"
        change = set_to(most, at="nodes.min") if most else set_to(words="the number of instances in the block")
        yield rule.finding(resource, "nodes", got=got, change=change)


def _named(resource: ComputeResource, rule: Rule) -> Iterator[Verdict]:
    if stored(resource.target, "reservation") is None:  # one that is not known yet is set
        got = f"{display_name(resource)} is on a Capacity Block, but does not set the id of its reservation"
        change = set_to(words="that of the block", at="CapacityReservationTarget.CapacityReservationId")
        yield rule.finding(resource, "capacity", got=got, change=change)


def parallelcluster_reservation_single_type(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if resource.flexible and resource.target.reservation is not None:
        got = f"{display_name(resource)} has a list of instance types, but names a single reservation by its id"
        one = remove("alternatives") if resource.place.described else "set InstanceType instead of Instances"
        yield rule.finding(resource, "capacity", got=got, change=(one, "name a resource group of reservations"))


def parallelcluster_types_alike(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    machines = [machine(each).with_threads(resource.threads_per_core or 2) for each in sorted(resource.instances)]
    cpus = "cores" if resource.threads_per_core == 1 else "vCPUs"
    counts = {
        cpus: {each.instance: each.vcpus for each in machines},
        "GPUs": {each.instance: each.accelerators * (each.accelerator is Accelerator.GPU) for each in machines},
    }
    for what, of_type in counts.items():
        if len(set(of_type.values())) > 1:
            listed = and_list(f"{instance} ({count})" for instance, count in of_type.items())
            got = f"the types of {display_name(resource)} differ in the number of {what}: {listed}"
            change = set_to(words=f"types with equally many {what}")
            yield rule.finding(resource, "alternatives", got=got, change=(change, "create a compute resource for each"))


def parallelcluster_spot_without_reservation(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if all_of(
        lambda: resource.capacity_type == SPOT, lambda: bool(resource.target.reservation or resource.target.group)
    ):
        got = f"{display_name(resource)} requests spot instances, but names a reservation"
        yield rule.finding(resource, "capacity", got=got, change=(set_to(ON_DEMAND, at="CapacityType"), remove()))


def parallelcluster_efa_placement_stated(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if all_of(
        lambda: resource.has_efa,
        lambda: resource.capacity_type != BLOCK,
        lambda: {stored(resource.placement, "enabled"), stored(resource.placement, "name")} == {None},
    ):
        got = f"{display_name(resource)} has EFA, but does not state whether it uses a placement group"
        yield rule.finding(resource, "", got=got, change=set_to(True, False, at="Networking.PlacementGroup.Enabled"))


def parallelcluster_queue_one_subnet(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    count = _subnet_count(queue, fleet)
    # The zone of a reservation that a description states: reservation-zone-matches-subnet.
    single = [display_name(each) for each in resources_of(queue, fleet) if not each.flexible and each.zone is None]
    if count > 1 and single:
        got = f"{display_name(queue)} is in {count} subnets, but {and_list(single)} can be in only one"
        yield rule.finding(queue, "zones", got=got, change=(set_to(words="a single one"), "create a queue for each"))


def _subnet_count(queue: Queue, fleet: Fleet) -> int:
    """The number of its subnets, which may be known where the subnets are not."""
    counts = [each.subnets_among.count for each in resources_of(queue, fleet) if each.subnets_among]
    return next((count for count in counts if count is not None), None) or len(queue.subnets)


def parallelcluster_queue_subnets_apart(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if _subnet_count(queue, fleet) <= 1:
        return
    subnets = fleet.subnets_of(queue.subnets)
    places = Counter(each.zone or each.id for each in subnets)
    if shared := [where for where, count in places.items() if count > 1]:
        got = f"{display_name(queue)} has several subnets in {and_list(shared)}"
        change = f"keep only one subnet of each zone in {rule.key(queue, 'zones')}"
        yield rule.finding(queue, "zones", got=got, change=change)
    elif unknown := [each.id for each in subnets if each.zone is None]:
        raise NotKnown(fleet.missing(f"the zone of subnet {and_list(unknown)}"))


_SLURMCTLD = 6820
"""The first of the ports of slurmctld, 6820 to 6829."""


def parallelcluster_nodes_reach_head(thing: Queue | LoginPool, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    cluster = cluster_of(thing, fleet)
    head = head_of(cluster, fleet) if cluster else None
    if cluster is None or head is None or not (thing.replaces_groups or head.replaces_groups):
        return
    alike = fleet.having(type(thing), "cluster", cluster.ref)
    own = if_known(lambda: thing.carried)
    if next(each for each in alike if if_known(lambda: each.carried) == own) is not thing:
        return  # reported once
    mixed = thing.replaces_groups != head.replaces_groups
    got = if_known(lambda: _shut(thing, head, fleet)) if mixed else _shut(thing, head, fleet)
    if got is None:
        replaced, kept = (head, thing) if head.replaces_groups else (thing, head)
        names = f"{display_name(replaced)}, but not on {display_name(kept)}"
        got, rule = f"ParallelCluster's security groups are replaced on {names}", rule.advice
    if got:
        change = "set AdditionalSecurityGroups instead of SecurityGroups, to add groups to ParallelCluster's own"
        at_fault = thing if thing.replaces_groups else head
        yield rule.finding(at_fault, "security-groups", got=got, change=(change, "allow this traffic"))


def _shut(thing: Queue | LoginPool, head: HeadNode, fleet: Fleet) -> str:
    """The traffic that is not allowed. ParallelCluster's own group allows everything to and from all nodes."""
    ours, theirs = frozenset(thing.carried), frozenset(head.carried)
    calls = [(ours, _SLURMCTLD, theirs), *([(ours, NFS, theirs)] if head.exports else [])]
    calls += [(theirs, SLURMD, ours)] if isinstance(thing, Queue) else []
    custom = {groups for groups, node in ((ours, thing), (theirs, head)) if node.replaces_groups}
    return shut_way([way for call in calls for way in both_ways(*call) if way.groups in custom], fleet)
