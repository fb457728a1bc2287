"""Resource groups of reservations: those that exist, and those that a program makes."""

from typing import Any

from muster.config.description.capacity import Capacity
from muster.fleet.facts import Facts
from muster.fleet.resources import CapacityReservation, CapacityTarget, Fleet, Place, Ref, ReservationGroup
from muster.fleet.resources.ec2 import GENERIC, POOL, RESERVATION_TYPE
from muster.fleet.resources.ref import CAPACITY_RESERVATION, PLACEMENT_GROUP, RESOURCE_GROUP
from muster.unknown import UNKNOWN
from tests.factories import A, B, a_fleet, a_group, a_template, facts
from tests.policies.case import case, cases

WORKERS = "groups.workers"
GROUP = f"{WORKERS}.capacity.reservation-group"
ARN = "arn:aws:resource-groups:us-west-2:000000000000:group/p5"
ONE, TWO = "cr-00000000000000001", "cr-00000000000000002"


def arn(id_: str, region: str = "us-west-2") -> str:
    return f"arn:aws:ec2:{region}:000000000000:capacity-reservation/{id_}"


SOUND = {
    "instanceType": "p5.48xlarge",
    "zone": "us-west-2a",
    "totalInstances": 1,
    "state": "active",
    "platform": "Linux/UNIX",
    "tenancy": "default",
    "reservationType": "default",
}


def known(one: Any = None, two: Any = None, **group: Any) -> Facts:
    """What AWS says of a group of two reservations of one instance each."""
    about = {"configurations": [POOL, GENERIC], "reservations": [ONE, TWO], **group}
    return facts(
        reservations={ONE: {**SOUND, **(one or {})}, TWO: {**SOUND, **(two or {})}},
        reservationGroups={ARN: {key: value for key, value in about.items() if value is not None}},
        quotas={"L-417A185B": 1920},
    )


ONLY = "capacity-reservations-only"


def on_group(*things: Any, group: Any = ARN, preference: Any = ONLY, facts: Facts | None = None, **more: Any) -> Fleet:
    """The default group, of another team, on a reservation group."""
    template = a_template(target=CapacityTarget(preference=preference, group=group), **more.pop("template", {}))
    return a_fleet(template, a_group(**more), *things, facts=facts or known())


def said(**more: Any) -> Capacity:
    """What a description says of it."""
    source = {} if "create" in more else {"arn": ARN}
    default = {**source, "zone": "us-west-2a", "count": 2, "provided-by": "aws"}
    return Capacity.model_validate({"reservation-group": {**default, **more}})


cases(
    a_foreign_group_on_two_reservations=lambda: on_group(nodes_max=2),
    a_described_group_on_two_reservations=lambda: on_group(nodes_max=2, capacity=said()),
    a_group_nobody_knows=lambda: on_group(facts=facts()),
    # Its zone and size stand in the description.
    a_described_group_nobody_knows=lambda: on_group(nodes_max=2, capacity=said(), facts=facts()),
)


# what is in it


cases(
    more_nodes_than_both_hold=lambda: on_group(nodes_max=3),
    one_of_two_is_of_another_type=lambda: on_group(nodes_max=2, facts=known(two={"instanceType": "p5e.48xlarge"})),
    one_of_two_is_in_another_zone=lambda: on_group(nodes_max=2, facts=known(two={"zone": "us-west-2b"})),
    one_of_two_is_over=lambda: on_group(nodes_max=2, facts=known(two={"state": "expired"})),
    both_are_over=lambda: on_group(nodes_max=2, facts=known({"state": "expired"}, {"platform": "Windows"})),
    nobody_says_whether_they_are_active=lambda: on_group(facts=known({"state": None}, {"state": None})),
)


@case
def both_are_of_another_type() -> Fleet:
    other = {"instanceType": "p5e.48xlarge"}
    return on_group(facts=known(other, other))


@case
def both_are_in_another_zone() -> Fleet:
    there = {"zone": "us-west-2b"}
    return on_group(facts=known(there, there), capacity=said())


@case
def reservations_in_both_zones() -> Fleet:
    plain = {"instance": "m5.8xlarge", "interfaces": ()}
    m5 = {"instanceType": "m5.8xlarge"}
    return on_group(template=plain, subnets=(A, B), nodes_max=2, facts=known(m5, {**m5, "zone": "us-west-2b"}))


cases(
    efa_on_reservations_in_both_zones=lambda: on_group(
        subnets=(A, B), nodes_max=2, facts=known(two={"zone": "us-west-2b"})
    ),
    a_described_group_that_holds_more=lambda: on_group(
        nodes_max=2, capacity=said(), facts=known(two={"totalInstances": 5})
    ),
    a_reservation_of_it_is_wanted_by_another_group=lambda: on_group(
        *(a_template("others", target=CapacityTarget(reservation=TWO)), a_group("others")), nodes_max=2
    ),
    a_reservation_of_it_is_shared_with_another_group=lambda: on_group(
        *(a_template("others", target=CapacityTarget(reservation=TWO)), a_group("others")), nodes_max=1
    ),
)


