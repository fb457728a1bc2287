"""Reservations and placement groups."""

from muster.fleet.description.capacity import Reservation
from muster.fleet.resources import CapacityTarget, Fleet, NodeGroup, Ref
from muster.fleet.resources.place import PLACEMENT_GROUP
from muster.fleet.unknown import UNKNOWN
from tests.factories import (
    CR,
    DROP,
    B,
    a_fleet,
    a_group,
    a_reservation,
    a_subnet,
    a_template,
    facts,
    on,
    reservation_facts,
)
from tests.policies.case import case

WORKERS = "groups.workers"
RESERVATION = f"{WORKERS}.capacity.reservation"
ZONE, TYPE, COVERS = "reservation-zone-matches-subnet", "reservation-instance-type-matches", "reservation-covers-nodes"
ALL_THREE = tuple(f"{rule} @ {WORKERS}" for rule in (ZONE, TYPE, COVERS))
USABLE = "reservation-usable"
NOBODY_SAYS = f"{USABLE} @ {WORKERS}"
GROUP_ARN = "arn:aws:resource-groups:us-west-2:000000000000:group/p5"


def reserved(said: Reservation | None = None, **group: object) -> tuple[object, NodeGroup]:
    """The template and the group on the default reservation."""
    return a_template(**on()), a_group(reservation=said or a_reservation(), **group)


@case()
def a_reservation_that_fits() -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts())


@case()
def a_foreign_group_on_a_reservation_that_fits() -> Fleet:
    return a_fleet(a_template(**on()), facts=reservation_facts())


@case(unjudged=(*ALL_THREE, NOBODY_SAYS))
def a_foreign_group_on_a_reservation_nobody_knows() -> Fleet:
    return a_fleet(a_template(**on()))


@case(unjudged=ALL_THREE)
def a_reservation_not_yet_known() -> Fleet:
    return a_fleet(a_template(**on(UNKNOWN)))


@case(unjudged=ALL_THREE)
def a_reservation_group() -> Fleet:
    return a_fleet(a_template(target=CapacityTarget(group=GROUP_ARN)))


# zone


@case(f"{ZONE} @ {RESERVATION}.zone")
def the_observed_zone_is_another() -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts(zone="us-west-2b"))


@case(f"{ZONE} @ {RESERVATION}.zone", unjudged=(f"{TYPE} @ {WORKERS}", NOBODY_SAYS))
def the_declared_zone_is_another() -> Fleet:
    return a_fleet(*reserved(a_reservation(zone="us-west-2b")))


@case(f"{ZONE} @ {RESERVATION}.zone", f"efa-single-zone @ {WORKERS}.zone")
def subnets_in_the_reservations_zone_and_another() -> Fleet:
    return a_fleet(*reserved(subnets=(B, a_subnet().id)), facts=reservation_facts())


@case(f"reservation-as-declared @ {RESERVATION}.zone")
def the_declared_zone_is_wrong_and_the_group_is_right() -> Fleet:
    return a_fleet(*reserved(a_reservation(zone="us-west-2b")), facts=reservation_facts())


@case(unjudged=(f"{ZONE} @ {WORKERS}", f"several-interfaces-private-subnets @ {WORKERS}"))
def a_reservation_and_a_subnet_nobody_knows() -> Fleet:
    return a_fleet(*reserved(subnets=("subnet-0eeeeeeeeeeeeeeee",)), facts=reservation_facts())


@case(f"group-has-subnet @ {WORKERS}.zone")
def a_reservation_in_a_zone_without_subnet() -> Fleet:
    return a_fleet(*reserved(subnets=(), zone="us-west-2c"), facts=reservation_facts())


@case(f"group-has-subnet @ {WORKERS}.subnets")
def no_subnet_of_that_kind() -> Fleet:
    return a_fleet(a_group(subnets=()))


# type


@case(f"{TYPE} @ {WORKERS}.instance")
def a_reservation_of_another_type() -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts(instanceType="p5e.48xlarge"))


@case(f"{TYPE} @ {WORKERS}.instance")
def a_reservation_of_one_of_two_types() -> Fleet:
    template = a_template(instance=None, interfaces=(), **on())
    group = a_group(instance_types=("p5.48xlarge", "p5e.48xlarge"))
    return a_fleet(template, group, facts=reservation_facts())


@case(unjudged=(f"{TYPE} @ {WORKERS}",))
def a_reservation_and_a_type_not_yet_known() -> Fleet:
    return a_fleet(a_template(instance=UNKNOWN, interfaces=(), **on()), facts=reservation_facts())


@case(unjudged=(f"{TYPE} @ {WORKERS}",))
def a_reservation_whose_type_nobody_knows() -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts(instanceType=DROP))


# size


@case(f"{COVERS} @ {RESERVATION}.count", unjudged=(f"{TYPE} @ {WORKERS}", NOBODY_SAYS))
def more_nodes_than_declared() -> Fleet:
    return a_fleet(*reserved(nodes_max=2))


@case(f"{COVERS} @ {RESERVATION}.count")
def more_nodes_than_observed() -> Fleet:
    return a_fleet(*reserved(a_reservation(count=2), nodes_max=2), facts=reservation_facts())


@case(f"reservation-as-declared @ {RESERVATION}.count")
def more_nodes_than_declared_and_no_more_than_observed() -> Fleet:
    return a_fleet(*reserved(nodes_max=2), facts=reservation_facts(totalInstances=2))


