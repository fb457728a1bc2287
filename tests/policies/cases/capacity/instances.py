"""What reservations hold: of which type, and how many."""

from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import DROP, B, a_fleet, a_group, a_reservation, a_subnet, a_template, on, reservation_facts
from tests.policies.capacity import reserved
from tests.policies.case import case, cases

# type


cases(
    # Whichever zone it is in: one of the two is another.
    two_zones_and_a_reservation_nobody_knows=lambda: a_fleet(a_template(**on()), a_group(subnets=(B, a_subnet().id))),
    a_reservation_of_another_type=lambda: a_fleet(*reserved(), facts=reservation_facts(instanceType="p5e.48xlarge")),
    a_reservation_of_one_of_two_types=lambda: a_fleet(
        a_template(instance=None, interfaces=(), **on()),
        a_group(instance_types=("p5.48xlarge", "p5e.48xlarge")),
        facts=reservation_facts(),
    ),
    a_reservation_and_a_type_not_yet_known=lambda: a_fleet(
        a_template(instance=UNKNOWN, interfaces=(), **on()), facts=reservation_facts()
    ),
    a_reservation_whose_type_nobody_knows=lambda: a_fleet(*reserved(), facts=reservation_facts(instanceType=DROP)),
)


# size


cases(
    more_nodes_than_declared=lambda: a_fleet(*reserved(nodes_max=2)),
    more_nodes_than_observed=lambda: a_fleet(*reserved(a_reservation(count=2), nodes_max=2), facts=reservation_facts()),
    more_nodes_than_declared_and_no_more_than_observed=lambda: a_fleet(
        *reserved(nodes_max=2), facts=reservation_facts(totalInstances=2)
    ),
)


@case
def two_groups_share_too_small_a_reservation() -> Fleet:
    others = (a_template("others", **on()), a_group("others", reservation=a_reservation()))
    return a_fleet(*reserved(), *others, facts=reservation_facts())


@case
def two_groups_share_a_reservation() -> Fleet:
    others = (a_template("others", **on()), a_group("others", reservation=a_reservation(count=2)))
    return a_fleet(*reserved(a_reservation(count=2)), *others, facts=reservation_facts(totalInstances=2))


@case
def one_group_is_too_many_already_and_the_other_not_yet_known() -> Fleet:
    others = (a_template("others", **on()), a_group("others", nodes_max=UNKNOWN))
    return a_fleet(*reserved(nodes_max=2), *others, facts=reservation_facts())


cases(
    one_group_fits_and_the_other_is_not_yet_known=lambda: a_fleet(
        *reserved(), *(a_template("others", **on()), a_group("others", nodes_max=UNKNOWN)), facts=reservation_facts()
    ),
    a_foreign_group_on_a_reservation_of_a_size_nobody_knows=lambda: a_fleet(
        a_template(**on()), facts=reservation_facts(totalInstances=DROP)
    ),
)
