"""Quotas of resources: networks, clusters, file systems."""

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet
from tests.factories import facts
from tests.policies.account_limits import EVERY, NETWORK, RESOURCES, UNTOLD, YESTERDAY, created, said, untold
from tests.policies.case import case


def with_storage(known: Facts) -> Fleet:
    lustre = {"size": "4800GiB", "throughput": 250}
    return created(known, storage={"scratch": {"lustre": lustre}})


@case()
def a_network_within_all_quotas() -> Fleet:
    return created(said())


@case()
def a_file_system_within_all_quotas() -> Fleet:
    return with_storage(said(quotasUsed={"L-8F1B9C74": 96000}))


@case(f"{RESOURCES} @ storage.scratch.lustre")
def a_file_system_beside_others_beyond_the_quota() -> Fleet:
    return with_storage(said(quotasUsed={"L-8F1B9C74": 96001}))


@case(f"{RESOURCES} @ {NETWORK}")
def addresses_that_others_have() -> Fleet:
    return created(said(quotasUsed={"L-0263D0A3": 4}))


@case()
def the_last_two_addresses() -> Fleet:
    return created(said(quotasUsed={"L-0263D0A3": 3}))


@case(f"{RESOURCES} @ {NETWORK}")
def no_vpc_left() -> Fleet:
    return created(said(quotasUsed={"L-F678F1CE": 5}))


@case(f"{RESOURCES} @ {NETWORK}")
def no_internet_gateway_left() -> Fleet:
    return created(said(quotasUsed={"L-A4707A72": 5}))


@case(f"{RESOURCES} @ {NETWORK}")
def nat_gateways_are_counted_by_zone() -> Fleet:
    return created(said(quotas={**EVERY, "L-FE5A380F": 0}))


@case()
def one_nat_gateway_in_each_of_two_zones() -> Fleet:
    return created(said(quotas={**EVERY, "L-FE5A380F": 1}))


@case(f"{RESOURCES} @ control-plane")
def no_eks_cluster_left() -> Fleet:
    return created(said(quotasUsed={"L-1194D53C": 100}))


@case(f"{RESOURCES} @ groups.system")
def more_node_groups_than_a_cluster_may_have() -> Fleet:
    return created(said(quotas={**EVERY, "L-6D54EA21": 1}))


@case(unjudged=(f"{RESOURCES} @ {NETWORK}", *UNTOLD))
def a_preflight_that_was_not_told_the_addresses() -> Fleet:
    return created(said(**YESTERDAY, quotas={code: value for code, value in EVERY.items() if code != "L-0263D0A3"}))


@case(unjudged=(f"{RESOURCES} @ {NETWORK}", *UNTOLD))
def a_preflight_that_was_not_told_who_has_addresses() -> Fleet:
    return created(untold("L-0263D0A3"))


@case(f"{RESOURCES} @ {NETWORK}", unjudged=UNTOLD)
def addresses_that_are_too_few_for_the_network_alone() -> Fleet:
    known = untold("L-0263D0A3")
    return created(known.model_copy(update={"quotas": {**EVERY, "L-0263D0A3": 1}}))


@case(unjudged=(f"{RESOURCES} @ {NETWORK}", *UNTOLD))
def a_preflight_that_was_not_told_who_has_nat_gateways() -> Fleet:
    return created(untold("L-FE5A380F"))


@case(f"{RESOURCES} @ {NETWORK}")
def nat_gateways_that_others_have_in_the_zone() -> Fleet:
    return created(said(quotasUsed={"L-FE5A380F": 5}))


@case()
def quotas_that_a_person_wrote_without_addresses() -> Fleet:
    return created(facts(quotas={"L-417A185B": 1920}))


@case(f"{RESOURCES} @ {NETWORK}")
def addresses_that_a_person_counted() -> Fleet:
    return created(facts(quotas={"L-417A185B": 1920, "L-0263D0A3": 1}))
