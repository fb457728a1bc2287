"""Strategies of placement groups."""

from muster.fleet.resources import Fleet, Place, PlacementGroup
from muster.unknown import UNKNOWN
from tests.factories import B, a_fleet, a_group, a_subnet, a_template
from tests.policies.capacity import OURS, on_made
from tests.policies.case import cases


def strategy(name: object) -> PlacementGroup:
    return PlacementGroup(OURS, "workers", name, Place("groups.workers"))


cases(
    a_reservation_of_its_own_in_a_group_of_a_strategy_not_yet_known=lambda: on_made(
        strategy(UNKNOWN), placement_group=OURS, template={"placement_group": OURS}
    ),
)


def plain_in(placement: PlacementGroup, **group: object) -> Fleet:
    template = a_template(instance="m5.8xlarge", interfaces=(), placement_group=OURS)
    return a_fleet(placement, template, a_group(**group))


cases(
    a_cluster_group_in_two_zones=lambda: plain_in(strategy("cluster"), subnets=(a_subnet().id, B)),
    a_cluster_group_in_zones_nobody_knows=lambda: plain_in(
        strategy("cluster"), subnets=(a_subnet().id, "subnet-0eeeeeeeeeeeeeeee")
    ),
)
