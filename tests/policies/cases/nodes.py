"""Pods, addresses, zones, updates and repair of nodes."""

from typing import Any

from muster.config.description.node_group import Purpose
from muster.config.description.node_settings import Scaler
from muster.fleet.resources import ControlPlane, EksAddon, Fleet
from muster.fleet.resources.ref import SUBNET, Ref
from muster.fleet.unknown import UNKNOWN
from muster.hardware.interfaces import Layout
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
from tests.policies.case import case

WORKERS = "groups.workers"
PODS, HOLDS, HOLDS_ALL = "max-pods-within-addresses", "subnet-holds-nodes", "subnet-holds-all-nodes"


# max-pods-within-addresses


@case(f"{PODS} @ {WORKERS}.interfaces")
def nobody_tells_the_kubelet_of_efa_only_on_card_0() -> Fleet:
    return a_fleet(a_template(max_pods=None))


@case(f"{PODS} @ {WORKERS}.interfaces")
def one_pod_more_than_addresses() -> Fleet:
    return a_fleet(a_template(max_pods=52))


@case()
def as_many_pods_as_addresses() -> Fleet:
    return a_fleet(a_template(max_pods=51))


@case()
def the_classic_layout_keeps_the_pods() -> Fleet:
    return a_fleet(a_template(interfaces=interfaces(layout=Layout.CLASSIC), max_pods=100))


@case(f"{PODS} @ {WORKERS}.interfaces")
def more_pods_than_eks_takes() -> Fleet:
    return a_fleet(a_template(instance="p4d.24xlarge", interfaces=(), max_pods=251))


@case()
def what_eks_takes_on_a_small_node() -> Fleet:
    return a_fleet(a_template(instance="c5.2xlarge", interfaces=(), max_pods=58))


@case()
def nobody_tells_the_kubelet_where_eks_own_limit_is_lower_still() -> Fleet:
    """p4d.24xlarge has 688 addresses for pods beside efa-only; EKS stops at 250."""
    return a_fleet(a_template(instance="p4d.24xlarge", max_pods=None))


@case(f"{PODS} @ {WORKERS}.interfaces")
def nobody_tells_the_kubelet_of_nodes_without_eks_own_limit() -> Fleet:
    return a_fleet(a_template(instance="p4d.24xlarge", max_pods=None), a_group(managed=False))


@case(unjudged=(f"{PODS} @ {WORKERS}",))
def user_data_not_yet_known() -> Fleet:
    return a_fleet(a_template(max_pods=UNKNOWN))


def with_cni(prefixes: Any) -> Fleet:
    return a_fleet(a_template(max_pods=110), an_eks_addon(prefix_delegation=prefixes))


@case()
def more_pods_with_prefixes() -> Fleet:
    return with_cni(prefixes=True)


@case(unjudged=(f"{PODS} @ {WORKERS}",))
def more_pods_with_a_cni_not_yet_known() -> Fleet:
    return with_cni(prefixes=UNKNOWN)


@case(unjudged=(f"{PODS} @ {WORKERS}", f"vpc-cni-supports-efa @ {WORKERS}"))
def more_pods_with_a_cni_from_elsewhere() -> Fleet:
    return a_fleet(a_template(max_pods=110), without=[EksAddon])


# subnet-holds-nodes, subnet-holds-all-nodes


def in_room(free: int | None, *things: Any, **group: Any) -> Fleet:
    """The default group (50 addresses a node) in a subnet with so many free addresses."""
    numbers = {"nodes_max": group.get("nodes_start", 1), **group}
    return a_fleet(a_group(**numbers), *things, subnets=[a_subnet(free_addresses=free)])


@case(f"{HOLDS} @ {WORKERS}.nodes")
def two_nodes_in_a_subnet_for_one() -> Fleet:
    return in_room(105, nodes_start=2)


@case()
def two_nodes_and_the_control_plane_in_a_subnet_for_them() -> Fleet:
    return in_room(106, nodes_start=2)


@case(f"{HOLDS} @ {WORKERS}.nodes")
def a_subnet_for_no_node() -> Fleet:
    return in_room(20)


