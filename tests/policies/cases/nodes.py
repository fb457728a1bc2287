"""Pods, addresses, zones, updates and repair of nodes."""

from typing import Any

from muster.config.description.node_group import Purpose
from muster.config.description.node_settings import Scaler
from muster.fleet.resources import ControlPlane, EksAddon, Fleet
from muster.fleet.resources.ref import SUBNET, Ref
from muster.hardware.interfaces import Layout
from muster.unknown import UNKNOWN
from tests.factories import (
    A,
    B,
    a_control_plane,
    a_fleet,
    a_group,
    a_subnet,
    a_template,
    an_eks_addon,
    an_interface,
    described,
    interfaces,
)
from tests.policies.case import case, cases

# max-pods-within-addresses


def _in_region(region: str | None) -> Fleet:
    return a_fleet(region=region)


cases(
    nobody_tells_the_kubelet_of_efa_only_on_card_0=lambda: a_fleet(a_template(max_pods=None)),
    one_pod_more_than_addresses=lambda: a_fleet(a_template(max_pods=52)),
    as_many_pods_as_addresses=lambda: a_fleet(a_template(max_pods=51)),
    the_classic_layout_keeps_the_pods=lambda: a_fleet(
        a_template(interfaces=interfaces(layout=Layout.CLASSIC), max_pods=100)
    ),
    more_pods_than_eks_takes=lambda: a_fleet(a_template(instance="p4d.24xlarge", interfaces=(), max_pods=251)),
    what_eks_takes_on_a_small_node=lambda: a_fleet(a_template(instance="c5.2xlarge", interfaces=(), max_pods=58)),
    # p4d.24xlarge has 688 addresses for pods beside efa-only; EKS stops at 250.
    nobody_tells_the_kubelet_where_eks_own_limit_is_lower_still=lambda: a_fleet(
        a_template(instance="p4d.24xlarge", max_pods=None)
    ),
    nobody_tells_the_kubelet_of_nodes_without_eks_own_limit=lambda: a_fleet(
        a_template(instance="p4d.24xlarge", max_pods=None), a_group(managed=False)
    ),
    user_data_not_yet_known=lambda: a_fleet(a_template(max_pods=UNKNOWN)),
)


def with_cni(prefixes: Any) -> Fleet:
    return a_fleet(a_template(max_pods=110), an_eks_addon(prefix_delegation=prefixes))


cases(
    more_pods_with_prefixes=lambda: with_cni(prefixes=True),
    more_pods_with_a_cni_not_yet_known=lambda: with_cni(prefixes=UNKNOWN),
    more_pods_with_a_cni_from_elsewhere=lambda: a_fleet(a_template(max_pods=110), without=[EksAddon]),
)


# subnet-holds-nodes, subnet-holds-all-nodes


def in_room(free: int | None, *things: Any, **group: Any) -> Fleet:
    """The default group (50 addresses a node) in a subnet with so many free addresses."""
    numbers = {"nodes_max": group.get("nodes_start", 1), **group}
    return a_fleet(a_group(**numbers), *things, subnets=[a_subnet(free_addresses=free)])


cases(
    two_nodes_in_a_subnet_for_one=lambda: in_room(105, nodes_start=2),
    two_nodes_and_the_control_plane_in_a_subnet_for_them=lambda: in_room(106, nodes_start=2),
    a_subnet_for_no_node=lambda: in_room(20),
    two_nodes_beside_a_control_plane_that_is_there_already=lambda: a_fleet(
        a_group(nodes_start=2, nodes_max=2),
        a_template(instance="g5.8xlarge", interfaces=()),
        a_control_plane(subnets=(), existing=True, name="theirs"),
        subnets=[a_subnet(free_addresses=120)],
        without=[ControlPlane],
    ),
    room_for_the_nodes_at_first_only=lambda: in_room(106, nodes_start=1, nodes_max=3),
    none_at_first_and_room_for_all=lambda: in_room(106, nodes_min=0, nodes_start=0, nodes_max=2),
    # Two take 200 addresses with a few pods, 600 with all they may hold.
    p4d_full_of_pods=lambda: a_fleet(
        a_template(instance="p4d.24xlarge"), a_group(nodes_start=2, nodes_max=2), subnets=[a_subnet(free_addresses=500)]
    ),
)


OTHERS = a_group("others", nodes_start=1, nodes_max=1)


cases(
    two_groups_in_a_subnet_for_one=lambda: in_room(105, OTHERS, a_template("others")),
)


@case
def two_groups_in_two_subnets() -> Fleet:
    others = a_group("others", subnets=(A, B))
    return a_fleet(others, a_template("others", "m5.8xlarge", interfaces=()), subnets=[a_subnet(free_addresses=60)])


