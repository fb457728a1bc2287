"""Preferences and targets of templates."""

from muster.fleet.resources import CapacityTarget, Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import CR, a_fleet, a_template, reservation_facts
from tests.policies.capacity import ALL_THREE, WORKERS
from tests.policies.case import case

GROUP_ARN = "arn:aws:resource-groups:us-west-2:000000000000:group/p5"


def targeting(settings: frozenset[str] = frozenset(), **target: object) -> Fleet:
    return a_fleet(a_template(target=CapacityTarget(**target), settings=settings), facts=reservation_facts())


@case()
def a_preference_alone() -> Fleet:
    return targeting(preference="open")


@case(f"reservation-preference-known @ {WORKERS}.capacity")
def a_preference_of_another_word() -> Fleet:
    return targeting(preference="capacity-reservation-only")


@case(unjudged=(f"reservation-preference-known @ {WORKERS}",))
def a_preference_not_yet_known() -> Fleet:
    return targeting(preference=UNKNOWN)


@case()
def the_one_preference_beside_a_target() -> Fleet:
    return targeting(preference="capacity-reservations-only", reservation=CR)


@case(f"reservation-preference-beside-target @ {WORKERS}.capacity")
def open_beside_a_target() -> Fleet:
    return targeting(preference="open", reservation=CR)


@case(f"reservation-preference-beside-target @ {WORKERS}.capacity", unjudged=ALL_THREE)
def none_beside_a_target_not_yet_known() -> Fleet:
    return targeting(preference="none", reservation=UNKNOWN)


@case(f"reservation-target-single @ {WORKERS}.capacity")
def two_targets() -> Fleet:
    return targeting(reservation=CR, group=GROUP_ARN)


@case(f"reservation-target-single @ {WORKERS}.capacity", unjudged=ALL_THREE)
def two_targets_not_yet_known() -> Fleet:
    return targeting(reservation=UNKNOWN, group=UNKNOWN)


@case(f"reservation-target-given @ {WORKERS}.capacity")
def an_empty_block() -> Fleet:
    return targeting(frozenset({"capacityReservationSpecification"}))


@case()
def a_block_with_a_target() -> Fleet:
    return targeting(frozenset({"capacityReservationSpecification"}), reservation=CR)


@case()
def a_block_with_a_preference() -> Fleet:
    return targeting(frozenset({"capacityReservationSpecification"}), preference="none")
