"""Spot instances on reservations."""

from collections.abc import Iterator

from muster.fleet.resources import CapacityTarget, ComputeResource, Fleet
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import SPOT, called
from policies.rule import Rule, Verdict, rule


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
        yield rule.unjudged(resource.place, f"the reservation of {called(resource)}, not known before creation")
    elif isinstance(target, CapacityTarget) and (target.reservation or target.group):
        yield rule.finding(
            resource.place,
            at="capacity",
            got=f"{called(resource)} asks for spot instances and names a reservation",
            remedy="write CapacityType: ONDEMAND, or leave the reservation out",
        )