cases(
    a_subnet_of_which_nobody_says_its_room=lambda: in_room(None),
    two_nodes_in_a_subnet_of_the_program=lambda: a_fleet(
        a_group(subnets=(Ref(SUBNET, "made"),), nodes_start=2, nodes_max=2),
        subnets=[a_subnet(str(Ref(SUBNET, "made")), free_addresses=106)],
    ),
)


# region-known

cases(
    a_region_that_is_misspelt=lambda: _in_region("us-west-3"),
    a_region_of_another_partition=lambda: _in_region("us-gov-west-1"),
    a_region_that_nobody_knows=lambda: _in_region(None),
)


# instance-offered-in-zone


def in_zone(zone_id: str | None, instance: str = "trn1.32xlarge", **more: Any) -> Fleet:
    return a_fleet(a_template(instance=instance), subnets=[a_subnet(zone_id=zone_id)], **more)


cases(
    trn1_in_a_zone_where_nobody_saw_it=lambda: in_zone("usw2-az2"),
    trn1_in_a_zone_where_it_was_seen=lambda: in_zone("usw2-az4"),
    trn1_in_a_zone_without_id=lambda: in_zone(None),
    p5_in_a_zone_without_id_of_a_region_where_every_zone_has_it=lambda: in_zone(None, "p5.48xlarge"),
    hpc7a_where_nobody_saw_it_in_the_region=lambda: in_zone(None, "hpc7a.96xlarge"),
    trn1_in_subnets_not_yet_known=lambda: a_fleet(
        a_template(instance="trn1.2xlarge", interfaces=(an_interface(),)), a_group(subnets=UNKNOWN)
    ),
)


# update-limits-single, node-repair-limits-single

COUNT, PERCENTAGE = "maxParallelNodesRepairedCount", "maxParallelNodesRepairedPercentage"


cases(
    a_number_and_a_percentage_of_an_update=lambda: a_fleet(a_group(max_unavailable=1, max_unavailable_percentage=33)),
    an_update_of_nothing=lambda: a_fleet(a_group(max_unavailable=0)),
    an_update_of_more_than_all=lambda: a_fleet(a_group(max_unavailable_percentage=101)),
    an_update_of_all=lambda: a_fleet(a_group(max_unavailable_percentage=100)),
    an_update_of_a_number_not_yet_known=lambda: a_fleet(a_group(max_unavailable=UNKNOWN)),
    a_number_of_an_update_beside_a_percentage_not_yet_known=lambda: a_fleet(
        a_group(max_unavailable=1, max_unavailable_percentage=UNKNOWN)
    ),
    a_count_of_repairs_beside_a_percentage_not_yet_known=lambda: a_fleet(
        a_group(repair_limits=((COUNT, 1), (PERCENTAGE, UNKNOWN)))
    ),
    a_count_and_a_percentage_of_repairs=lambda: a_fleet(a_group(repair_limits=((COUNT, 1), (PERCENTAGE, 10)))),
    limits_of_two_kinds=lambda: a_fleet(
        a_group(repair_limits=((COUNT, 1), ("maxUnhealthyNodeThresholdPercentage", 10)))
    ),
    no_repair_at_a_time=lambda: a_fleet(a_group(repair_limits=((COUNT, 0),))),
    more_repairs_than_all_at_a_time=lambda: a_fleet(a_group(repair_limits=((PERCENTAGE, 101),))),
    many_repairs_at_a_time=lambda: a_fleet(a_group(repair_limits=((COUNT, 101),))),
    repairs_of_a_number_not_yet_known=lambda: a_fleet(a_group(repair_limits=((COUNT, UNKNOWN),))),
)


# scaling-range-without-autoscaler


def a_range(**more: Any) -> Fleet:
    """A described group of one node that may grow to two."""
    plain = a_template(instance="m5.8xlarge", interfaces=())
    return a_fleet(plain, a_group(nodes_max=2, purpose=Purpose.SYSTEM, **more))


cases(
    a_range_that_nobody_moves_in=lambda: a_range(),
    a_range_that_an_autoscaler_moves_in=lambda: a_range(scaled_by=Scaler.AUTOSCALER),
    a_range_whose_least_is_not_yet_known=lambda: a_range(nodes_min=UNKNOWN),
    a_foreign_range=lambda: a_fleet(a_group(nodes_max=2)),
)


@case
def a_block_that_has_not_begun_has_no_nodes_yet() -> Fleet:
    offering = "cb-0123456789abcdef0"
    purchase = {"offering": offering, "approved": {"offering": offering, "by": "head.of.research"}}
    block = {"buy": purchase, "zone": "us-west-2a", "count": 1, "starts": "2026-12-01", "ends": "2026-12-15"}
    return described({"groups.workers.capacity": {"capacity-block": block}})
