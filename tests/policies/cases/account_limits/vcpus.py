"""Quotas of vCPUs: what others use, and what reservations hold."""

from typing import Any

from muster.config.description.capacity import Capacity
from muster.fleet.resources import Fleet
from tests.factories import a_fleet, a_group, a_reservation, a_template, facts, on, reservation_facts
from tests.policies.account_limits import ACCOUNT, EVERY, SEEN, YESTERDAY, said, untold
from tests.policies.case import case, cases
from tests.slurms import a_head, a_resource, a_slurm_fleet

# what others use of vCPUs


def beside(used: int, quota: int = 384, **more: Any) -> Fleet:
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=1)
    known = said(quotas={**EVERY, "L-417A185B": quota}, quotasUsed={"L-417A185B": used}, **more)
    return a_fleet(a_template(), group, facts=known)


cases(
    others_that_leave_enough=lambda: beside(192),
    others_that_leave_too_little=lambda: beside(193),
)


def alone(quota: int) -> Fleet:
    """One p5.48xlarge, on demand, where it is not known what others use."""
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=1)
    known = untold("L-417A185B")
    return a_fleet(a_template(), group, facts=known.model_copy(update={"quotas": {**EVERY, "L-417A185B": quota}}))


cases(
    vcpus_of_which_nobody_said_how_many_others_use=lambda: alone(192),
    vcpus_too_few_for_the_stack_alone=lambda: alone(191),
)


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


cases(
    a_reservation_counts_whole_and_fits=lambda: on_reservation(3 * 192),
    a_reservation_counts_whole_and_does_not_fit=lambda: on_reservation(3 * 192 - 1),
    a_reservation_counts_whole_beside_others=lambda: on_reservation(4 * 192, 193),
    nodes_in_a_reservation_are_not_counted_beside_it=lambda: on_reservation(3 * 192, nodes=3),
    a_reservation_that_is_shared_counts_where_it_is_from=lambda: on_reservation(192, owner="333344445555"),
    a_reservation_of_which_nobody_says_whose_it_is=lambda: on_reservation(192, account=False),
)


@case
def two_groups_share_what_a_reservation_counts() -> Fleet:
    known = on_reservation(3 * 192 - 1).facts
    shared = {"reservation": a_reservation(count=3), "nodes_max": 1}
    more = (a_template("more", **on()), a_group("more", **shared))
    return a_fleet(a_template(**on()), a_group(**shared), *more, facts=known)


# standard instances


def standard(**known: Any) -> Fleet:
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=2)
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=()), group, facts=facts(**known))


cases(
    standard_instances_beyond_their_quota=lambda: standard(quotas={"L-1216C47A": 63}),
    standard_instances_within_their_quota=lambda: standard(quotas={"L-1216C47A": 64}),
    a_preflight_that_was_told_no_quota=lambda: standard(**SEEN, **YESTERDAY),
)


def beside_a_head_node(instance: str, quota: int) -> Fleet:
    """A compute resource of one m5.8xlarge, whose quota counts its head node, too."""
    on_demand = Capacity.model_validate({"on-demand": {}})
    group = a_resource(instances=("m5.8xlarge",), nodes_min=0, nodes_max=1, capacity=on_demand, efa=False)
    return a_slurm_fleet(a_head(instance=instance), group, known=facts(quotas={"L-1216C47A": quota}))


cases(
    a_head_node_counts_with_its_queue=lambda: beside_a_head_node("m5.8xlarge", 63),
    a_head_node_of_vcpus_that_nobody_knows=lambda: beside_a_head_node("m9z.metal", 31),
    a_head_node_of_vcpus_that_nobody_knows_beside_enough=lambda: beside_a_head_node("m9z.metal", 32),
)
