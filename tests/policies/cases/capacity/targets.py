"""Preferences and targets of templates."""

from muster.fleet.resources import CapacityTarget, Fleet
from muster.unknown import UNKNOWN
from tests.factories import CR, a_fleet, a_template, reservation_facts
from tests.policies.case import cases

GROUP_ARN = "arn:aws:resource-groups:us-west-2:000000000000:group/p5"


def targeting(settings: frozenset[str] = frozenset(), **target: object) -> Fleet:
    return a_fleet(a_template(target=CapacityTarget(**target), settings=settings), facts=reservation_facts())


cases(
    a_preference_alone=lambda: targeting(preference="open"),
    a_preference_of_another_word=lambda: targeting(preference="capacity-reservation-only"),
    a_preference_not_yet_known=lambda: targeting(preference=UNKNOWN),
    the_one_preference_beside_a_target=lambda: targeting(preference="capacity-reservations-only", reservation=CR),
    open_beside_a_target=lambda: targeting(preference="open", reservation=CR),
    none_beside_a_target_not_yet_known=lambda: targeting(preference="none", reservation=UNKNOWN),
    two_targets=lambda: targeting(reservation=CR, group=GROUP_ARN),
    two_targets_not_yet_known=lambda: targeting(reservation=UNKNOWN, group=UNKNOWN),
    an_empty_block=lambda: targeting(frozenset({"capacityReservationSpecification"})),
    a_block_with_a_target=lambda: targeting(frozenset({"capacityReservationSpecification"}), reservation=CR),
    a_block_with_a_preference=lambda: targeting(frozenset({"capacityReservationSpecification"}), preference="none"),
)
