"""Quotas of vCPUs: what others use, and what reservations hold."""

from typing import Any

from muster.config.description.capacity import Capacity
from muster.fleet.resources import Fleet
from tests.factories import a_fleet, a_group, a_reservation, a_template, facts, on, reservation_facts
from tests.policies.account_limits import ACCOUNT, EVERY, PLANE, RESOURCES, SEEN, VCPUS, YESTERDAY, said, untold
from tests.policies.case import case
from tests.slurms import a_head, a_resource, a_slurm_fleet

WORKERS = "groups.workers"


# what others use of vCPUs


def beside(used: int, quota: int = 384, **more: Any) -> Fleet:
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=1)
    known = said(quotas={**EVERY, "L-417A185B": quota}, quotasUsed={"L-417A185B": used}, **more)
    return a_fleet(a_template(), group, facts=known)


@case()
def others_that_leave_enough() -> Fleet:
    return beside(192)


@case(f"{VCPUS} @ {WORKERS}.nodes")
def others_that_leave_too_little() -> Fleet:
    return beside(193)


UNTOLD_OF_WORKERS = (
    *("image-parameter-exists @ groups.workers", "type-offered-in-zone @ groups.workers"),
    *("kubernetes-version-offered @ ", "subnet-reaches-aws @ "),
)


def alone(quota: int) -> Fleet:
    """One p5.48xlarge, on demand, where it is not known what others use."""
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=1)
    known = untold("L-417A185B")
    return a_fleet(a_template(), group, facts=known.model_copy(update={"quotas": {**EVERY, "L-417A185B": quota}}))


@case(unjudged=(f"{VCPUS} @ {WORKERS}", *UNTOLD_OF_WORKERS))
def vcpus_of_which_nobody_said_how_many_others_use() -> Fleet:
    return alone(192)


@case(f"{VCPUS} @ {WORKERS}.nodes", unjudged=UNTOLD_OF_WORKERS)
def vcpus_too_few_for_the_stack_alone() -> Fleet:
    return alone(191)


# what reservations hold


def on_reservation(quota: int, used: int = 0, *, nodes: int = 1, account: bool = True, **more: Any) -> Fleet:
    """A group that may grow to one node, on a reservation of three; a node has 192 vCPUs."""
    known = said(
        quotas={**EVERY, "L-417A185B": quota},
        quotasUsed={"L-417A185B": used},
        reservations=reservation_facts(**{"totalInstances": 3, "owner": ACCOUNT["id"], **more}).reservations,
        **({"account": ACCOUNT} if account else {}),
    )
    group = a_group(reservation=a_reservation(count=3), nodes_max=nodes)
    return a_fleet(a_template(**on()), group, facts=known)


@case()
def a_reservation_counts_whole_and_fits() -> Fleet:
    return on_reservation(3 * 192)


@case(f"{VCPUS} @ {WORKERS}.nodes")
def a_reservation_counts_whole_and_does_not_fit() -> Fleet:
    return on_reservation(3 * 192 - 1)


@case(f"{VCPUS} @ {WORKERS}.nodes")
def a_reservation_counts_whole_beside_others() -> Fleet:
    return on_reservation(4 * 192, 193)


@case()
def nodes_in_a_reservation_are_not_counted_beside_it() -> Fleet:
    return on_reservation(3 * 192, nodes=3)


@case()
def a_reservation_that_is_shared_counts_where_it_is_from() -> Fleet:
    return on_reservation(192, owner="333344445555")


@case()
def a_reservation_of_which_nobody_says_whose_it_is() -> Fleet:
    return on_reservation(192, account=False)


@case(f"{VCPUS} @ {WORKERS}.nodes", f"{VCPUS} @ groups.more.nodes")
def two_groups_share_what_a_reservation_counts() -> Fleet:
    known = on_reservation(3 * 192 - 1).facts
    shared = {"reservation": a_reservation(count=3), "nodes_max": 1}
    more = (a_template("more", **on()), a_group("more", **shared))
    return a_fleet(a_template(**on()), a_group(**shared), *more, facts=known)


# standard instances


def standard(**known: Any) -> Fleet:
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=2)
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=()), group, facts=facts(**known))


@case(f"{VCPUS} @ {WORKERS}.nodes")
def standard_instances_beyond_their_quota() -> Fleet:
    return standard(quotas={"L-1216C47A": 63})


@case()
def standard_instances_within_their_quota() -> Fleet:
    return standard(quotas={"L-1216C47A": 64})


@case(
    unjudged=(
        f"{VCPUS} @ {WORKERS}",
        f"{RESOURCES} @ {PLANE}",
        f"{RESOURCES} @ {WORKERS}",
        *UNTOLD_OF_WORKERS,
    )
)
def a_preflight_that_was_told_no_quota() -> Fleet:
    return standard(**SEEN, **YESTERDAY)


def beside_a_head_node(instance: str, quota: int) -> Fleet:
    """A compute resource of one m5.8xlarge, whose quota counts its head node, too."""
    on_demand = Capacity.model_validate({"on-demand": {}})
    group = a_resource(instances=("m5.8xlarge",), nodes_min=0, nodes_max=1, capacity=on_demand, efa=False)
    return a_slurm_fleet(a_head(instance=instance), group, known=facts(quotas={"L-1216C47A": quota}))


@case(f"{VCPUS} @ queues.train.groups.workers.nodes")
def a_head_node_counts_with_its_queue() -> Fleet:
    return beside_a_head_node("m5.8xlarge", 63)


@case(f"{VCPUS} @ queues.train.groups.workers.nodes")
def a_head_node_of_vcpus_that_nobody_knows() -> Fleet:
    return beside_a_head_node("m5.metal", 31)


@case()
def a_head_node_of_vcpus_that_nobody_knows_beside_enough() -> Fleet:
    return beside_a_head_node("m5.metal", 32)
