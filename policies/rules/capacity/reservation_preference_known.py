"""The word for how a template uses reservations."""

from collections.abc import Iterator

from muster.fleet.near_miss import did_you_mean
from muster.fleet.resources import Fleet, LaunchTemplate
from muster.fleet.unknown import UNKNOWN
from policies.rule import Rule, Verdict, rule

# eksctl knows the first two only; the EC2 model has the third as well.
_KNOWN = ("open", "none", "capacity-reservations-only")


@rule(
    "reservation-preference-known",
    title="A reservation preference is open, none or capacity-reservations-only",
    judges=LaunchTemplate,
    why="EC2 refuses any other word.",
    source="EC2 API, CapacityReservationSpecification",
    remedy="Write open, none or capacity-reservations-only, or leave it out.",
    facts=("rules.md#27", "hardware.md#D23"),
)
def reservation_preference_known(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    preference = template.target.preference
    if preference is UNKNOWN:
        yield rule.unjudged(template.place, "capacityReservationPreference, not known before creation")
    elif preference is not None and preference not in _KNOWN:
        yield rule.finding(
            template.place,
            at="capacity",
            got=f"the reservation preference '{preference}'{did_you_mean(preference, _KNOWN)}",
            remedy="write one of open, none and capacity-reservations-only, or leave capacityReservationPreference out",
        )
