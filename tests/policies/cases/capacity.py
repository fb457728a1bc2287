"""Reservations and placement groups."""

from muster.fleet.description.capacity import Capacity, Reservation
from muster.fleet.description.group_core import Purpose
from muster.fleet.resources import (
    CapacityReservation,
    CapacityTarget,
    Fleet,
    NodeGroup,
    Place,
    PlacementGroup,
    Ref,
)
from muster.fleet.resources.place import CAPACITY_RESERVATION, PLACEMENT_GROUP
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
ALL_BUT_ZONE = (f"{TYPE} @ {WORKERS}", f"{COVERS} @ {WORKERS}", f"reservation-usable @ {WORKERS}")
ALL_THREE = tuple(f"{rule} @ {WORKERS}" for rule in (ZONE, TYPE, COVERS))
USABLE = "reservation-usable"
NOBODY_SAYS = f"{USABLE} @ {WORKERS}"
NO_QUOTA = f"quota-covers-vcpus @ {WORKERS}"
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


# zone


@case(f"{ZONE} @ {RESERVATION}.zone")
def the_observed_zone_is_another() -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts(zone="us-west-2b"))


@case(f"{ZONE} @ {RESERVATION}.zone", unjudged=(f"{TYPE} @ {WORKERS}", NOBODY_SAYS, NO_QUOTA))
def the_declared_zone_is_another() -> Fleet:
    return a_fleet(*reserved(a_reservation(zone="us-west-2b")))


@case(f"{ZONE} @ {RESERVATION}.zone")
def subnets_in_the_reservations_zone_and_another() -> Fleet:
    return a_fleet(*reserved(subnets=(B, a_subnet().id)), facts=reservation_facts())


@case(f"reservation-as-declared @ {RESERVATION}.zone")
def the_declared_zone_is_wrong_and_the_group_is_right() -> Fleet:
    return a_fleet(*reserved(a_reservation(zone="us-west-2b")), facts=reservation_facts())


@case(
    unjudged=(
        f"{ZONE} @ {WORKERS}",
        f"several-interfaces-private-subnets @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    )
)
def a_reservation_and_a_subnet_nobody_knows() -> Fleet:
    return a_fleet(*reserved(subnets=("subnet-0eeeeeeeeeeeeeeee",)), facts=reservation_facts())


@case(f"group-has-subnet @ {WORKERS}.zone")
def a_reservation_in_a_zone_without_subnet() -> Fleet:
    return a_fleet(*reserved(subnets=(), zone="us-west-2c"), facts=reservation_facts())


@case(f"group-has-subnet @ {WORKERS}.zone")
def a_zone_of_another_region() -> Fleet:
    return a_fleet(a_group(subnets=(), zone="us-east-1a"))


@case(f"group-has-subnet @ {WORKERS}.subnets")
def no_subnet_of_that_kind() -> Fleet:
    return a_fleet(a_group(subnets=()))


# type


@case(f"{ZONE} @ {RESERVATION}.zone", unjudged=ALL_BUT_ZONE)
def two_zones_and_a_reservation_nobody_knows() -> Fleet:
    """Whichever zone it is in: one of the two is another."""
    return a_fleet(a_template(**on()), a_group(subnets=(B, a_subnet().id)))


@case(f"{TYPE} @ {WORKERS}.instance")
def a_reservation_of_another_type() -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts(instanceType="p5e.48xlarge"))


@case(f"{TYPE} @ {WORKERS}.instance", f"instance-offered-in-zone @ {WORKERS}.zone")
def a_reservation_of_one_of_two_types() -> Fleet:
    template = a_template(instance=None, interfaces=(), **on())
    group = a_group(instance_types=("p5.48xlarge", "p5e.48xlarge"))
    return a_fleet(template, group, facts=reservation_facts())


@case(
    unjudged=(
        "instance-type-catalogued @ groups.workers",
        f"{TYPE} @ {WORKERS}",
        f"image-fits-hardware @ {WORKERS}",
        f"instance-offered-in-zone @ {WORKERS}",
        f"subnet-holds-nodes @ {WORKERS}",
    )
)
def a_reservation_and_a_type_not_yet_known() -> Fleet:
    return a_fleet(a_template(instance=UNKNOWN, interfaces=(), **on()), facts=reservation_facts())


