"""Training plans."""

from typing import Any

from muster.config.description.capacity import Capacity
from muster.fleet.resources import (
    InstanceGroup,
)
from muster.unknown import UNKNOWN
from tests.factories.hyperpod_fleets import (
    PLAN,
    a_hyperpod_fleet,
    an_instance_group,
    plan_facts,
)
from tests.policies.case import cases

SPRING = {"arn": PLAN, "zone": "us-west-2a", "count": 1}


def planned(**more: Any) -> InstanceGroup:
    """The workers on the training plan, which the description has in us-west-2a with one instance."""
    said = {"training-plan": SPRING}
    capacity = Capacity.model_validate(said)
    return an_instance_group(**{"training_plan": PLAN, "capacity": capacity, "zone": "us-west-2a", **more})


# training plans


cases(
    # As no API takes it: it is called so all the same.
    a_plan_of_another_type=lambda: a_hyperpod_fleet(planned(), known=plan_facts(instanceType="ml.p5e.48xlarge")),
    a_type_on_a_plan_not_yet_known=lambda: a_hyperpod_fleet(planned(instance_type=UNKNOWN), known=plan_facts()),
    a_plan_in_another_zone_than_declared=lambda: a_hyperpod_fleet(planned(), known=plan_facts(zone="us-west-2b")),
)


cases(
    a_plan_of_another_count_than_declared=lambda: a_hyperpod_fleet(planned(), known=plan_facts(totalInstances=2)),
)