@case(f"{COVERS} @ {RESERVATION}.count", f"{COVERS} @ groups.others.capacity.reservation.count")
def two_groups_share_too_small_a_reservation() -> Fleet:
    others = (a_template("others", **on()), a_group("others", reservation=a_reservation()))
    return a_fleet(*reserved(), *others, facts=reservation_facts())


@case()
def two_groups_share_a_reservation() -> Fleet:
    others = (a_template("others", **on()), a_group("others", reservation=a_reservation(count=2)))
    return a_fleet(*reserved(a_reservation(count=2)), *others, facts=reservation_facts(totalInstances=2))


@case(
    f"{COVERS} @ {RESERVATION}.count",
    f"{COVERS} @ groups.others.capacity.reservation.count",
    unjudged=("nodes-in-order @ groups.others",),
)
def one_group_is_too_many_already_and_the_other_not_yet_known() -> Fleet:
    others = (a_template("others", **on()), a_group("others", nodes_max=UNKNOWN))
    return a_fleet(*reserved(nodes_max=2), *others, facts=reservation_facts())


@case(unjudged=("nodes-in-order @ groups.others", f"{COVERS} @ {WORKERS}", f"{COVERS} @ groups.others"))
def one_group_fits_and_the_other_is_not_yet_known() -> Fleet:
    others = (a_template("others", **on()), a_group("others", nodes_max=UNKNOWN))
    return a_fleet(*reserved(), *others, facts=reservation_facts())


@case(unjudged=(f"{COVERS} @ {WORKERS}",))
def a_foreign_group_on_a_reservation_of_a_size_nobody_knows() -> Fleet:
    return a_fleet(a_template(**on()), facts=reservation_facts(totalInstances=DROP))


# preference and target


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


# placement

PLACED = "placement-group-by-provenance"
OURS = Ref(PLACEMENT_GROUP, "workers")


def placed(placement: object, said: Reservation | None = None, made_in: object = "pg-theirs") -> Fleet:
    known = reservation_facts() if made_in is DROP else reservation_facts(placementGroup=made_in)
    return a_fleet(a_template(placement_group=placement, **on()), a_group(reservation=said), facts=known)


BY_YOU = a_reservation(**{"provided-by": "you"})


@case(f"{PLACED} @ {RESERVATION}.placement-group")
def a_placement_group_named_for_a_reservation_of_aws() -> Fleet:
    return placed(None, a_reservation(**{"placement-group": "pg-theirs"}))


@case()
def a_reservation_of_aws_in_whatever_placement_group() -> Fleet:
    return placed(None, a_reservation())


@case()
def launched_where_it_was_made() -> Fleet:
    return placed("pg-theirs", BY_YOU)


@case(f"{PLACED} @ {RESERVATION}.placement-group")
def launched_in_another() -> Fleet:
    return placed("pg-other", BY_YOU)


@case(f"{PLACED} @ {RESERVATION}.placement-group")
def launched_in_a_new_one() -> Fleet:
    return placed(OURS, BY_YOU)


@case(unjudged=(f"{PLACED} @ {WORKERS}",))
def launched_in_a_new_one_and_nobody_knows_where_it_was_made() -> Fleet:
    return placed(OURS, BY_YOU, made_in=DROP)


@case(f"{PLACED} @ {RESERVATION}.placement-group")
def a_foreign_group_in_none() -> Fleet:
    return placed(None)


@case(unjudged=(f"{PLACED} @ {WORKERS}",))
def a_foreign_group_in_one_of_its_program() -> Fleet:
    """The program may have made the reservation in it: only the id would tell."""
    return placed(OURS)


@case(unjudged=(f"{PLACED} @ {WORKERS}",))
def a_foreign_group_in_one_not_yet_known() -> Fleet:
    return placed(UNKNOWN)


@case()
def a_placement_group_without_reservation() -> Fleet:
    return a_fleet(a_template(placement_group=OURS), facts=facts())


# usable


def _said(**facts_of_it: object) -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts(**facts_of_it))


@case(f"{USABLE} @ {RESERVATION}.id")
def an_expired_reservation() -> Fleet:
    return _said(state="expired")


@case(f"{USABLE} @ {RESERVATION}.id")
def a_reservation_that_has_ended() -> Fleet:
    return _said(end="2026-11-20T23:59:59Z")


@case()
def a_reservation_that_ends_today() -> Fleet:
    return _said(end="2026-11-21T23:59:59Z")


@case(f"{USABLE} @ {RESERVATION}.id")
def a_reservation_for_windows() -> Fleet:
    return _said(platform="Windows")


@case(f"{USABLE} @ {RESERVATION}.id")
def a_dedicated_reservation() -> Fleet:
    return _said(tenancy="dedicated")


@case(f"{USABLE} @ {RESERVATION}.id")
def a_capacity_block_under_the_wrong_key() -> Fleet:
    return _said(reservationType="capacity-block")


@case(f"{USABLE} @ {RESERVATION}.id")
def everything_wrong_is_one_finding() -> Fleet:
    return _said(state="cancelled", platform="Windows", tenancy="dedicated")


@case(unjudged=(NOBODY_SAYS,))
def a_reservation_whose_state_nobody_says() -> Fleet:
    return _said(state=DROP)
