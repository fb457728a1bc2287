"""Quotas of vCPUs: what others use, and what reservations hold."""

from typing import Any

from muster.config.description.capacity import Capacity
from muster.fleet.resources import Fleet
from tests.factories import a_fleet, a_group, a_reservation, a_template, facts, on, reservation_facts
from tests.policies.account_limits import ACCOUNT, EVERY, said, untold

# what others use of vCPUs


def beside(used: int, quota: int = 384, **more: Any) -> Fleet:
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=1)
    known = said(quotas={**EVERY, "L-417A185B": quota}, quotasUsed={"L-417A185B": used}, **more)
    return a_fleet(a_template(), group, facts=known)


def alone(quota: int) -> Fleet:
    """One p5.48xlarge, on demand, where it is not known what others use."""
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=1)
    known = untold("L-417A185B")
    return a_fleet(a_template(), group, facts=known.model_copy(update={"quotas": {**EVERY, "L-417A185B": quota}}))


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


# standard instances


def standard(**known: Any) -> Fleet:
    group = a_group(capacity=Capacity.model_validate({"on-demand": {}}), nodes_max=2)
    return a_fleet(a_template(instance="m5.8xlarge", interfaces=()), group, facts=facts(**known))