@case(f"{HOLDS_ALL} @ {WORKERS}.nodes")
def two_nodes_beside_a_control_plane_that_is_there_already() -> Fleet:
    plane = a_control_plane(subnets=(), existing=True, name="theirs")
    return a_fleet(
        a_group(nodes_start=2, nodes_max=2),
        a_template(instance="g5.8xlarge", interfaces=()),
        plane,
        subnets=[a_subnet(free_addresses=120)],
        without=[ControlPlane],
    )


@case(f"{HOLDS_ALL} @ {WORKERS}.nodes")
def room_for_the_nodes_at_first_only() -> Fleet:
    return in_room(106, nodes_start=1, nodes_max=3)


@case()
def none_at_first_and_room_for_all() -> Fleet:
    return in_room(106, nodes_min=0, nodes_start=0, nodes_max=2)


@case(f"{HOLDS_ALL} @ {WORKERS}.nodes")
def p4d_full_of_pods() -> Fleet:
    """Two take 200 addresses with a few pods, 600 with all they may hold."""
    small = [a_subnet(free_addresses=500)]
    return a_fleet(a_template(instance="p4d.24xlarge"), a_group(nodes_start=2, nodes_max=2), subnets=small)


OTHERS = a_group("others", nodes_start=1, nodes_max=1)


@case(f"{HOLDS} @ {WORKERS}.nodes", f"{HOLDS} @ groups.others.nodes")
def two_groups_in_a_subnet_for_one() -> Fleet:
    return in_room(105, OTHERS, a_template("others"))


@case()
def two_groups_in_two_subnets() -> Fleet:
    others = a_group("others", subnets=(A, B))
    return a_fleet(others, a_template("others", "m5.8xlarge", interfaces=()), subnets=[a_subnet(free_addresses=60)])


@case(unjudged=(f"{HOLDS} @ {WORKERS}",))
def a_subnet_of_which_nobody_says_its_room() -> Fleet:
    return in_room(None)


@case()
def two_nodes_in_a_subnet_of_the_program() -> Fleet:
    made = a_subnet(str(Ref(SUBNET, "made")), free_addresses=106)
    return a_fleet(a_group(subnets=(Ref(SUBNET, "made"),), nodes_start=2, nodes_max=2), subnets=[made])


# instance-offered-in-zone

OFFERED = "instance-offered-in-zone"


def in_zone(zone_id: str | None, instance: str = "trn1.32xlarge", **more: Any) -> Fleet:
    return a_fleet(a_template(instance=instance), subnets=[a_subnet(zone_id=zone_id)], **more)


@case(f"{OFFERED} @ {WORKERS}.zone")
def trn1_in_a_zone_where_nobody_saw_it() -> Fleet:
    return in_zone("usw2-az2")


@case()
def trn1_in_a_zone_where_it_was_seen() -> Fleet:
    return in_zone("usw2-az4")


@case(unjudged=(f"{OFFERED} @ {WORKERS}",))
def trn1_in_a_zone_without_id() -> Fleet:
    return in_zone(None)


@case()
def p5_in_a_zone_without_id_of_a_region_where_every_zone_has_it() -> Fleet:
    return in_zone(None, "p5.48xlarge")


@case(f"{OFFERED} @ {WORKERS}.zone")
def hpc7a_where_nobody_saw_it_in_the_region() -> Fleet:
    return in_zone(None, "hpc7a.96xlarge")


@case(unjudged=(f"{OFFERED} @ {WORKERS}", f"{HOLDS} @ {WORKERS}"))
def trn1_in_subnets_not_yet_known() -> Fleet:
    return a_fleet(a_template(instance="trn1.2xlarge", interfaces=(an_interface(),)), a_group(subnets=UNKNOWN))


# update-limits-single, node-repair-limits-single

UPDATES, REPAIR = "update-limits-single", "node-repair-limits-single"
COUNT, PERCENTAGE = "maxParallelNodesRepairedCount", "maxParallelNodesRepairedPercentage"


@case(f"{UPDATES} @ {WORKERS}.updates")
def a_number_and_a_percentage_of_an_update() -> Fleet:
    return a_fleet(a_group(max_unavailable=1, max_unavailable_percentage=33))


