"""Training on spot."""

from muster.config.description.capacity import Capacity
from muster.config.description.node_group import Purpose
from muster.fleet.resources import Fleet
from tests.factories import a_fleet, a_group, a_template


def on_spot(accepted: bool, purpose: Purpose = Purpose.TRAINING) -> Fleet:
    said = Capacity.model_validate({"spot": {"interruptions-accepted": accepted}})
    plain = a_template(instance="m5.8xlarge", interfaces=())
    return a_fleet(plain, a_group(capacity=said, purpose=purpose, capacity_type="SPOT"))