@case
def made_in_a_placement_group() -> Fleet:
    together = {"placementGroup": "pg-theirs"}
    return on_group(facts=known(together, together))


@case
def made_and_launched_in_a_placement_group() -> Fleet:
    together = {"placementGroup": "pg-theirs"}
    return on_group(facts=known(together, together), template={"placement_group": "pg-theirs"})


cases(
    a_placement_group_named_for_reservations_of_aws=lambda: on_group(capacity=said(**{"placement-group": "pg-theirs"})),
    launched_in_a_placement_group_and_nobody_knows_where_they_were_made=lambda: on_group(
        template={"placement_group": Ref(PLACEMENT_GROUP, "workers")}
    ),
)


# Capacity Blocks in it


@case
def a_block_in_a_group() -> Fleet:
    block = {"reservationType": "capacity-block"}
    template = {"market_type": "capacity-block"}
    return on_group(facts=known(block, block), template=template, capacity_type="CAPACITY_BLOCK")


cases(
    a_market_for_blocks_and_a_group=lambda: on_group(
        template={"market_type": "capacity-block"}, capacity_type="CAPACITY_BLOCK", preference=None
    ),
)


@case
def an_ultraserver_block_in_a_group() -> Fleet:
    block = {"reservationType": "capacity-block", "instanceType": "p6e-gb200.36xlarge"}
    template = {"instance": "p6e-gb200.36xlarge", "interfaces": (), "market_type": "capacity-block"}
    return on_group(facts=known(block, block), template=template, capacity_type="CAPACITY_BLOCK")


# preference


cases(
    a_group_without_preference=lambda: on_group(preference=None),
    a_group_and_a_preference_not_yet_known=lambda: on_group(preference=UNKNOWN),
)


# its entries, those that exist


cases(
    an_empty_group=lambda: on_group(facts=known(reservations=[])),
    a_group_without_the_pool_entry=lambda: on_group(facts=known(configurations=[GENERIC])),
    a_group_with_the_pool_entry_only=lambda: on_group(facts=known(configurations=[POOL])),
    a_group_whose_entries_nobody_says=lambda: on_group(facts=known(configurations=None)),
)


EAST = "arn:aws:resource-groups:us-east-1:000000000000:group/p5/abcdefghijklmnopqrstuvwxyz"


cases(
    a_group_of_another_region=lambda: on_group(group=EAST),
)


# those that a program makes

OWN = Ref(RESOURCE_GROUP, "p5")


BOTH = (arn(ONE), arn(TWO))


def own(members: Any = BOTH, **more: Any) -> ReservationGroup:
    entries = {"configurations": frozenset({POOL, GENERIC}), "allowed": frozenset({RESERVATION_TYPE})}
    return ReservationGroup(OWN, members=members, place=Place(GROUP), **{**entries, **more})


def on_own(*things: Any, **more: Any) -> Fleet:
    return on_group(own(**more), *things, group=OWN, nodes_max=2)


cases(
    a_group_of_its_own=lambda: on_own(),
)


@case
def a_group_of_its_own_of_a_reservation_of_its_own() -> Fleet:
    ref = Ref(CAPACITY_RESERVATION, "p5")
    made = CapacityReservation(ref, "p5.48xlarge", "us-west-2a", 2, None, None, Place("reservations.p5"), "Linux/UNIX")
    return on_own(made, members=(ref,))


cases(
    a_group_of_its_own_that_holds_too_little=lambda: on_own(members=(arn(ONE),)),
    a_group_of_its_own_with_nothing_in_it=lambda: on_own(members=()),
    a_group_of_its_own_of_reservations_not_yet_known=lambda: on_own(members=UNKNOWN),
    a_group_of_its_own_with_the_pool_entry_only=lambda: on_own(configurations=frozenset({POOL}), allowed=frozenset()),
    a_group_of_its_own_without_the_pool_entry=lambda: on_own(configurations=frozenset({GENERIC})),
    a_group_of_its_own_for_other_types=lambda: on_own(allowed=frozenset({"AWS::EC2::Host"})),
    a_group_of_its_own_of_entries_not_yet_known=lambda: on_own(configurations=UNKNOWN, allowed=UNKNOWN),
    a_group_of_hosts_that_nothing_is_launched_into=lambda: a_fleet(
        own((), configurations=frozenset({"AWS::EC2::HostManagement", GENERIC}), allowed=frozenset({"AWS::EC2::Host"}))
    ),
    a_group_of_its_own_of_reservations_of_two_regions=lambda: on_own(members=(arn(ONE), arn(TWO, "us-east-1"))),
    a_group_of_its_own_in_a_region_nobody_names=lambda: a_fleet(
        a_template(target=CapacityTarget(preference=ONLY, group=OWN)), own(), facts=known(), region=None
    ),
)