@case(unjudged=(f"{TYPE} @ {WORKERS}",))
def a_reservation_whose_type_nobody_knows() -> Fleet:
    return a_fleet(*reserved(), facts=reservation_facts(instanceType=DROP))


# size


@case(f"{COVERS} @ {RESERVATION}.count", unjudged=(f"{TYPE} @ {WORKERS}", NOBODY_SAYS, NO_QUOTA))
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
    unjudged=("nodes-in-order @ groups.others", "subnet-holds-all-nodes @ groups.others"),
)
def one_group_is_too_many_already_and_the_other_not_yet_known() -> Fleet:
    others = (a_template("others", **on()), a_group("others", nodes_max=UNKNOWN))
    return a_fleet(*reserved(nodes_max=2), *others, facts=reservation_facts())


@case(
    unjudged=(
        "nodes-in-order @ groups.others",
        f"{COVERS} @ {WORKERS}",
        f"{COVERS} @ groups.others",
        "subnet-holds-all-nodes @ groups.others",
    )
)
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
def a_reservation_to_come_of_which_ec2_counts_no_instances_yet() -> Fleet:
    """That it holds too few nobody can say."""
    return _said(state="scheduled", totalInstances=0)


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


# reservations that the program makes itself


def made(**more: object) -> CapacityReservation:
    defaults = {
        "instance": "p5.48xlarge",
        "zone": "us-west-2a",
        "count": 1,
        "placement_group": None,
        "starts": None,
        "platform": "Linux/UNIX",
        "place": Place("reservations.p5"),
    }
    return CapacityReservation(Ref(CAPACITY_RESERVATION, "p5"), **{**defaults, **more})


def on_made(*things: object, template: dict[str, object] | None = None, **more: object) -> Fleet:
    reservation = made(**more)
    return a_fleet(reservation, a_template(**on(reservation.ref), **(template or {})), *things)


LEGAL, HOLDS = "reservation-created-legal @ reservations.p5", "placement-group-holds-reservations"


@case()
def a_reservation_of_its_own() -> Fleet:
    return on_made()


@case(f"{ZONE} @ {RESERVATION}.zone", f"{TYPE} @ {WORKERS}.instance", f"{COVERS} @ {RESERVATION}.count")
def a_reservation_of_its_own_for_something_else() -> Fleet:
    group = a_group(nodes_max=5)
    return on_made(group, instance="p5e.48xlarge", zone="us-west-2b", count=4)


@case(unjudged=(*ALL_THREE, LEGAL))
def a_reservation_of_its_own_of_which_nothing_is_known() -> Fleet:
    return on_made(instance=UNKNOWN, zone=UNKNOWN, count=UNKNOWN, placement_group=UNKNOWN)


@case(f"{USABLE} @ {RESERVATION}.id")
def a_reservation_of_its_own_for_windows() -> Fleet:
    return on_made(platform="Windows", tenancy="dedicated")


@case(LEGAL)
def a_reservation_of_nothing() -> Fleet:
    return a_fleet(made(count=0))


@case()
def a_reservation_of_a_thousand() -> Fleet:
    return a_fleet(made(count=1000))


@case(LEGAL)
def a_reservation_of_more_than_a_thousand() -> Fleet:
    return a_fleet(made(count=1001))


@case(LEGAL)
def p5_reserved_for_later() -> Fleet:
    return a_fleet(made(starts="2026-12-21T00:00:00Z"))


@case(LEGAL)
def trn1_reserved_for_later() -> Fleet:
    return a_fleet(made(instance="trn1.32xlarge", starts="2026-12-21T00:00:00Z"))


def later(starts: object = "2026-12-21T00:00:00Z", instance: str = "m5.8xlarge", **more: object) -> Fleet:
    return a_fleet(made(instance=instance, starts=starts, **more))


@case()
def m5_reserved_for_later() -> Fleet:
    return later()


