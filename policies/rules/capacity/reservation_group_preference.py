"""A reservation group as target, and what happens when it is full."""

from collections.abc import Iterator

from muster.fleet.resources import Fleet, LaunchTemplate
from policies.reading.targets import BLOCK_MARKET
from policies.rule import Rule, Verdict, rule

_ONLY = "capacity-reservations-only"


@rule(
    "reservation-group-preference",
    title="Beside a reservation group stands the preference capacity-reservations-only",
    judges=LaunchTemplate,
    why="Where nothing in a targeted group matches, EC2 silently launches on demand: outside the reservation, at full "
    "price, perhaps far away. A target by id fails instead.",
    source="EC2 user guide, Launch into a Capacity Reservation group; EC2 API, CapacityReservationSpecification",
    remedy="Say capacityReservationPreference capacity-reservations-only.",
    facts=("rules.md#27", "hardware.md#d1"),
)
def reservation_group_preference(template: LaunchTemplate, fleet: Fleet, rule: Rule) -> Iterator[Verdict]:
    target = template.target
    # Other words are reservation-preference-beside-target's, two targets reservation-target-single's. A launch of the
    # market type capacity-block never falls back.
    if target.group is None or target.reservation is not None or target.preference is not None:
        return
    if template.market_type != BLOCK_MARKET:
        yield rule.finding(
            template.place,
            at="capacity",
            got="a reservation group as target without a preference: when it is full, nodes launch on demand",
            remedy=f"add capacityReservationPreference: {_ONLY} beside the target",
        )
