"""What reservations hold: of which type, and how many."""

from muster.fleet.resources import Fleet
from muster.fleet.unknown import UNKNOWN
from tests.factories import DROP, B, a_fleet, a_group, a_reservation, a_subnet, a_template, on, reservation_facts
from tests.policies.capacity import COVERS, NO_QUOTA, NOBODY_SAYS, RESERVATION, TYPE, WORKERS, ZONE, reserved
from tests.policies.case import case

ALL_BUT_ZONE = (f"{TYPE} @ {WORKERS}", f"{COVERS} @ {WORKERS}", f"reservation-usable @ {WORKERS}")


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
