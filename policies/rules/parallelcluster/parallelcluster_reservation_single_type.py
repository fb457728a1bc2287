"""Reservations by id beside lists of instance types."""

from collections.abc import Iterator

from muster.fleet.resources import CapacityTarget, ComputeResource, Fleet
from muster.fleet.unknown import UNKNOWN
from policies.reading.slurm import called
from policies.rule import Rule, Verdict, rule


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
        yield rule.unjudged(resource.place, f"the reservation of {called(resource)}, not known before creation")
    elif isinstance(target, CapacityTarget) and target.reservation is not None:
        yield rule.finding(
            resource.place,
            at="capacity",
            got=f"{called(resource)} has a list of instance types and a reservation by its id",
            remedy="write InstanceType, or name a resource group of reservations",
        )
