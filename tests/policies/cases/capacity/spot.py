"""Training on spot."""

from muster.config.description.capacity import Capacity
from muster.config.description.node_group import Purpose
from muster.fleet.resources import Fleet
from tests.factories import a_fleet, a_group, a_template
from tests.policies.case import cases


def on_spot(accepted: bool, purpose: Purpose = Purpose.TRAINING) -> Fleet:
    said = Capacity.model_validate({"spot": {"interruptions-accepted": accepted}})
    plain = a_template(instance="m5.8xlarge", interfaces=())
    return a_fleet(plain, a_group(capacity=said, purpose=purpose, capacity_type="SPOT"))


cases(
    training_on_spot=lambda: on_spot(accepted=False),
    training_on_spot_aloud=lambda: on_spot(accepted=True),
    inference_on_spot=lambda: on_spot(accepted=False, purpose=Purpose.INFERENCE),
    a_foreign_group_with_efa_on_spot=lambda: a_fleet(a_group(capacity_type="SPOT")),
    a_self_managed_group_with_efa_on_spot=lambda: a_fleet(
        a_template(market_type="spot"), a_group(managed=False, capacity_type=None)
    ),
    a_foreign_group_without_efa_on_spot=lambda: a_fleet(
        a_template(instance="m5.8xlarge", interfaces=()), a_group(capacity_type="SPOT")
    ),
)
