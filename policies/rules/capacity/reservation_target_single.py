"""Two targets for one template."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.rule import Rule, Verdict, rule


@rule(
    "reservation-target-single",
    title="A template targets a reservation or a reservation group, not both",
    judges=LaunchTemplate,
    why="EC2 refuses a target with both.",
    source="EC2 API, CapacityReservationTarget; eksctl validation.go",
    remedy="Keep one of the two.",
    facts=("rules.md#27", "hardware.md#R13"),
)
def reservation_target_single(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = template.target
    # What is set is set, known or not.
    if target.reservation is not None and target.group is not None:
        yield rule.finding(
            template.place,
            at="capacity",
            got="a reservation's id and a reservation group's ARN as targets",
            remedy="remove capacityReservationId or capacityReservationResourceGroupArn",
        )
