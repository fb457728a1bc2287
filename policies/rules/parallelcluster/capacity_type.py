"""Capacity types of queues: on demand, spot, Capacity Blocks, reservations."""

from collections.abc import Iterator

from muster.edits import remove, set_to
from muster.fleet.resources import ComputeResource, Fleet, Queue
from muster.policies.engine.rule import Rule, Verdict
from muster.policies.lookups.parallelcluster import BLOCK, ON_DEMAND, SPOT, display_name, resources_of
from muster.unknown import all_of, stored

_ON_DEMAND = ("lowest-price", "prioritized")
_SPOT = ("lowest-price", "capacity-optimized", "price-capacity-optimized", "capacity-optimized-prioritized")
_TAKEN = {ON_DEMAND: _ON_DEMAND, SPOT: _SPOT, BLOCK: ()}


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
