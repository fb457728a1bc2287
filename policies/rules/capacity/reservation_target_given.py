"""A reservation block with nothing in it."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.rule import Rule, Verdict, rule


@rule(
    "reservation-target-given",
    title="A reservation block names a target or a preference",
    judges=LaunchTemplate,
    why="A misspelt key leaves the block empty: the template launches on-demand, beside a reservation that bills.",
    source="EC2 API, CapacityReservationSpecification; eksctl#8542, eksctl#7906",
    remedy="Name the reservation in capacityReservationTarget.",
    facts=("rules.md#27", "pains.md#3"),
)
def reservation_target_given(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    given = "capacityReservationSpecification" in template.settings
    if given and template.target.preference is None and not template.target.has_target:
        yield rule.finding(
            template.place,
            at="capacity",
            got="capacityReservationSpecification names neither a target nor a preference",
            remedy="write capacityReservationTarget: {capacityReservationId: cr-...}, or remove the block",
        )