@case()
def g5_reserved_for_later() -> Fleet:
    return later(instance="g5.48xlarge")


@case()
def an_uncatalogued_type_reserved_for_later() -> Fleet:
    return later(instance="r9i.large")


@case(LEGAL)
def reserved_four_days_ahead() -> Fleet:
    return later("2026-11-25T23:00:00Z")


@case()
def reserved_five_days_ahead() -> Fleet:
    return later("2026-11-26T00:00:00Z")


@case(LEGAL)
def reserved_121_days_ahead() -> Fleet:
    return later("2027-03-22T00:00:00Z")


@case(LEGAL)
def reserved_for_later_in_a_placement_group() -> Fleet:
    return later(placement_group="arn:aws:ec2:us-west-2:000000000000:placement-group/together")


@case(LEGAL)
def too_little_reserved_for_later() -> Fleet:
    return later(instance="c5.2xlarge", count=3)


@case()
def just_enough_reserved_for_later() -> Fleet:
    return later(instance="c5.2xlarge", count=4)


@case(unjudged=(LEGAL,))
def reserved_for_a_day_not_yet_known() -> Fleet:
    return later(UNKNOWN)


# the strategies of placement groups


def strategy(name: object) -> PlacementGroup:
    return PlacementGroup(OURS, "workers", name, Place("groups.workers"))


@case()
def a_reservation_of_its_own_in_a_cluster_group_of_its_own() -> Fleet:
    return on_made(strategy("cluster"), placement_group=OURS, template={"placement_group": OURS})


@case(f"{HOLDS} @ reservations.p5", f"{HOLDS} @ {WORKERS}")
def a_reservation_of_its_own_in_a_spread_group() -> Fleet:
    return on_made(strategy("spread"), placement_group=OURS, template={"placement_group": OURS})


@case(unjudged=(f"{HOLDS} @ reservations.p5", f"{HOLDS} @ {WORKERS}"))
def a_reservation_of_its_own_in_a_group_of_a_strategy_not_yet_known() -> Fleet:
    return on_made(strategy(UNKNOWN), placement_group=OURS, template={"placement_group": OURS})


@case()
def a_partition_group_without_reservation() -> Fleet:
    return a_fleet(strategy("partition"), a_template(placement_group=OURS))


def plain_in(placement: PlacementGroup, **group: object) -> Fleet:
    template = a_template(instance="m5.8xlarge", interfaces=(), placement_group=OURS)
    return a_fleet(placement, template, a_group(**group))


@case(f"placement-group-one-zone @ {WORKERS}.zone")
def a_cluster_group_in_two_zones() -> Fleet:
    return plain_in(strategy("cluster"), subnets=(a_subnet().id, B))


@case()
def a_cluster_group_in_one_zone() -> Fleet:
    return plain_in(strategy("cluster"))


@case()
def a_spread_group_in_two_zones() -> Fleet:
    return plain_in(strategy("spread"), subnets=(a_subnet().id, B))


@case(unjudged=(f"placement-group-one-zone @ {WORKERS}", f"subnet-holds-nodes @ {WORKERS}"))
def a_cluster_group_in_zones_nobody_knows() -> Fleet:
    return plain_in(strategy("cluster"), subnets=(a_subnet().id, "subnet-0eeeeeeeeeeeeeeee"))


# spot

SPOT = "spot-not-for-training"


def on_spot(accepted: bool, purpose: Purpose = Purpose.TRAINING) -> Fleet:
    said = Capacity.model_validate({"spot": {"interruptions-accepted": accepted}})
    plain = a_template(instance="m5.8xlarge", interfaces=())
    return a_fleet(plain, a_group(capacity=said, purpose=purpose, capacity_type="SPOT"))


@case(f"{SPOT} @ {WORKERS}.capacity.spot")
def training_on_spot() -> Fleet:
    return on_spot(accepted=False)


@case()
def training_on_spot_aloud() -> Fleet:
    return on_spot(accepted=True)


@case()
def inference_on_spot() -> Fleet:
    return on_spot(accepted=False, purpose=Purpose.INFERENCE)


