"""Several groups that name one reservation, Capacity Block, resource group or training plan."""

from typing import Any

from muster.config.description.capacity import Capacity, HyperPodCapacity
from muster.fleet.resources import CapacityTarget, Fleet
from muster.unknown import UNKNOWN
from tests.factories import CR, a_fleet, a_group, a_template, on, reservation_facts
from tests.hyperpods import PLAN, a_hyperpod_fleet, an_instance_group, plan_facts
from tests.policies.case import cases

RESERVATION = {"id": CR, "zone": "us-west-2a", "count": 2, "provided-by": "aws"}
BLOCK = {"id": CR, "zone": "us-west-2a", "count": 2, "starts": "2026-11-20", "ends": "2026-12-15", "active": True}
GROUP = "arn:aws:resource-groups:us-west-2:111122223333:group/p5"
POOL = {"arn": GROUP, "zone": "us-west-2a", "count": 2, "provided-by": "aws"}
SPRING = {"arn": PLAN, "zone": "us-west-2a", "count": 2}


def _two(kind: str, said: dict[str, Any], *, instance: Any = "p5.48xlarge", facts: Any = None, **second: Any) -> Fleet:
    """Two groups on one thing; the second describes it with other values."""
    pool = CapacityTarget("capacity-reservations-only", None, GROUP)
    target = pool if kind == "reservation-group" else on()["target"]
    both: dict[str, Any] = {"target": target, "market_type": "capacity-block" if kind == "capacity-block" else None}
    described = [Capacity.model_validate({kind: each}) for each in (said, {**said, **second})]
    of_block = {"capacity_type": "CAPACITY_BLOCK"} if kind == "capacity-block" else {}
    return a_fleet(
        a_template(**both),
        a_template("workers-b", instance, **both),
        a_group(capacity=described[0], **of_block),
        a_group("workers-b", capacity=described[1], **of_block),
        facts=facts,
    )


def _not_described(instance: Any) -> Fleet:
    return a_fleet(
        a_template(**on()),
        a_template("workers-b", instance, **on()),
        a_group(nodes_max=1),
        a_group("workers-b", nodes_max=1),
    )


def _plan(known: Any = None, instance: Any = "ml.p5.48xlarge", **second: Any) -> Fleet:
    """Two groups on one training plan."""
    described = [HyperPodCapacity.model_validate({"training-plan": each}) for each in (SPRING, {**SPRING, **second})]
    return a_hyperpod_fleet(
        an_instance_group(training_plan=PLAN, capacity=described[0], zone="us-west-2a"),
        an_instance_group(
            "workers-b", training_plan=PLAN, capacity=described[1], zone="us-west-2a", instance_type=instance
        ),
        known=known,
    )


cases(
    "capacity-described-alike",
    two_groups_describe_a_reservation_alike=lambda: _two("reservation", RESERVATION),
    one_reservation_for_two_types=lambda: _two("reservation", RESERVATION, instance="p4d.24xlarge"),
    # reservation-instance-type-matches judges by what AWS states.
    one_reservation_for_two_types_of_which_aws_states_one=lambda: _two(
        "reservation", RESERVATION, instance="p4d.24xlarge", facts=reservation_facts()
    ),
    one_reservation_for_a_type_and_one_not_yet_known=lambda: _two("reservation", RESERVATION, instance=UNKNOWN),
    one_reservation_in_two_zones=lambda: _two("reservation", RESERVATION, zone="us-west-2b"),
    one_reservation_of_two_counts=lambda: _two("reservation", RESERVATION, count=9),
    one_reservation_of_two_counts_of_which_aws_states_one=lambda: _two(
        "reservation", RESERVATION, count=9, facts=reservation_facts(totalInstances=9)
    ),
    one_reservation_provided_by_two=lambda: _two("reservation", RESERVATION, **{"provided-by": "you"}),
    one_reservation_in_a_placement_group_and_in_none=lambda: _two(
        "reservation", {**RESERVATION, "provided-by": "you"}, **{"placement-group": "p5"}
    ),
    one_reservation_outside_any_placement_group_twice=lambda: _two(
        "reservation", {**RESERVATION, "provided-by": "you"}, **{"placement-group": "none"}
    ),
    one_block_for_two_types=lambda: _two("capacity-block", BLOCK, instance="p5e.48xlarge"),
    one_block_that_starts_on_two_days=lambda: _two("capacity-block", BLOCK, starts="2026-11-21"),
    one_block_that_ends_on_two_days=lambda: _two("capacity-block", BLOCK, ends="2026-12-22"),
    one_resource_group_for_two_types=lambda: _two("reservation-group", POOL, instance="p4d.24xlarge"),
    one_resource_group_of_two_counts=lambda: _two("reservation-group", POOL, count=9),
    one_reservation_for_two_types_in_a_program=lambda: _not_described("p4d.24xlarge"),
    one_reservation_twice_in_a_program=lambda: _not_described("p5.48xlarge"),
    two_groups_describe_a_plan_alike=_plan,
    one_plan_for_two_types=lambda: _plan(instance="ml.p5en.48xlarge"),
    one_plan_for_two_types_of_which_sagemaker_states_one=lambda: _plan(plan_facts(), instance="ml.p5en.48xlarge"),
    one_plan_for_a_type_and_one_not_yet_known=lambda: _plan(instance=UNKNOWN),
    one_plan_in_two_zones=lambda: _plan(zone="us-west-2b"),
    one_plan_of_two_counts=lambda: _plan(count=8),
    a_plan_described_once=lambda: a_hyperpod_fleet(
        an_instance_group(training_plan=PLAN), an_instance_group("workers-b", training_plan=PLAN)
    ),
)
