"""Quotas of vCPUs."""

from muster.config.description.capacity import Capacity
from muster.fleet.resources import Fleet
from muster.unknown import UNKNOWN
from tests.factories import a_fleet, a_group, a_template, facts
from tests.policies.case import case, cases


def within(quotas: dict[str, int], *things: object, instance: str = "p5.48xlarge", **group: object) -> Fleet:
    said = Capacity.model_validate({"on-demand": {}})
    return a_fleet(a_template(instance=instance), a_group(capacity=said, **group), *things, facts=facts(quotas=quotas))


cases(
    exactly_the_quota=lambda: within({"L-417A185B": 384}, nodes_max=2),
    one_node_beyond_the_quota=lambda: within({"L-417A185B": 383}, nodes_max=2),
)


@case
def two_groups_of_one_family_beyond_the_quota() -> Fleet:
    others = a_group("others", capacity=Capacity.model_validate({"on-demand": {}}))
    return within({"L-417A185B": 200}, a_template("others", instance="p4d.24xlarge"), others)


cases(
    trn1_beyond_its_quota=lambda: within({"L-417A185B": 1000, "L-2C3B7624": 0}, instance="trn1.32xlarge"),
    a_quota_of_another_family=lambda: within({"L-417A185B": 1000}, instance="g5.48xlarge"),
    a_type_of_no_such_quota=lambda: a_fleet(
        a_template(instance="m5.8xlarge", interfaces=()),
        a_group(capacity=Capacity.model_validate({"on-demand": {}})),
        facts=facts(),
    ),
    a_quota_and_nodes_not_yet_known=lambda: within({"L-417A185B": 384}, nodes_max=UNKNOWN),
)


ON_SPOT = {"capacity": Capacity.model_validate({"spot": {"interruptions-accepted": True}}), "capacity_type": "SPOT"}


def with_spot_quotas(instance: str, quotas: dict[str, int]) -> Fleet:
    template = a_template(instance=instance, interfaces=())
    return a_fleet(template, a_group(**ON_SPOT), facts=facts(quotas=quotas))


cases(
    p5_on_spot_beyond_its_own_quota=lambda: with_spot_quotas("p5.48xlarge", {"L-417A185B": 1920, "L-C4BD4855": 191}),
    trn1_on_spot_within_its_quota=lambda: with_spot_quotas("trn1.32xlarge", {"L-6B0D517C": 128}),
    g5_on_spot_beyond_its_own_quota=lambda: with_spot_quotas("g5.48xlarge", {"L-DB2E81BA": 1920, "L-3819A6DF": 191}),
    p4_on_spot_with_another_quota=lambda: with_spot_quotas("p4d.24xlarge", {"L-C4BD4855": 1920}),
    a_type_without_spot_instances=lambda: with_spot_quotas("hpc7a.96xlarge", {}),
    p6_on_spot_of_which_nobody_says_the_quota=lambda: with_spot_quotas("p6-b200.48xlarge", {"L-C4BD4855": 1920}),
)
