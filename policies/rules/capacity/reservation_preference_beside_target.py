"""A preference beside a targeted reservation."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.rule import Rule, Verdict, rule

# "You can only specify CapacityReservationPreference and CapacityReservationTarget if the CapacityReservationPreference
# is capacity-reservations-only" (EC2 API). Older text and eksctl allow none beside a target; the API is followed.
_REFUSED = ("open", "none")


@rule(
    "reservation-preference-beside-target",
    title="Beside a targeted reservation the only preference is capacity-reservations-only",
    judges=LaunchTemplate,
    why="EC2 refuses a target together with open or none.",
    source="EC2 API, CapacityReservationSpecification; eksctl validation.go",
    remedy="Leave the preference out, or say capacity-reservations-only.",
    facts=("rules.md#27", "hardware.md#R13"),
)
def reservation_preference_beside_target(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    # A preference that is unknown, or is no such word, is reservation-preference-known's to say.
    if template.target.has_target and template.target.preference in _REFUSED:
        yield rule.finding(
            template.place,
            at="capacity",
            got=f"the reservation preference '{template.target.preference}' beside a target",
            remedy="remove capacityReservationPreference, or make it capacity-reservations-only",
        )
