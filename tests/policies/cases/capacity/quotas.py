"""Quotas of vCPUs."""

from muster.config.description.capacity import Capacity
from muster.fleet.resources import Fleet
from tests.factories import a_fleet, a_group, a_template, facts
from tests.policies.case import cases

ON_SPOT = {"capacity": Capacity.model_validate({"spot": {"interruptions-accepted": True}}), "capacity_type": "SPOT"}


def with_spot_quotas(instance: str, quotas: dict[str, int]) -> Fleet:
    template = a_template(instance=instance, interfaces=())
    return a_fleet(template, a_group(**ON_SPOT), facts=facts(quotas=quotas))


cases(
    a_type_without_spot_instances=lambda: with_spot_quotas("hpc7a.96xlarge", {}),
)
