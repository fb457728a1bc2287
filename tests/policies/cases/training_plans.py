"""Training plans."""

from typing import Any

from muster.config.description.capacity import HyperPodCapacity
from muster.fleet.facts import Facts
from muster.fleet.resources import (
    Fleet,
    InstanceGroup,
)
from muster.unknown import UNKNOWN
from tests.factories import (
    A,
    B,
)
from tests.hyperpods import (
    PLAN,
    a_hyperpod_fleet,
    an_instance_group,
    plan_facts,
)
from tests.policies.case import case, cases

SPRING = {"arn": PLAN, "zone": "us-west-2a", "count": 1}


def planned(**more: Any) -> InstanceGroup:
    """The workers on the training plan, which the description has in us-west-2a with one instance."""
    said = {"training-plan": SPRING}
    capacity = HyperPodCapacity.model_validate(said)
    return an_instance_group(**{"training_plan": PLAN, "capacity": capacity, "zone": "us-west-2a", **more})


def in_us_east_1() -> Facts:
    """What SageMaker says there of the plan of that name."""
    known = plan_facts(zone="us-east-1a")
    plans = {each.replace("us-west-2", "us-east-1"): said for each, said in known.training_plans.items()}
    return known.model_copy(update={"training_plans": plans})


# training plans


cases(
    a_plan_that_fits=lambda: a_hyperpod_fleet(planned(), known=plan_facts()),
    a_plan_of_which_nobody_was_asked=lambda: a_hyperpod_fleet(planned(capacity=None)),
    a_plan_that_only_the_description_knows=lambda: a_hyperpod_fleet(planned()),
    a_plan_not_yet_known=lambda: a_hyperpod_fleet(planned(training_plan=UNKNOWN, capacity=None)),
    # As no API takes it: it is called so all the same.
    a_plan_by_its_name_alone=lambda: a_hyperpod_fleet(planned(training_plan="spring", capacity=None)),
    a_plan_of_another_type=lambda: a_hyperpod_fleet(planned(), known=plan_facts(instanceType="ml.p5e.48xlarge")),
    a_type_that_no_plan_holds=lambda: a_hyperpod_fleet(
        planned(instance_type="ml.g5.48xlarge"), known=plan_facts(instanceType=None)
    ),
    a_type_on_a_plan_not_yet_known=lambda: a_hyperpod_fleet(planned(instance_type=UNKNOWN), known=plan_facts()),
    a_plan_in_another_zone_than_declared=lambda: a_hyperpod_fleet(planned(), known=plan_facts(zone="us-west-2b")),
    # The ARN says so; what it says of zones is of no account then.
    a_plan_of_another_region=lambda: a_hyperpod_fleet(
        planned(training_plan=PLAN.replace("us-west-2", "us-east-1")), known=in_us_east_1()
    ),
)


@case
def a_plan_in_another_zone_than_declared_where_there_is_no_subnet() -> Fleet:
    """As `zone` of the plan alone says it: the group follows what is written there."""
    said = {"training-plan": {"arn": PLAN, "zone": "us-west-2c", "count": 1}}
    there = HyperPodCapacity.model_validate(said)
    return a_hyperpod_fleet(planned(capacity=there, zone="us-west-2c", subnets=()), known=plan_facts())


cases(
    # The group has a zone of its own.
    a_plan_in_another_zone_than_declared_and_than_the_group=lambda: a_hyperpod_fleet(
        planned(zone="us-west-2b", subnets=(B,)), known=plan_facts(zone="us-west-2c")
    ),
)


@case
def a_plan_where_there_is_no_subnet() -> Fleet:
    said = {"training-plan": {"arn": PLAN, "zone": "us-west-2c", "count": 1}}
    there = HyperPodCapacity.model_validate(said)
    known = plan_facts(zone="us-west-2c")
    return a_hyperpod_fleet(planned(capacity=there, zone="us-west-2c", subnets=()), known=known)


cases(
    a_plan_in_another_zone_than_the_group=lambda: a_hyperpod_fleet(planned(subnets=(B,)), known=plan_facts()),
    a_plan_and_a_group_in_two_zones=lambda: a_hyperpod_fleet(planned(subnets=(A, B)), known=plan_facts()),
    a_plan_and_subnets_not_yet_known=lambda: a_hyperpod_fleet(planned(subnets=UNKNOWN), known=plan_facts()),
    a_plan_and_subnets_nobody_knows=lambda: a_hyperpod_fleet(
        planned(subnets=("subnet-0eeeeeeeeeeeeeeee",)), known=plan_facts()
    ),
    a_plan_of_another_count_than_declared=lambda: a_hyperpod_fleet(planned(), known=plan_facts(totalInstances=2)),
    more_than_the_plan_holds=lambda: a_hyperpod_fleet(planned(nodes_start=2), known=plan_facts()),
    two_groups_on_a_plan_of_one=lambda: a_hyperpod_fleet(
        planned(), an_instance_group("more", training_plan=PLAN), known=plan_facts()
    ),
    as_many_free_as_the_group_asks_for=lambda: a_hyperpod_fleet(planned(), known=plan_facts(availableInstances=1)),
    a_plan_whose_instances_others_have=lambda: a_hyperpod_fleet(planned(), known=plan_facts(availableInstances=0)),
    two_groups_on_a_plan_with_one_left=lambda: a_hyperpod_fleet(
        planned(capacity=HyperPodCapacity.model_validate({"training-plan": {**SPRING, "count": 2}})),
        an_instance_group("more", training_plan=PLAN),
        known=plan_facts(totalInstances=2, availableInstances=1),
    ),
    # It is too small: how much of that is free is no further matter.
    more_than_the_plan_holds_or_leaves=lambda: a_hyperpod_fleet(
        planned(nodes_start=2), known=plan_facts(availableInstances=0)
    ),
    nothing_is_free_before_a_plan_begins=lambda: a_hyperpod_fleet(
        planned(nodes_start=0), known=plan_facts(state="Scheduled", availableInstances=0)
    ),
    a_plan_that_begins_later=lambda: a_hyperpod_fleet(
        planned(), known=plan_facts(state="Scheduled", availableInstances=0, start="2026-12-01T11:30:00Z")
    ),
    a_count_on_a_plan_not_yet_known=lambda: a_hyperpod_fleet(planned(nodes_start=UNKNOWN), known=plan_facts()),
    a_plan_for_training_jobs=lambda: a_hyperpod_fleet(planned(), known=plan_facts(targets=["training-job"])),
    a_plan_that_ended=lambda: a_hyperpod_fleet(planned(), known=plan_facts(end="2026-11-20T11:30:00Z")),
    a_plan_that_failed=lambda: a_hyperpod_fleet(planned(), known=plan_facts(state="Failed")),
    a_plan_that_has_not_begun=lambda: a_hyperpod_fleet(planned(), known=plan_facts(state="Scheduled")),
    a_plan_that_has_not_begun_and_no_instances=lambda: a_hyperpod_fleet(
        planned(nodes_start=0), known=plan_facts(state="Scheduled")
    ),
    a_plan_of_an_unknown_state=lambda: a_hyperpod_fleet(planned(), known=plan_facts(state=None, targets=None)),
)
