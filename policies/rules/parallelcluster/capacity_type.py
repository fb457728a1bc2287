"""Capacity types of queues: on demand, spot, Capacity Blocks, reservations."""

from collections.abc import Iterator

from muster.fleet.resources import CapacityTarget, ComputeResource, Fleet, Queue
from muster.unknown import UNKNOWN
from policies.engine.finding_text import or_list
from policies.engine.rule import Rule, Verdict, rule
from policies.lookups.parallelcluster import BLOCK, ON_DEMAND, SPOT, display_name, resources_of

_KNOWN = (ON_DEMAND, SPOT, BLOCK)


@rule(
    "parallelcluster-capacity-type-known",
    title="A queue's capacity type is ONDEMAND, SPOT or CAPACITY_BLOCK",
    judges=Queue,
    backends=("parallelcluster",),
    why="It decides the market that all of the queue's instances are asked from; EC2's and EKS's words for the same, "
    "as in on-demand or CAPACITY-BLOCK, are refused.",
    source="aws-parallelcluster 3.16.1, BaseQueueSchema; config/common.py: CapacityType",
    remedy="Write one of the three, or leave it out for ONDEMAND.",
    facts=("hardware.md#d5",),
)
def parallelcluster_capacity_type_known(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if queue.capacity_type is UNKNOWN:
        yield rule.unjudged(queue.place, f"the capacity type of {display_name(queue)}, not known before creation")
    elif queue.capacity_type is not None and queue.capacity_type not in _KNOWN:
        got = f"{display_name(queue)} has capacity type '{queue.capacity_type}'"
        yield rule.finding(queue.place, got, f"write {or_list(_KNOWN)}")


_ON_DEMAND = ("lowest-price", "prioritized")
_SPOT = ("lowest-price", "capacity-optimized", "price-capacity-optimized", "capacity-optimized-prioritized")
_TAKEN = {ON_DEMAND: _ON_DEMAND, SPOT: _SPOT, BLOCK: ()}


@rule(
    "parallelcluster-allocation-strategy-fits",
    title="A queue's allocation strategy is one that its capacity type has",
    judges=Queue,
    backends=("parallelcluster",),
    why="On-demand takes the lowest price or your order, spot has strategies of its own, a Capacity Block has none.",
    source="aws-parallelcluster 3.16.1, InstancesAllocationStrategyValidator",
    remedy="Leave it out, or take one that the capacity type has.",
    facts=("rules.md#30",),
)
def parallelcluster_allocation_strategy_fits(queue: Queue, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    chooses = queue.capacity_type == BLOCK or any(each.flexible for each in resources_of(queue, fleet))
    if queue.allocation is None or not chooses:
        return  # of one type there is nothing to choose
    if UNKNOWN in (queue.allocation, queue.capacity_type):
        yield rule.unjudged(queue.place, f"the allocation strategy of {display_name(queue)}, not known before creation")
        return
    kind = str(queue.capacity_type or ON_DEMAND)
    taken = _TAKEN.get(kind)
    if taken is not None and queue.allocation not in taken:
        got = f"{display_name(queue)} has capacity type {kind} and allocation strategy '{queue.allocation}'"
        remedy = f"write {or_list(taken)}" if taken else "leave the strategy out"
        yield rule.finding(queue.place, at="capacity", got=got, remedy=remedy)


@rule(
    "parallelcluster-block-fixed",
    title="A compute resource on a Capacity Block names the block, and always has as many nodes",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="The block is paid for whether its nodes run or not, and ParallelCluster holds them by a reservation of "
    "Slurm's until it begins: it refuses fewer nodes at least than at most, none at all, and a block without its id.",
    source="aws-parallelcluster 3.16.1, ComputeResourceSizeValidator and CapacityTypeValidator",
    remedy="Name the block's reservation, and as many nodes at least as at most.",
    facts=("rules.md#30", "hardware.md#d5", "hardware.md#R22"),
)
def parallelcluster_block_fixed(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if resource.capacity_type is UNKNOWN:
        yield rule.unjudged(resource.place, f"the capacity type of {display_name(resource)}, not known before creation")
    if resource.capacity_type != BLOCK:
        return
    least, most, target = resource.nodes_min, resource.nodes_max, resource.target
    if UNKNOWN in (least, most, target):
        yield rule.unjudged(
            resource.place, f"the numbers of nodes or the block of {display_name(resource)}, not known yet"
        )
    if isinstance(least, int) and isinstance(most, int) and not 0 < least == most:
        yield rule.finding(
            resource.place,
            at="nodes",
            got=f"{display_name(resource)} is on a Capacity Block with {least} nodes at least and {most} at most",
            remedy=f"write nodes: {max(most, 1)}, which keeps as many",
        )
    if isinstance(target, CapacityTarget) and target.reservation is None:
        yield rule.finding(
            resource.place,
            at="capacity",
            got=f"{display_name(resource)} is on a Capacity Block without its reservation's id",
            remedy="name the block by its id, as in cr-0123456789abcdef0",
        )


@rule(
    "parallelcluster-reservation-single-type",
    title="A reservation is named by its id beside one instance type only",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="A list of types is started by EC2 Fleet, which takes a group of reservations but no single one.",
    source="aws-parallelcluster 3.16.1, CapacityReservationValidator",
    remedy="Write InstanceType instead of Instances.",
    facts=("rules.md#29",),
)
def parallelcluster_reservation_single_type(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if not resource.flexible:
        return
    target = resource.target
    if target is UNKNOWN or (isinstance(target, CapacityTarget) and target.reservation is UNKNOWN):
        yield rule.unjudged(resource.place, f"the reservation of {display_name(resource)}, not known before creation")
    elif isinstance(target, CapacityTarget) and target.reservation is not None:
        yield rule.finding(
            resource.place,
            at="capacity",
            got=f"{display_name(resource)} has a list of instance types and a reservation by its id",
            remedy="write InstanceType, or name a resource group of reservations",
        )


@rule(
    "parallelcluster-spot-without-reservation",
    title="A queue on spot names no reservation",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="Reservations hold on-demand capacity: a spot instance never runs in one, and EC2 refuses the launch. "
    "ParallelCluster does not look at it, so nodes fail one after the other.",
    source="EC2 API, CapacityReservationSpecification; cluster-api-provider-aws#5633",
    remedy="Take capacity type ONDEMAND, or leave the reservation out.",
    facts=("rules.md#24",),
)
def parallelcluster_spot_without_reservation(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    if resource.capacity_type != SPOT:
        return  # a type not yet known `parallelcluster-block-fixed` names
    target = resource.target
    if target is UNKNOWN or (isinstance(target, CapacityTarget) and UNKNOWN in (target.reservation, target.group)):
        yield rule.unjudged(resource.place, f"the reservation of {display_name(resource)}, not known before creation")
    elif isinstance(target, CapacityTarget) and (target.reservation or target.group):
        yield rule.finding(
            resource.place,
            at="capacity",
            got=f"{display_name(resource)} asks for spot instances and names a reservation",
            remedy="write CapacityType: ONDEMAND, or leave the reservation out",
        )
