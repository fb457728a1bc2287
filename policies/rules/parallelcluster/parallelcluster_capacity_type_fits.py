"""What a queue says of its capacity against what the reservation is."""

from collections.abc import Iterator

from muster.fleet.resources import CapacityTarget, ComputeResource, Fleet
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import BLOCK, ON_DEMAND, SPOT, called
from policies.reading.targets import BLOCK_TYPE
from policies.rule import Rule, Verdict, rule
from policies.words import choice

_KNOWN = (ON_DEMAND, SPOT, BLOCK)


@rule(
    "parallelcluster-capacity-type-fits",
    title="A queue's capacity type is what its reservations are",
    judges=ComputeResource,
    backends=("parallelcluster",),
    why="CapacityType is the queue's and decides the market that instances are asked from: an instance of a Capacity "
    "Block that is asked for as on-demand is refused, and so is one of a reservation as a block.",
    source="aws-parallelcluster 3.16.1, CapacityReservationValidator; EC2 user guide, Capacity Blocks for ML",
    remedy="Keep blocks, reservations and spot in queues of their own.",
    facts=("rules.md#24", "hardware.md#d5"),
)
def parallelcluster_capacity_type_fits(resource: ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    kind, target = resource.capacity_type, resource.target
    if isinstance(kind, str) and kind not in _KNOWN:
        got = f"the queue of {called(resource)} has capacity type '{kind}'"
        yield rule.finding(resource.place, at="capacity", got=got, remedy=f"write {choice(_KNOWN)}")
        return
    if not isinstance(target, CapacityTarget) or not isinstance(target.reservation, str) or kind is UNKNOWN:
        return  # what is not known of a block `parallelcluster-block-fixed` names, what AWS says `reservation-usable`
    known = fleet.reservation_facts(target.reservation)
    if known is None or known.reservation_type is None:
        return
    is_block = known.reservation_type == BLOCK_TYPE
    if is_block != (kind == BLOCK):
        found = "a Capacity Block" if is_block else "no Capacity Block"
        got = f"{target.reservation} is {found}, and the queue of {called(resource)} asks for {kind or ON_DEMAND}"
        remedy = "write capacity: {capacity-block: ...}" if is_block else "write capacity: {reservation: ...}"
        yield rule.finding(resource.place, at="capacity", got=got, remedy=remedy)
