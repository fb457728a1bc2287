"""Two targets for one template."""

from collections.abc import Iterator

from muster.fleet.resources import ComputeResource, Fleet, LaunchTemplate
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule


@rule(
    "reservation-target-single",
    title="A template targets a reservation or a reservation group, not both",
    judges=LaunchTemplate | ComputeResource,
    backends=("eks", "parallelcluster"),
    why="EC2 refuses a target with both.",
    source="EC2 API, CapacityReservationTarget; eksctl validation.go; ParallelCluster cluster_schema.py",
    remedy="Keep one of the two.",
    facts=("rules.md#27", "hardware.md#R13", "pains.md#3"),
)
def reservation_target_single(thing: LaunchTemplate | ComputeResource, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = thing.target
    if target is UNKNOWN:
        yield rule.unjudged(thing.place, "CapacityReservationTarget, not known before creation")
    # What is set is set, known or not.
    elif target.reservation is not None and target.group is not None:
        yield rule.finding(
            thing.place,
            at="capacity",
            got="a reservation's id and a reservation group's ARN as targets",
            remedy="remove CapacityReservationId or CapacityReservationResourceGroupArn"
            if isinstance(thing, ComputeResource)
            else "remove capacityReservationId or capacityReservationResourceGroupArn",
        )