@case(f"{UPDATES} @ {WORKERS}.updates")
def an_update_of_nothing() -> Fleet:
    return a_fleet(a_group(max_unavailable=0))


@case(f"{UPDATES} @ {WORKERS}.updates")
def an_update_of_more_than_all() -> Fleet:
    return a_fleet(a_group(max_unavailable_percentage=101))


@case()
def an_update_of_all() -> Fleet:
    return a_fleet(a_group(max_unavailable_percentage=100))


@case(unjudged=(f"{UPDATES} @ {WORKERS}",))
def an_update_of_a_number_not_yet_known() -> Fleet:
    return a_fleet(a_group(max_unavailable=UNKNOWN))


@case(unjudged=(f"{UPDATES} @ {WORKERS}",))
def a_number_of_an_update_beside_a_percentage_not_yet_known() -> Fleet:
    return a_fleet(a_group(max_unavailable=1, max_unavailable_percentage=UNKNOWN))


@case(unjudged=(f"{REPAIR} @ {WORKERS}",))
def a_count_of_repairs_beside_a_percentage_not_yet_known() -> Fleet:
    return a_fleet(a_group(repair_limits=((COUNT, 1), (PERCENTAGE, UNKNOWN))))


@case(f"{REPAIR} @ {WORKERS}.node-repair")
def a_count_and_a_percentage_of_repairs() -> Fleet:
    return a_fleet(a_group(repair_limits=((COUNT, 1), (PERCENTAGE, 10))))


@case()
def limits_of_two_kinds() -> Fleet:
    return a_fleet(a_group(repair_limits=((COUNT, 1), ("maxUnhealthyNodeThresholdPercentage", 10))))


@case(f"{REPAIR} @ {WORKERS}.node-repair")
def no_repair_at_a_time() -> Fleet:
    return a_fleet(a_group(repair_limits=((COUNT, 0),)))


@case(f"{REPAIR} @ {WORKERS}.node-repair")
def more_repairs_than_all_at_a_time() -> Fleet:
    return a_fleet(a_group(repair_limits=((PERCENTAGE, 101),)))


@case()
def many_repairs_at_a_time() -> Fleet:
    return a_fleet(a_group(repair_limits=((COUNT, 101),)))


@case(unjudged=(f"{REPAIR} @ {WORKERS}",))
def repairs_of_a_number_not_yet_known() -> Fleet:
    return a_fleet(a_group(repair_limits=((COUNT, UNKNOWN),)))


# scaling-range-without-autoscaler

RANGE = "scaling-range-without-autoscaler"


def a_range(**more: Any) -> Fleet:
    """A described group of one node that may grow to two."""
    plain = a_template(instance="m5.8xlarge", interfaces=())
    return a_fleet(plain, a_group(nodes_max=2, purpose=Purpose.SYSTEM, **more))


@case(f"{RANGE} @ {WORKERS}.nodes")
def a_range_that_nobody_moves_in() -> Fleet:
    return a_range()


@case()
def a_range_that_an_autoscaler_moves_in() -> Fleet:
    return a_range(scaled_by=Scaler.AUTOSCALER)


@case(unjudged=(f"{RANGE} @ {WORKERS}", f"nodes-in-order @ {WORKERS}"))
def a_range_whose_least_is_not_yet_known() -> Fleet:
    return a_range(nodes_min=UNKNOWN)


@case()
def a_foreign_range() -> Fleet:
    return a_fleet(a_group(nodes_max=2))


@case(unjudged=(f"several-interfaces-private-subnets @ {WORKERS}", f"reservation-instance-type-matches @ {WORKERS}"))
def a_block_that_has_not_begun_has_no_nodes_yet() -> Fleet:
    offering = "cb-0123456789abcdef0"
    purchase = {"offering": offering, "approved": {"offering": offering, "by": "head.of.research"}}
    block = {"buy": purchase, "zone": "us-west-2a", "count": 1, "starts": "2026-12-01", "ends": "2026-12-15"}
    return described({"groups.workers.capacity": {"capacity-block": block}})