@case(f"{SPOT} @ {WORKERS}")
def a_foreign_group_with_efa_on_spot() -> Fleet:
    return a_fleet(a_group(capacity_type="SPOT"))


@case(f"{SPOT} @ {WORKERS}")
def a_self_managed_group_with_efa_on_spot() -> Fleet:
    return a_fleet(a_template(market_type="spot"), a_group(managed=False, capacity_type=None))


@case()
def a_foreign_group_without_efa_on_spot() -> Fleet:
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=()), a_group(capacity_type="SPOT"))


# quota

QUOTA = "quota-covers-vcpus"


def within(quotas: dict[str, int], *things: object, instance: str = "p5.48xlarge", **group: object) -> Fleet:
    said = Capacity.model_validate({"on-demand": {}})
    return a_fleet(a_template(instance=instance), a_group(capacity=said, **group), *things, facts=facts(quotas=quotas))


@case()
def exactly_the_quota() -> Fleet:
    return within({"L-417A185B": 384}, nodes_max=2)


@case(f"{QUOTA} @ {WORKERS}.nodes")
def one_node_beyond_the_quota() -> Fleet:
    return within({"L-417A185B": 383}, nodes_max=2)


@case(f"{QUOTA} @ {WORKERS}.nodes", f"{QUOTA} @ groups.others.nodes")
def two_groups_of_one_family_beyond_the_quota() -> Fleet:
    others = a_group("others", capacity=Capacity.model_validate({"on-demand": {}}))
    return within({"L-417A185B": 200}, a_template("others", instance="p4d.24xlarge"), others)


@case(f"{QUOTA} @ {WORKERS}.nodes")
def trn1_beyond_its_quota() -> Fleet:
    return within({"L-417A185B": 1000, "L-2C3B7624": 0}, instance="trn1.32xlarge")


@case(unjudged=(NO_QUOTA,))
def a_quota_of_another_family() -> Fleet:
    return within({"L-417A185B": 1000}, instance="g5.48xlarge")


@case()
def a_type_of_no_such_quota() -> Fleet:
    said = Capacity.model_validate({"on-demand": {}})
    template = a_template(instance="m5.8xlarge", interfaces=())
    return a_fleet(template, a_group(capacity=said), facts=facts())


@case(unjudged=(NO_QUOTA, f"nodes-in-order @ {WORKERS}", f"subnet-holds-all-nodes @ {WORKERS}"))
def a_quota_and_nodes_not_yet_known() -> Fleet:
    return within({"L-417A185B": 384}, nodes_max=UNKNOWN)


ON_SPOT = {"capacity": Capacity.model_validate({"spot": {"interruptions-accepted": True}}), "capacity_type": "SPOT"}


def with_spot_quotas(instance: str, quotas: dict[str, int]) -> Fleet:
    template = a_template(instance=instance, interfaces=())
    return a_fleet(template, a_group(**ON_SPOT), facts=facts(quotas=quotas))


@case(f"{QUOTA} @ {WORKERS}.nodes")
def p5_on_spot_beyond_its_own_quota() -> Fleet:
    return with_spot_quotas("p5.48xlarge", {"L-417A185B": 1920, "L-C4BD4855": 191})


@case()
def trn1_on_spot_within_its_quota() -> Fleet:
    return with_spot_quotas("trn1.32xlarge", {"L-6B0D517C": 128})


@case(f"{QUOTA} @ {WORKERS}.nodes")
def g5_on_spot_beyond_its_own_quota() -> Fleet:
    return with_spot_quotas("g5.48xlarge", {"L-DB2E81BA": 1920, "L-3819A6DF": 191})


@case(unjudged=(NO_QUOTA,))
def p4_on_spot_with_another_quota() -> Fleet:
    return with_spot_quotas("p4d.24xlarge", {"L-C4BD4855": 1920})


@case(unjudged=(NO_QUOTA,))
def p6_on_spot_of_which_nobody_says_the_quota() -> Fleet:
    return with_spot_quotas("p6-b200.48xlarge", {"L-C4BD4855": 1920})
