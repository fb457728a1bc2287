"""Strategies of placement groups."""

from muster.fleet.resources import Fleet, Place, PlacementGroup
from muster.fleet.unknown import UNKNOWN
from tests.factories import B, a_fleet, a_group, a_subnet, a_template
from tests.policies.capacity import HOLDS, OURS, WORKERS, on_made
from tests.policies.case import case


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
