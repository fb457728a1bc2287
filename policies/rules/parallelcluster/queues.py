"""Queues and compute resources: capacity, EFA, placement, subnets."""

from collections import Counter
from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resources import ComputeResource, Fleet, HeadNode, LoginPool, ParallelCluster, Queue
from muster.policies.engine.finding_text import and_list
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import (
    BLOCK,
    ON_DEMAND,
    SPOT,
    display_name,
    head_of,
    login_pools_of,
    queues_of,
    resources_of,
)
from muster.unknown import NotKnown, all_of, stored

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
        change = set_to(*taken, at="AllocationStrategy") if taken else remove("AllocationStrategy")
        yield rule.finding(queue, "capacity", got=got, change=change)


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
        change = "set InstanceType instead of Instances, or name a resource group of reservations"
        yield rule.finding(resource, "capacity", got=got, change=change)


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
        yield rule.finding(resource, "", got=got, change=set_to(True, False, at="PlacementGroup.Enabled"))


def parallelcluster_gdr_beside_efa(thing: ComputeResource | HeadNode, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if isinstance(thing, HeadNode):
        if thing.efa:
            got = "the head node requests EFA, which only compute resources can have"
            yield rule.finding(thing, "", got=got, change=remove("Efa"))
    elif all_of(lambda: bool(thing.gdr), lambda: not thing.has_efa):
        got = f"{display_name(thing)} requests GPUDirect without EFA"
        yield rule.finding(thing, "efa", got=got, change=(set_to(True), remove("Efa.GdrSupport")))


def parallelcluster_placement_named_once(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    settings = resource.placement
    if settings.both:
        got = f"{display_name(resource)} sets both the name and the id of a placement group"
        yield rule.finding(resource, "", got=got, change=remove("PlacementGroup.Id"))
    elif stored(settings, "name") is not None and settings.enabled is False:
        got = f"{display_name(resource)} names a placement group, but sets Enabled: false"
        change = (remove("PlacementGroup.Name"), set_to(True, at="PlacementGroup.Enabled"))
        yield rule.finding(resource, "", got=got, change=change)


def parallelcluster_queue_one_subnet(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    count = _subnet_count(queue, fleet)
    single = [display_name(each) for each in resources_of(queue, fleet) if not each.flexible]
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


def parallelcluster_security_groups_alike(cluster: ParallelCluster, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    head, pools, queues = head_of(cluster, fleet), login_pools_of(cluster, fleet), queues_of(cluster, fleet)
    nodes: list[HeadNode | LoginPool | Queue] = [*([head] if head else []), *pools, *queues]
    replaced = [display_name(each) for each in nodes if each.replaces_groups]
    kept = [display_name(each) for each in nodes if not each.replaces_groups]
    if replaced and kept:
        got = f"ParallelCluster's security groups are replaced on {and_list(replaced)}, but not on {and_list(kept)}"
        change = "set AdditionalSecurityGroups instead of SecurityGroups, to add groups to ParallelCluster's own"
        yield rule.finding(cluster, "network", got=got, change=change)
