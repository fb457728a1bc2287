"""Quotas of resources: networks, clusters, file systems."""

from typing import Any

from muster.fleet.facts import Facts
from muster.fleet.resources import Fleet, NodeGroup
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_group, a_template, facts
from tests.policies.account_limits import EVERY, YESTERDAY, created, said, untold
from tests.policies.case import cases


def with_storage(known: Facts) -> Fleet:
    lustre = {"size": "4800GiB", "throughput": 250}
    return created(known, storage={"scratch": {"lustre": lustre}})


cases(
    a_network_within_all_quotas=lambda: created(said()),
    a_file_system_within_all_quotas=lambda: with_storage(said(quotasUsed={"L-8F1B9C74": 96000})),
    a_file_system_beside_others_beyond_the_quota=lambda: with_storage(said(quotasUsed={"L-8F1B9C74": 96001})),
    addresses_that_others_have=lambda: created(said(quotasUsed={"L-0263D0A3": 4})),
    the_last_two_addresses=lambda: created(said(quotasUsed={"L-0263D0A3": 3})),
    no_vpc_left=lambda: created(said(quotasUsed={"L-F678F1CE": 5})),
    no_internet_gateway_left=lambda: created(said(quotasUsed={"L-A4707A72": 5})),
    nat_gateways_are_counted_by_zone=lambda: created(said(quotas={**EVERY, "L-FE5A380F": 0})),
    one_nat_gateway_in_each_of_two_zones=lambda: created(said(quotas={**EVERY, "L-FE5A380F": 1})),
    no_eks_cluster_left=lambda: created(said(quotasUsed={"L-1194D53C": 100})),
    more_node_groups_than_a_cluster_may_have=lambda: created(said(quotas={**EVERY, "L-6D54EA21": 1})),
    a_preflight_that_was_not_told_the_addresses=lambda: created(
        said(**YESTERDAY, quotas={code: value for code, value in EVERY.items() if code != "L-0263D0A3"})
    ),
    a_preflight_that_was_not_told_who_has_addresses=lambda: created(untold("L-0263D0A3")),
    addresses_that_are_too_few_for_the_network_alone=lambda: created(
        untold("L-0263D0A3").model_copy(update={"quotas": {**EVERY, "L-0263D0A3": 1}})
    ),
    a_preflight_that_was_not_told_who_has_nat_gateways=lambda: created(untold("L-FE5A380F")),
    nat_gateways_that_others_have_in_the_zone=lambda: created(said(quotasUsed={"L-FE5A380F": 5})),
    quotas_that_a_person_wrote_without_addresses=lambda: created(facts(quotas={"L-417A185B": 1920})),
    addresses_that_a_person_counted=lambda: created(facts(quotas={"L-417A185B": 1920, "L-0263D0A3": 1})),
)


def _groups(number: int, nodes: Any = 1, known: Facts | None = None, **more: Any) -> Fleet:
    """Managed node groups of one size, with a template each."""
    names = [f"group-{each}" for each in range(number)]
    groups = [a_group(each, nodes_max=nodes, **more) for each in names]
    return a_fleet(*groups, *map(a_template, names), without=(NodeGroup,), facts=known)


cases(
    "eks-default-quotas-suffice",
    as_many_groups_as_eks_allows=lambda: _groups(30),
    more_groups_than_eks_allows_by_default=lambda: _groups(31),
    more_groups_than_eks_allows_where_the_quota_is_known=lambda: _groups(31, known=facts(quotas={"L-6D54EA21": 30})),
    more_groups_where_the_quota_was_raised=lambda: _groups(31, known=facts(quotas={"L-6D54EA21": 60})),
    self_managed_groups_are_not_counted=lambda: _groups(31, managed=False),
    as_many_nodes_as_eks_allows=lambda: _groups(1, 450),
    more_nodes_than_eks_allows_by_default=lambda: _groups(1, 451),
    more_nodes_where_the_quota_was_raised=lambda: _groups(1, 451, known=facts(quotas={"L-BD136A63": 1000})),
    a_number_of_nodes_not_yet_known=lambda: _groups(1, UNKNOWN),
)
